// What tests of output put into a fresh folder, and what they find there.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/error.hpp"
#include "harness/fresh_folder.hpp"

namespace somnus::testing {

using harness::FreshFolder;

inline void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string text_in(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What `work` throws of the user's mistakes or the world's failures; empty if nothing.
template <class Work>
std::string refusal(Work&& work) {
  try {
    work();
    return "";
  } catch (const UserError& error) {
    return std::string("mistake: ") + error.what();
  } catch (const WorldError& error) {
    return std::string("world: ") + error.what();
  }
}

}  // namespace somnus::testing
