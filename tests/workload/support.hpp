// Shared by the workload tests: files that vanish with the test, and readers for text in memory.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "text/text_file.hpp"

namespace somnus::test {

class Folder {
 public:
  Folder() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            fmt::format("somnus-{}-{}-{}", test->test_suite_name(), test->name(), ::getpid());
    std::filesystem::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  [[nodiscard]] std::filesystem::path operator/(std::string_view name) const {
    return path_ / name;
  }
  [[nodiscard]] std::filesystem::path file(std::string_view name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

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
