// One wide job among many small ones: does it starve? (CFQ, Fig. 9, on 10 nodes of 2 slots.)
//
// The elephant has 20 tasks of 2 s. A mouse has an even draw of 8 to 12 tasks of U[0.8, 1.2] s.
// Mice arrive uniformly over span_s. The paper says neither how many mice there were nor when the
// elephant came; 10, 20, 30, 40 and 50 mice over 20 s load 20 slots by 0.25 to 1.25. The elephant
// comes at 1 s by default, among the first mice: at 0 s it would find all slots free and no
// scheduler could delay it.
#include <algorithm>

#include "base/random.hpp"
#include "workload/generators.hpp"
#include "workload/rounding.hpp"

namespace somnus {
namespace {

Checked<WorkloadSpec> make(const NumberValues& values, std::uint64_t seed) {
  WorkloadSpec workload{.name = "elephant-and-mice"};
  StageSpec elephant;
  elephant.durations.assign(20, 2.0);
  workload.jobs.push_back(
      {.job = "elephant", .submit = values.at("elephant_at_s"), .stages = {std::move(elephant)}});

  RandomStream arrival_stream(seed, "mice arrivals");
  RandomStream width_stream(seed, "mice widths");
  RandomStream task_stream(seed, "mice tasks");
  const auto mice = static_cast<std::size_t>(values.at("mice"));
  for (std::size_t index = 0; index < mice; ++index) {
    const double submit = to_milliseconds(arrival_stream.uniform(0, values.at("span_s")));
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

}  // namespace

Generator elephant_and_mice_generator() {
  const Range time = {.low = 0, .high = longest_exact_seconds};
  return {.name = "elephant-and-mice",
          .summary = "one job of 20 tasks of 2 s among mice of 8 to 12 tasks of about 1 s",
          .source = "CFQ, Fig. 9",
          .parameters = {{.name = "mice",
                          .unit = "1",
                          .meaning = "how many",
                          .default_text = "30",
                          .range = {.low = 0, .high = 1e6},
                          .is_integer = true},
                         {.name = "span_s",
                          .unit = "s",
                          .meaning = "mice arrive uniformly over that time",
                          .default_text = "20",
                          .range = time},
                         {.name = "elephant_at_s",
                          .unit = "s",
                          .meaning = "the elephant's submit",
                          .default_text = "1",
                          .range = time}},
          .make = make};
}

}  // namespace somnus
