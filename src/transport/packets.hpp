// The packets between ranks, in one list: a packet is the index of its type in that list and an
// array of trivially copyable records, or a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/error.hpp"
#include "base/lateness.hpp"
#include "model/message.hpp"
#include "transport/wire.hpp"

namespace somnus {

/// A worker's first packet. A packet with a text has nothing but its letters.
struct HostName {
  std::string_view text;
};
/// Rank 0's first packet, once all workers are there.
struct SilenceRules {
  std::int64_t silence_ns = 0;   // how long rank 0 may be silent
  std::uint32_t ranks_here = 1;  // on the worker's host
  std::uint32_t waits = 0;       // 1: the worker waits for a silent rank 0 all the same
};
/// The settings.
struct Hello {
  std::string_view text;
};
/// Its nodes are built.
struct WorkerReady {
  std::uint32_t nodes = 0;
  std::uint32_t slots = 0;
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
  std::uint32_t jobs = 0;  // of the workload: there are ids up to these
  std::uint32_t tasks = 0;
  Time from;  // where the clock goes on, of a run that is resumed; else its start
};
/// A worker's last figures; its LatenessCount, if it had anything to do, came before.
struct WorkerTotals {
  double sleep_error_p50 = 0;  // real seconds
  double sleep_error_p99 = 0;
  double late_p50 = 0;  // with all that was due, emulated seconds
  double late_p99 = 0;
  double late_max = 0;
  double cpu = 0;         // share of a core
  double silent_max = 0;  // of rank 0, real seconds
  std::uint64_t messages_in = 0;
  std::uint64_t messages_out = 0;
};
/// A run of an experiment for the worker to carry out by itself, and what it came to.
struct WorkItem {
  std::string_view text;
};
struct WorkItemDone {
  std::string_view text;
};
/// Send your totals and end.
struct Stop {};
/// Go home; the last word to a worker.
struct Leave {};
/// Why the worker gives up.
struct Failure {
  std::string_view text;
};

using FromRank0 = Joined<TypeList<SilenceRules, Hello, Ping, Start, JobUpdate>, CommandMessages,
                         TypeList<WorkItem, Stop, Leave>>;
using FromWorkers = Joined<TypeList<HostName, WorkerReady, Pong>, NodeMessages,
                           TypeList<LatenessCount, WorkerTotals, WorkItemDone, Failure>>;
using Packets = Joined<FromRank0, FromWorkers>;

template <class T>
concept Text = Packets::has<T> && requires(T packet) { packet.text = std::string_view(); };
template <class T>
concept Record = Packets::has<T> && Message<T> && !Text<T>;

/// What a packet of it begins with.
template <class T>
inline constexpr auto packet_kind = static_cast<std::byte>(Packets::place<T>);

[[nodiscard]] inline std::byte kind_of(const Bytes& bytes) {
  SOMNUS_CHECK(bytes.size() >= sizeof(std::uint64_t), "a packet of {} bytes", bytes.size());
  return bytes.front();
}

namespace detail {
// The kind takes eight bytes, so that records behind it are aligned.
inline Bytes packet(std::byte kind, const void* data, std::size_t size) {
  Bytes bytes;
  bytes.reserve(sizeof(std::uint64_t) + size);
  bytes.resize(sizeof(std::uint64_t));
  bytes.front() = kind;
  const auto* const first = static_cast<const std::byte*>(data);
  if (size > 0) bytes.insert(bytes.end(), first, first + size);
  return bytes;
}
}  // namespace detail

template <Record T>
[[nodiscard]] Bytes packet(std::span<const T> records) {
  return detail::packet(packet_kind<T>, records.data(), records.size_bytes());
}
template <Record T>
[[nodiscard]] Bytes packet(const T& record) {
  return packet(std::span<const T>(&record, 1));
}
template <Text T>
[[nodiscard]] Bytes packet(const T& text) {
  return detail::packet(packet_kind<T>, text.text.data(), text.text.size());
}

/// What is behind the kind, as long as the bytes live: a span of records, or a T with its text. The
/// packet must be one of T's.
template <class T>
[[nodiscard]] auto contents(const Bytes& bytes) {
  SOMNUS_CHECK(kind_of(bytes) == packet_kind<T>, "a packet of kind {} is read as one of kind {}",
               static_cast<int>(kind_of(bytes)), static_cast<int>(packet_kind<T>));
  const std::byte* const first = bytes.data() + sizeof(std::uint64_t);
  const std::size_t size = bytes.size() - sizeof(std::uint64_t);
  if constexpr (Text<T>) {
    return T{{reinterpret_cast<const char*>(first), size}};
  } else {
    static_assert(Record<T> && alignof(T) <= sizeof(std::uint64_t));
    SOMNUS_CHECK(size % sizeof(T) == 0, "a packet of {} bytes does not hold records of {}", size,
                 sizeof(T));
    return std::span<const T>(reinterpret_cast<const T*>(first), size / sizeof(T));
  }
}

/// Why nobody can read it, as "a packet of 3 bytes"; empty if it can be read.
[[nodiscard]] inline std::string error_in(const Bytes& bytes) {
  if (bytes.size() < sizeof(std::uint64_t))
    return fmt::format("a packet of {} bytes", bytes.size());
  const auto kind = static_cast<std::size_t>(bytes.front());
  const std::size_t size = bytes.size() - sizeof(std::uint64_t);
  std::string error;
  const bool known = Packets::visit_at(kind, [&]<class T>(std::type_identity<T>) {
    if constexpr (Record<T>) {
      if (size > 0 && size % sizeof(T) == 0) return;
      error = fmt::format("{} bytes as records of {}", size, sizeof(T));
    }
  });
  return known ? error : fmt::format("a packet of kind {}, of {} kinds", kind, Packets::size);
}

/// Calls visit(contents) by the packet's kind. There must be no error_in() it.
template <class Visit>
void visit_packet(const Bytes& bytes, Visit&& visit) {
  const auto kind = static_cast<std::size_t>(kind_of(bytes));
  const bool known =
      Packets::visit_at(kind, [&]<class T>(std::type_identity<T>) { visit(contents<T>(bytes)); });
  SOMNUS_CHECK(known, "a packet of kind {}, but there are {} kinds", kind, Packets::size);
}

}  // namespace somnus
