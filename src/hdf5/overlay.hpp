// A file with changes over it: written pages stay in memory, and the file below is only read. So
// all changes are known before the first of them is made.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>

namespace somnus::hdf5 {

class Overlay {
 public:
  static constexpr std::size_t page_bytes = 4096;
  using Page = std::array<std::byte, page_bytes>;

  /// Throws Failure if the file can't be opened.
  explicit Overlay(const std::filesystem::path& path);
  ~Overlay();
  Overlay(const Overlay&) = delete;
  Overlay& operator=(const Overlay&) = delete;

  /// Zeros behind the end. False if the file can't be read.
  [[nodiscard]] bool read(std::uint64_t at, std::span<std::byte> out) const;
  /// Keeps only what differs.
  [[nodiscard]] bool write(std::uint64_t at, std::span<const std::byte> in);

  /// As written so far, or set.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  void set_size(std::uint64_t bytes) { size_ = bytes; }
  /// A page of the file below, zeros behind its end; none if it can't be read.
  [[nodiscard]] std::optional<Page> below(std::uint64_t page) const;
  /// By place in the file, multiples of page_bytes.
  [[nodiscard]] const std::map<std::uint64_t, Page>& changed() const { return changed_; }

 private:
  [[nodiscard]] bool read_below(std::uint64_t at, std::span<std::byte> out) const;

  int file_;
  std::uint64_t size_;
  std::map<std::uint64_t, Page> changed_;
};

}  // namespace somnus::hdf5
