// A new empty folder, removed with all that is in it, and what such tests put there.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "base/error.hpp"

namespace somnus::testing {

class FreshFolder {
 public:
  FreshFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "somnus-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder " + name);
    path_ = name;
  }
  ~FreshFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  FreshFolder(const FreshFolder&) = delete;
  FreshFolder& operator=(const FreshFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return path_ / name;
  }
  [[nodiscard]] std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

 private:
  std::filesystem::path path_;
};

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
