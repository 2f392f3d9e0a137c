// Text in memory, read as a format of the registry.
#pragma once

#include <algorithm>

#include "base/given_parameters.hpp"
#include "base/registered.hpp"
#include "formats/exports.hpp"
#include "formats/formats.hpp"
#include "generators/generated.hpp"

namespace somnus::test {

/// The least file of a format, on which all formats are held to what they have in common. Each
/// format's own test registers one.
struct FormatSample {
  std::string name;
  std::string text;
  Parameters parameters{};  // that it can't do without

  [[nodiscard]] const std::string& key() const { return name; }
};

inline const Format& format_called(std::string_view name) {
  return *std::ranges::find(formats(), name, &Format::name);
}

inline Checked<WorkloadSpec> parsed(std::string_view format, const TextFile& file,
                                    const Parameters& given = {}) {
  const Format& row = format_called(format);
  return check_parameters(row.parameters, given, "format", {})
      .and_then([&](const Parameters& checked) { return row.parse(file, checked); });
}

inline bool looks_like(std::string_view format, std::string_view text) {
  return format_called(format).looks_like(text);
}

/// What a script over the file counts, too.
struct Totals {
  std::size_t stages = 0;
  std::size_t edges = 0;
  std::size_t tasks = 0;
  double slot_s = 0;
};

inline Totals totals_of(const WorkloadSpec& workload) {
  Totals all;
  for (const JobSpec& job : workload.jobs) {
    all.stages += job.stages.size();
    all.slot_s += slot_time(job);
    for (const StageSpec& stage : job.stages) {
      all.edges += stage.parents.size();
      all.tasks += stage.durations.size();
    }
  }
  return all;
}

}  // namespace somnus::test
