// Identities that do not mix.
//
// A JobId is not a TaskId, although both are small integers that index flat arrays. All ids of one
// kind are dense: they count from 0 in the order in which the things were declared.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace somnus {

template <class Tag>
class Id {
 public:
  using Value = std::uint32_t;

  constexpr Id() = default;  // the invalid id
  explicit constexpr Id(Value value) : value_(value) {}
  explicit constexpr Id(std::size_t index) : value_(static_cast<Value>(index)) {}

  [[nodiscard]] constexpr Value value() const { return value_; }
  [[nodiscard]] constexpr std::size_t index() const { return value_; }
  [[nodiscard]] constexpr bool valid() const { return value_ != std::numeric_limits<Value>::max(); }

  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  Value value_ = std::numeric_limits<Value>::max();
};

template <class T>
inline constexpr bool is_id = false;
template <class Tag>
inline constexpr bool is_id<Id<Tag>> = true;

using JobId = Id<struct JobTag>;      // dense, in order of (submit, place in the workload file)
using StageId = Id<struct StageTag>;  // dense over the whole workload, a job's stages adjacent
using TaskId = Id<struct TaskTag>;    // dense over the whole workload, a stage's tasks adjacent
using UserId = Id<struct UserTag>;
using QueueId = Id<struct QueueTag>;  // a named queue of the resource manager (capacity sharing)
using AccountId = Id<struct AccountTag>;  // that the job's slot-time is counted for
using QosId = Id<struct QosTag>;          // quality of service, as Slurm has it
using AppId = Id<struct AppTag>;          // what keeps a JVM warm
using NodeId = Id<struct NodeTag>;
using GroupId = Id<struct GroupTag>;    // nodes of one kind
using DemandId = Id<struct DemandTag>;  // what a task asks of its node; equal demands are one

}  // namespace somnus

template <class Tag>
struct std::hash<somnus::Id<Tag>> {
  std::size_t operator()(somnus::Id<Tag> id) const noexcept {
    return std::hash<std::uint32_t>{}(id.value());
  }
};
