// Folders that appear whole or not at all.
#pragma once

#include <filesystem>

namespace somnus {

/// A folder of files that is filled beside its place and takes it at commit(), also that of a
/// folder that is there; where links lead there, at their end. Without commit() nothing is left.
/// Throws WorldError. Whether it may take that place is for its user to know.
class OutputFolder {
 public:
  explicit OutputFolder(std::filesystem::path path);
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder();

  /// Where its files are to be written.
  [[nodiscard]] std::filesystem::path fresh() const { return beside_ / "new"; }
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path place_;
  std::filesystem::path beside_;  // under an unused name
};

/// A folder for this process alone, by a name that nobody had, which goes with its owner.
class ScratchFolder {
 public:
  /// In `parent`, which is there. Throws WorldError.
  explicit ScratchFolder(const std::filesystem::path& parent);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] std::filesystem::path file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace somnus
