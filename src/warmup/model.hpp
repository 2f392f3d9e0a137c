// A warm-up model: a described struct of its parameters that gives a task's time by what its slot
// ran before. README.md lists them and says how to add one.
#pragma once

#include <concepts>
#include <cstdint>

#include "base/describe.hpp"
#include "base/time.hpp"
#include "model/task_times.hpp"

namespace somnus {

/// How much of a slot's past makes a difference to its next task.
enum class LooksAt : std::uint8_t { nothing, last_app, last_stage, counts };

/// What a task finds on a slot.
struct Found {
  bool app = false;       // the slot's last task was of the same app
  bool stage = false;     // and of the same stage
  std::uint32_t ran = 0;  // tasks of the app that the slot has started, by a model that counts
};

/// What a task takes there on a normal node: base x factor + start.
struct Taken {
  Duration base{};
  double factor = 1;
  Duration start{};   // of a JVM
  bool warm = false;  // nothing is left to warm up
};

template <class M>
concept WarmupModel =
    Described<M> && requires(const M& model, const TaskTimes& times, const Found& found) {
      { M::looks_at } -> std::convertible_to<LooksAt>;
      { M::warm_when } -> std::convertible_to<const char*>;  // "a slot is warm exactly when ..."
      { model(times, found) } -> std::same_as<Taken>;
    };

/// The key that more than one model has.
template <class M>
[[nodiscard]] constexpr auto cold_factor(double M::* member) {
  return field("factor", member, "1",
               "a cold task takes that many times as long, where the job says nothing",
               at_least_one);
}

}  // namespace somnus
