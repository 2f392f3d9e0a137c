// Parquet's hybrid of runs and packed bits, in which levels and places in dictionaries are written.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "parquet/bytes.hpp"

namespace somnus::parquet {

/// Numbers of a few bits, packed from the lowest bit of each byte on.
class PackedBits {
 public:
  PackedBits(std::string_view bytes, unsigned width) : bytes_(bytes), width_(width) {}

  /// Throws FormatError behind the last.
  std::uint32_t next() {
    require((at_ + width_ + 7) / 8 <= bytes_.size(), "expected more packed numbers, found the end");
    std::uint32_t value = 0;
    for (unsigned bit = 0; bit < width_; ++bit, ++at_) {
      const auto byte = static_cast<unsigned char>(bytes_[at_ / 8]);
      value |= static_cast<std::uint32_t>(byte >> (at_ % 8) & 1U) << bit;
    }
    return value;
  }

 private:
  std::string_view bytes_;
  unsigned width_;
  std::size_t at_ = 0;  // in bits
};

/// A run is a head, and either one number that stands there so many times, or packed bits of eight
/// numbers, so many times.
class Runs {
 public:
  static constexpr unsigned most_bits = 32;

  /// Numbers of so many bits, of which 0 and 32 may be. Throws FormatError beyond that.
  Runs(std::string_view bytes, unsigned width) : bytes_(bytes), width_(width), packed_("", width) {
    require(width <= most_bits, "expected numbers of at most {} bits, found {}", most_bits, width);
  }

  /// Throws FormatError behind the last.
  std::uint32_t next() {
    while (left_ == 0) begin_run();
    --left_;
    return is_packed_ ? packed_.next() : repeated_;
  }

 private:
  void begin_run() {
    const std::uint64_t head = bytes_.varint();
    constexpr std::uint64_t most_head = std::uint64_t{1} << 32;
    require(head < most_head, "expected a run of at most 2^31 numbers, found a longer one");
    is_packed_ = (head & 1) != 0;
    left_ = (head >> 1) * (is_packed_ ? 8 : 1);
    if (is_packed_) {  // of the last run some writers leave out what nobody needs
      const std::uint64_t wanted = (head >> 1) * width_;
      packed_ = PackedBits(bytes_.take(std::min<std::uint64_t>(wanted, bytes_.size())), width_);
      return;
    }
    repeated_ = 0;
    for (unsigned bit = 0; bit < width_; bit += 8) {
      repeated_ |= std::uint32_t{bytes_.number<std::uint8_t>()} << bit;
    }
  }

  Bytes bytes_;
  unsigned width_;
  std::uint64_t left_ = 0;  // of the run
  bool is_packed_ = false;
  std::uint32_t repeated_ = 0;
  PackedBits packed_;
};

}  // namespace somnus::parquet
