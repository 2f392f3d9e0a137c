// What ranks say to each other: packets of one kind, a kind byte and a run of trivially copyable
// records (or a text). A Wire carries them: MPI between processes, Mailboxes between threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.hpp"

namespace somnus {

using Bytes = std::vector<std::byte>;

class Wire {
 public:
  virtual ~Wire() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  /// Never blocks for long; the bytes are the wire's from now on.
  virtual void send(int to, Bytes bytes) = 0;
  /// The next packet that has come, in order per sender; false if none has.
  virtual bool receive(int& from, Bytes& bytes) = 0;
};

enum class PacketKind : std::uint8_t {
  hello,     // rank 0 to worker: the settings, as text
  ready,     // worker to rank 0: WorkerReady
  ping,      // rank 0 to worker: Ping
  pong,      // worker to rank 0: Pong
  start,     // rank 0 to worker: Start
  news,      // rank 0 to worker: JobNews...
  launches,  // rank 0 to worker: LaunchMessage...
  asks,      // rank 0 to worker: AskMessage...
  revokes,   // rank 0 to worker: RevokeMessage...
  ends,      // worker to rank 0: CompletionMessage...
  offers,    // worker to rank 0: OfferMessage...
  answers,   // worker to rank 0: AnswerMessage...
  stop,      // rank 0 to worker: nothing
  farewell,  // worker to rank 0: Farewell
  failure,   // worker to rank 0: why, as text
};

struct WorkerReady {
  std::uint32_t nodes = 0;
  std::uint32_t slots = 0;
  std::uint64_t host = 0;  // a hash of its name
};
struct Ping {
  std::int64_t sent_ns = 0;  // rank 0's steady clock
};
struct Pong {
  std::int64_t sent_ns = 0;    // as in the ping
  std::int64_t worker_ns = 0;  // the worker's steady clock
};
struct Start {
  std::int64_t start_ns = 0;  // of the run, by the worker's steady clock
  double speed = 1;
};
struct Farewell {
  double sleep_error_p50 = 0;  // real seconds
  double sleep_error_p99 = 0;
  double late_p50 = 0;  // with all that was due, emulated seconds
  double late_p99 = 0;
  double late_max = 0;
  double cpu = 0;  // share of a core
  std::uint64_t messages_in = 0;
  std::uint64_t messages_out = 0;
};

[[nodiscard]] inline PacketKind kind_of(const Bytes& bytes) {
  SOMNUS_CHECK(bytes.size() >= sizeof(std::uint64_t), "a packet of {} bytes", bytes.size());
  return static_cast<PacketKind>(bytes.front());
}

namespace detail {
// The kind takes eight bytes, so that records behind it are aligned.
inline Bytes packet(PacketKind kind, const void* data, std::size_t size) {
  Bytes bytes(sizeof(std::uint64_t) + size);
  bytes.front() = static_cast<std::byte>(kind);
  if (size > 0) std::memcpy(bytes.data() + sizeof(std::uint64_t), data, size);
  return bytes;
}
}  // namespace detail

template <class Record>
[[nodiscard]] Bytes packet(PacketKind kind, std::span<const Record> records) {
  static_assert(std::is_class_v<Record> && std::is_trivially_copyable_v<Record>);
  return detail::packet(kind, records.data(), records.size_bytes());
}
template <class Record>
[[nodiscard]] Bytes packet(PacketKind kind, const Record& record) {
  return packet(kind, std::span<const Record>(&record, 1));
}
[[nodiscard]] inline Bytes packet(PacketKind kind) { return detail::packet(kind, nullptr, 0); }
// A name of its own: as an overload it would lose literals to the records.
[[nodiscard]] inline Bytes text_packet(PacketKind kind, std::string_view text) {
  return detail::packet(kind, text.data(), text.size());
}

/// The records behind the kind; the packet must have been made of such.
template <class Record>
[[nodiscard]] std::span<const Record> records_in(const Bytes& bytes) {
  static_assert(std::is_trivially_copyable_v<Record> && alignof(Record) <= sizeof(std::uint64_t));
  const std::size_t size = bytes.size() - sizeof(std::uint64_t);
  SOMNUS_CHECK(size % sizeof(Record) == 0, "a packet of {} bytes does not hold records of {}", size,
               sizeof(Record));
  const auto* first = reinterpret_cast<const Record*>(bytes.data() + sizeof(std::uint64_t));
  return {first, size / sizeof(Record)};
}
[[nodiscard]] inline std::string_view text_in(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()) + sizeof(std::uint64_t),
          bytes.size() - sizeof(std::uint64_t)};
}

}  // namespace somnus
