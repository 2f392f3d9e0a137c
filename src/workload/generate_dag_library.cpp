// Jobs drawn from a library of DAGs, any workload file: how Carbyne's experiments are made from the
// queries of a benchmark (section 5.1).
//
// Each job is one of the library's, with its stages, user, queue, weight and what else it has, but
// submitted as arrivals.hpp says and after no other. Jobs are named "0", "1", ... in order of
// submit; `app` says which job of the library it was (or that one's own app), so jobs of one DAG
// are runs of one program. Users without a job drop out.
#include <unordered_set>

#include "workload/arrivals.hpp"
#include "workload/formats.hpp"
#include "workload/generators.hpp"
#include "workload/submissions.hpp"

namespace somnus {

enum class LibraryDraw { uniform, round_robin };
template <>
struct EnumNames<LibraryDraw> {
  static constexpr std::pair<LibraryDraw, const char*> names[] = {
      {LibraryDraw::uniform, "uniform"}, {LibraryDraw::round_robin, "round-robin"}};
};

namespace {

struct DagLibrary : DagArrivals {
  std::string library;
  LibraryDraw draw = LibraryDraw::uniform;

  static constexpr auto fields() {
    using P = DagLibrary;
    return std::tuple_cat(
        std::tuple{field("library", &P::library, "",
                         "a workload file in any known format, relative to the config's folder")},
        DagArrivals::fields(),
        std::tuple{
            field("draw", &P::draw, "",
                  "uniform: each job any of the library's; round-robin: one after another")});
  }
};

double tasks_in(const WorkloadSpec& workload) {
  double tasks = 0;
  for (const JobSpec& job : workload.jobs) {
    for (const StageSpec& stage : job.stages) tasks += static_cast<double>(stage.durations.size());
  }
  return tasks;
}

Checked<WorkloadSpec> make(const DagLibrary& with, std::uint64_t seed,
                           const std::filesystem::path& folder) {
  if (with.library.empty()) return refuse("library", "expected a workload file, found \"\"");
  auto library = read_workload(folder / with.library);
  if (!library) return library;
  const std::size_t dags = library->jobs.size();
  const double tasks_per_job = tasks_in(*library) / static_cast<double>(dags);
  if (auto what = too_many_tasks(with.jobs * tasks_per_job)) {
    return refuse("jobs", std::move(*what));
  }
  const auto submits = submit_times(with, {seed, "dag-library times"});
  RandomStream draws(seed, "dag-library draws");
  WorkloadSpec workload{.name = "dag-library of " + library->name, .resources = library->resources};
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

}  // namespace

Generator dag_library_generator() {
  return generator<DagLibrary>("dag-library", "jobs drawn from another workload file, say of DAGs",
                               "Carbyne, 5.1", make);
}

}  // namespace somnus
