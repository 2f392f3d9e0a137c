// One wide job among many small ones: does it starve? (CFQ, Fig. 9, on 10 nodes of 2 slots.)
//
// The elephant has 20 tasks of 2 s. A mouse has an even draw of 8 to 12 tasks of U[0.8, 1.2] s.
// Mice arrive uniformly over span_s. The paper says neither how many mice there were nor when the
// elephant came; 10, 20, 30, 40 and 50 mice over 20 s load 20 slots by 0.25 to 1.25. The elephant
// comes at 1 s by default, among the first mice: at 0 s it would find all slots free and no
// scheduler could delay it.
#include <algorithm>

#include "base/random.hpp"
#include "generators/generators.hpp"
#include "workload/rounding.hpp"

namespace somnus::generate_elephant_and_mice {
namespace {

struct ElephantAndMice {
  std::uint32_t mice = 30;
  double span_s = 20;
  double elephant_at_s = 1;

  static constexpr auto fields() {
    using P = ElephantAndMice;
    return in_order(
        field("mice", &P::mice, "1", "how many", Range{.low = 0, .high = 1e6}),
        field("span_s", &P::span_s, "s", "mice arrive uniformly over that time", not_negative),
        field("elephant_at_s", &P::elephant_at_s, "s", "the elephant's submit", not_negative));
  }
};

Checked<WorkloadSpec> make(const ElephantAndMice& with, std::uint64_t seed) {
  WorkloadSpec workload{.name = "elephant-and-mice"};
  StageSpec elephant;
  elephant.durations.assign(20, 2.0);
  workload.jobs.push_back(
      {.job = "elephant", .submit = with.elephant_at_s, .stages = {std::move(elephant)}});

  RandomStream arrival_stream(seed, "mice arrivals");
  RandomStream width_stream(seed, "mice widths");
  RandomStream task_stream(seed, "mice tasks");
  for (std::uint32_t index = 0; index < with.mice; ++index) {
    const double submit = to_milliseconds(arrival_stream.uniform(0, with.span_s));
    const auto width = static_cast<std::size_t>(width_stream.integer(8, 12));
    StageSpec mouse;
    for (std::size_t task = 0; task < width; ++task) {
      const double duration = task_stream.uniform(0.8, 1.2);
      mouse.durations.push_back(to_milliseconds_of_work(duration));
    }
    workload.jobs.push_back(
        {.job = fmt::format("mouse{}", index), .submit = submit, .stages = {std::move(mouse)}});
  }
  std::ranges::stable_sort(workload.jobs, {}, &JobSpec::submit);
  return workload;
}

const Registered<Generator> row = generator<ElephantAndMice>(
    "elephant-and-mice", "one job of 20 tasks of 2 s among mice of 8 to 12 tasks of about 1 s",
    "CFQ, Fig. 9", make);

}  // namespace
}  // namespace somnus::generate_elephant_and_mice
