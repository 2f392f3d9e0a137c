// Jobs drawn from a library of DAGs, any workload file: how Carbyne's experiments are made from the
// queries of a benchmark (section 5.1).
//
// Each job is one of the library's, with its stages, user, queue, weight and what else it has, but
// submitted as arrivals.hpp says and after no other. Jobs are named "0", "1", ... in order of
// submit; `app` says which job of the library it was (or that one's own app), so jobs of one DAG
// are runs of one program. Users without a job drop out.
//
// `only` keeps those of the library whose names are like one of its patterns, as a shell has them:
// * stands for any characters. `with` are numbers among the parameters of the library's format; a
// format that draws, which has a `seed`, draws with the workload's where `with` says none.
#include <fnmatch.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_set>

#include "base/given_parameters.hpp"
#include "base/suggest.hpp"
#include "formats/formats.hpp"
#include "generators/arrivals.hpp"
#include "generators/generators.hpp"
#include "generators/submissions.hpp"

namespace somnus {

enum class LibraryDraw { uniform, round_robin };
template <>
struct EnumNames<LibraryDraw> {
  static constexpr std::pair<LibraryDraw, const char*> names[] = {
      {LibraryDraw::uniform, "uniform"}, {LibraryDraw::round_robin, "round-robin"}};
};

}  // namespace somnus

namespace somnus::generate_dag_library {
namespace {

struct DagLibrary : DagArrivals {
  std::string library;
  LibraryDraw draw = LibraryDraw::uniform;
  std::vector<std::string> only;
  std::map<std::string, double> of_format;

  static constexpr auto fields() {
    using P = DagLibrary;
    return together(
        in_order(field("library", &P::library, "",
                       "a workload file in any known format, relative to the config's folder")),
        DagArrivals::fields(),
        in_order(field("draw", &P::draw, "",
                       "uniform: each job any of the library's; round-robin: one after another"),
                 field("only", &P::only, "",
                       "names of its jobs to draw from, where * stands for anything, such as "
                       "[\"q*-50g\"]; empty: all"),
                 field("with", &P::of_format, "",
                       "numbers among the parameters of its format, such as { executors = 20 }")));
  }
};

double tasks_in(const WorkloadSpec& workload) {
  double tasks = 0;
  for (const JobSpec& job : workload.jobs) {
    for (const StageSpec& stage : job.stages) tasks += static_cast<double>(stage.durations.size());
  }
  return tasks;
}

bool is_like(const std::string& name, const std::string& pattern) {
  return fnmatch(pattern.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
}

Checked<WorkloadSpec> read_library(const DagLibrary& with, std::uint64_t seed,
                                   const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / with.library;
  return read_text(path, [&](const TextFile& file) -> Checked<WorkloadSpec> {
    const auto detected = format_of(file, path);
    if (!detected) return tl::unexpected(detected.error());
    const Format& format = **detected;
    Parameters given;
    for (const auto& [name, number] : with.of_format) given[name] = number;
    const std::vector<std::string> names = format.parameters.names();
    const bool draws = std::ranges::find(names, "seed") != names.end();
    if (draws && !given.contains("seed")) given["seed"] = seed;
    return check_parameters(format.parameters, given, fmt::format("format {}", format.name), {})
        .and_then([&](const Parameters& checked) { return format.parse(file, checked); });
  });
}

/// Those that are like one of the patterns; each pattern has to name some.
Checked<std::vector<JobSpec>> chosen(const std::vector<JobSpec>& jobs,
                                     const std::vector<std::string>& only) {
  if (only.empty()) return jobs;
  for (const std::string& pattern : only) {
    if (std::ranges::any_of(jobs, [&](const JobSpec& job) { return is_like(job.job, pattern); })) {
      continue;
    }
    std::vector<std::string> names;
    for (const JobSpec& job : jobs) names.push_back(job.job);
    return mistake(
        {.key = "only",
         .what = fmt::format("expected names of the library's jobs, found '{}'", pattern),
         .hint = suggest(pattern, names)});
  }
  std::vector<JobSpec> like;
  std::ranges::copy_if(jobs, std::back_inserter(like), [&](const JobSpec& job) {
    return std::ranges::any_of(
        only, [&](const std::string& pattern) { return is_like(job.job, pattern); });
  });
  return like;
}

Checked<WorkloadSpec> make(const DagLibrary& with, std::uint64_t seed,
                           const std::filesystem::path& folder) {
  if (with.library.empty()) return refuse("library", "expected a workload file, found \"\"");
  auto library = read_library(with, seed, folder);
  if (!library) return library;
  auto kept = chosen(library->jobs, with.only);
  if (!kept) return tl::unexpected(std::move(kept.error()));
  library->jobs = std::move(*kept);
  const std::size_t dags = library->jobs.size();
  const double tasks_per_job = tasks_in(*library) / static_cast<double>(dags);
  if (auto what = too_many_tasks(with.jobs * tasks_per_job)) {
    return refuse("jobs", std::move(*what));
  }
  const auto submits = submit_times(with, {seed, "dag-library times"});
  RandomStream draws(seed, "dag-library draws");
  WorkloadSpec workload{.name = "dag-library of " + library->name,
                        .resources = library->resources,
                        .rigid = library->rigid};
  std::unordered_set<std::string> users;
  for (std::size_t index = 0; index < submits.size(); ++index) {
    const std::size_t drawn =
        with.draw == LibraryDraw::round_robin
            ? index % dags
            : static_cast<std::size_t>(draws.integer(0, static_cast<std::int64_t>(dags) - 1));
    JobSpec job = library->jobs[drawn];
    if (job.app.empty()) job.app = job.job;
    job.job = std::to_string(index);
    job.submit = submits[index];
    job.after.clear();
    job.think = 0;
    users.insert(job.user);
    workload.jobs.push_back(std::move(job));
  }
  for (const UserSpec& user : library->users) {
    if (users.contains(user.user)) workload.users.push_back(user);
  }
  return workload;
}

const Registered<Generator> row = generator<DagLibrary>(
    "dag-library", "jobs drawn from another workload file, say of DAGs", "Carbyne, 5.1", make);

}  // namespace
}  // namespace somnus::generate_dag_library
