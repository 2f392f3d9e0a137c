// Files and folders that appear whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace somnus {

/// A file that is written piece by piece, under another name until commit(). Throws WorldError.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  void write(std::string_view text);
  void commit();

 private:
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  std::filesystem::path fresh_;
  std::ofstream out_;
  bool committed_ = false;
};

/// A folder of files, the same way.
class OutputFolder {
 public:
  explicit OutputFolder(std::filesystem::path path);
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder();

  /// Where its files are to be written.
  [[nodiscard]] std::filesystem::path fresh() const { return beside_ / "new"; }
  /// In the place of a folder that is there.
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path beside_;  // by a name that nobody had
};

}  // namespace somnus
