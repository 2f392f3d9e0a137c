// What ranks say to each other, one packet behind the other, as bytes that a fuzzer can change and
// still say something:
//
//   step     1 byte: bits 0 and 1 what it is, bit 2 who says it (rank 1 or 2)
//   pause    8 bytes, ns until the next step
//   records  1 byte the kind, 1 byte how many, then as many bytes as that takes
//   raw      1 byte how many, then the packet as it is: torn, of no kind, a text
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "fuzz/target.hpp"
#include "transport/packets.hpp"

namespace somnus::fuzz {

struct Step {
  Duration pause{};  // before the packet; there is none then
  int from = 1;
  Bytes packet;
};

/// Of one record of that kind; 0: of a text, or no kind.
[[nodiscard]] inline std::size_t record_bytes(std::size_t kind) {
  std::size_t bytes = 0;
  Packets::visit_at(kind, [&]<class T>(std::type_identity<T>) {
    if constexpr (Record<T>) bytes = sizeof(T);
  });
  return bytes;
}

class Script {
 public:
  explicit Script(std::string_view bytes) : left_(bytes) {}

  [[nodiscard]] bool over() const { return left_.empty(); }

  [[nodiscard]] Step next() {
    const unsigned head = number<std::uint8_t>();
    Step step{.from = 1 + static_cast<int>((head >> 2) & 1)};
    switch (head & 3) {
      case 0:
        step.pause = Duration(number<std::uint64_t>() % longest_pause);
        break;
      case 1:
        take(number<std::uint8_t>(), step.packet);
        break;
      default:
        const std::size_t kind = number<std::uint8_t>() % Packets::size;
        const std::size_t count = number<std::uint8_t>();
        step.packet.resize(sizeof(std::uint64_t));
        step.packet.front() = static_cast<std::byte>(kind);
        take(count * record_bytes(kind), step.packet);
    }
    return step;
  }

 private:
  static constexpr std::uint64_t longest_pause = 3'600'000'000'000;

  template <class T>
  T number() {
    return take_number<T>(left_);
  }
  void take(std::size_t size, Bytes& into) {
    const auto* const first = reinterpret_cast<const std::byte*>(left_.data());
    size = std::min(size, left_.size());
    into.insert(into.end(), first, first + size);
    left_.remove_prefix(size);
  }

  std::string_view left_;
};

/// Writes down what a Script reads.
class ScriptWriter {
 public:
  void pause(Duration time) {
    text_ += '\0';
    add(time.count());
  }
  /// A packet of records, or a short text.
  void say(int from, const Bytes& packet) {
    const auto kind = static_cast<std::size_t>(packet.front());
    const char sender = static_cast<char>((from - 1) << 2);
    const std::size_t record = record_bytes(kind);
    const std::size_t contents = packet.size() - sizeof(std::uint64_t);
    if (record == 0) {
      text_ += static_cast<char>(sender | 1);
      text_ += static_cast<char>(packet.size());
      return add(packet, 0, packet.size());
    }
    constexpr std::size_t most_records = 255;
    for (std::size_t at = 0; at < contents; at += most_records * record) {
      const std::size_t bytes = std::min(contents - at, most_records * record);
      text_ += static_cast<char>(sender | 2);
      text_ += static_cast<char>(kind);
      text_ += static_cast<char>(bytes / record);
      add(packet, sizeof(std::uint64_t) + at, bytes);
    }
  }
  void append(const ScriptWriter& other) { text_ += other.text_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void add(std::int64_t number) {
    text_.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  void add(const Bytes& bytes, std::size_t first, std::size_t count) {
    text_.append(reinterpret_cast<const char*>(bytes.data()) + first, count);
  }

  std::string text_;
};

}  // namespace somnus::fuzz
