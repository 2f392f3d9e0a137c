// Shared by the workload tests: files that vanish with the test, and readers for text in memory.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "harness/fresh_folder.hpp"
#include "text/text_file.hpp"

namespace somnus::test {

using Folder = harness::FreshFolder;

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream input(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(input), {}};
}

inline TextFile text_file(std::string name, std::string bytes) {
  return value_or_throw(TextFile::decode(std::move(name), std::move(bytes)));
}

/// All mistakes, one a line; "none" for a value.
template <class T>
std::string mistakes_in(const Checked<T>& checked) {
  return checked ? "none" : checked.error().text();
}

#define SOMNUS_TRACE_OR_SKIP(path, name)                     \
  const std::filesystem::path path = SOMNUS_TRACES "/" name; \
  if (!std::filesystem::exists(path))                        \
  GTEST_SKIP() << path << " is absent: the real trace is not checked"

}  // namespace somnus::test
