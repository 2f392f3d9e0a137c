#include "emulator/summary/summary_against.hpp"

#include <filesystem>
#include <map>
#include <unordered_set>
#include <utility>

#include "emulator/print/printable.hpp"
#include "emulator/summary/summary_users.hpp"

namespace somnus {
namespace {

constexpr double submit_tolerance_s = 1e-6;
constexpr const char* same_workload = "expected two runs of one workload";

/// Jobs that are wrong in the same way; the first is told.
struct Fault {
  std::size_t jobs = 0;
  std::string first;

  void add(const std::string& one) {
    if (jobs++ == 0) first = one;
  }
};

std::string shown(const std::string& name) { return "'" + printable(name) + "'"; }

Checked<std::vector<JobEnd>> ends_of(const Log& log, const std::string& path) {
  double first_submit = NAN;
  for (const JobRow& row : log.tables.jobs) first_submit = std::fmin(first_submit, row.submit);
  Fault twice;
  std::unordered_set<std::string> names;
  std::vector<JobEnd> jobs;
  jobs.reserve(log.tables.jobs.size());
  for (const JobRow& row : log.tables.jobs) {
    jobs.push_back({.job = name_in(log.tables.names.jobs, row.job),
                    .user = name_in(log.tables.names.users, row.user),
                    .submit = row.submit - first_submit,
                    .finish = row.finish - first_submit,
                    .response = row.finish - row.submit,
                    .tasks = row.tasks});
    if (!names.insert(jobs.back().job).second) twice.add(jobs.back().job);
  }
  if (twice.jobs == 0) return jobs;
  return mistake(
      {.place = {.file = path},
       .what = fmt::format("{} of {} jobs have the name of another, the first is {}; jobs "
                           "are compared by name",
                           twice.jobs, jobs.size(), shown(twice.first))});
}

struct Pair {
  const JobEnd* here;
  const JobEnd* there;
};

/// What makes two logs ones of different workloads.
struct Faults {
  Fault missing_there;
  Fault missing_here;
  Fault user;
  Fault submit;

  void look_at(const Pair& pair) {
    const auto& [here, there] = pair;
    if (here->user != there->user) {
      user.add(fmt::format("{}: {} here, {} there", shown(here->job), shown(here->user),
                           shown(there->user)));
    }
    if (std::abs(here->submit - there->submit) > submit_tolerance_s) {
      submit.add(fmt::format("{}: {:g} s after the first one here, {:g} s there", shown(here->job),
                             here->submit, there->submit));
    }
  }

  [[nodiscard]] Mistakes told(const std::string& path, const std::string& reference,
                              std::size_t jobs_here, std::size_t jobs_there) const {
    Mistakes mistakes;
    const auto tell = [&](const Fault& fault, std::size_t jobs, const char* what,
                          const char* hint) {
      if (fault.jobs == 0) return;
      mistakes.add({.place = {.file = path},
                    .what = fmt::format("{} of {} jobs {} the reference {}, the first is {}",
                                        fault.jobs, jobs, what, reference, fault.first),
                    .hint = hint});
    };
    tell(missing_there, jobs_here, "are not in", same_workload);
    tell(missing_here, jobs_there, "are missing that are in", same_workload);
    tell(user, jobs_here, "are of another user than in", same_workload);
    // Without the same jobs the first submit may be another.
    if (missing_there.jobs + missing_here.jobs > 0) return mistakes;
    tell(submit, jobs_here, "come at another time than in",
         "jobs that follow others come when those end, and can't be compared so");
    return mistakes;
  }
};

/// Sums of response times, here and in the reference.
struct UserSums {
  double here = 0;
  double there = 0;
  DeviationSum jobs;
};

class Comparing {
 public:
  Comparing(std::span<const std::string> users, Counting counting)
      : names_(users), counting_(counting) {}

  void add(const Pair& pair) {
    const auto& [here, there] = pair;
    const double deviation = (here->finish - there->finish) / there->response;
    if (!std::isfinite(deviation)) {
      ++left_out_;
      return;
    }
    if (here->tasks != there->tasks) ++cut_otherwise_;
    jobs_.add(deviation, times(here->user));
    UserSums& user = users_[here->user];
    user.here += here->response;
    user.there += there->response;
    user.jobs.add(deviation);
  }

  [[nodiscard]] Comparison result(std::string reference) const {
    Comparison done;
    DeviationSum users;
    for (const auto& [name, sums] : users_) {
      const double change = (sums.here - sums.there) / sums.there;
      users.add(change);
      done.users[name] = {.response_change = change, .jobs = sums.jobs.result()};
    }
    done.all = {.reference = std::move(reference),
                .counting = counting_,
                .left_out = left_out_,
                .cut_otherwise = cut_otherwise_,
                .jobs = jobs_.result(),
                .users = users.result()};
    return done;
  }

 private:
  double times(const std::string& user) {
    const auto [place, is_new] = times_.emplace(user, 1);
    if (is_new) place->second = multiplicity(counting_, user, names_);
    return place->second;
  }

  std::span<const std::string> names_;
  Counting counting_;
  double left_out_ = 0;
  double cut_otherwise_ = 0;
  DeviationSum jobs_;
  std::map<std::string, UserSums> users_;  // in order, so that sums do not depend on a hash
  std::unordered_map<std::string, double> times_;
};

}  // namespace

Reference::Reference(std::string path, std::vector<JobEnd> jobs)
    : path_(std::move(path)), jobs_(std::move(jobs)) {
  for (std::size_t at = 0; at < jobs_.size(); ++at) places_.emplace(jobs_[at].job, at);
}

Checked<Reference> Reference::of(const Log& log, std::string path) {
  Checked<std::vector<JobEnd>> jobs = ends_of(log, path);
  if (!jobs) return tl::unexpected(std::move(jobs.error()));
  return Reference(std::move(path), std::move(*jobs));
}

Checked<Comparison> Reference::compare(const Log& log, const std::string& path,
                                       Counting counting) const {
  const Checked<std::vector<JobEnd>> jobs = ends_of(log, path);
  if (!jobs) return tl::unexpected(jobs.error());
  Faults faults;
  Comparing comparing(log.tables.names.users, counting);
  std::unordered_set<std::string_view> met;
  for (const JobEnd& here : *jobs) {
    met.insert(here.job);
    const auto place = places_.find(here.job);
    if (place == places_.end()) {
      faults.missing_there.add(shown(here.job));
      continue;
    }
    const Pair pair{&here, &jobs_[place->second]};
    faults.look_at(pair);
    comparing.add(pair);
  }
  for (const JobEnd& there : jobs_) {
    if (!met.contains(there.job)) faults.missing_here.add(shown(there.job));
  }
  Mistakes mistakes = faults.told(path, path_, jobs->size(), jobs_.size());
  if (mistakes.any()) return tl::unexpected(std::move(mistakes));
  return comparing.result(std::filesystem::path(path_).stem().string());
}

}  // namespace somnus
