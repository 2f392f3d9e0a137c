// The Standard Workload Format, one job a line: as many processors as its widest stage has tasks,
// and the time that it takes on so many as it likes, which for one stage is that of the longest
// task. Users, queues and apps are numbers, those of user_3, queue_1 and app_7 or by first job.
// Jobs that follow others do so. Not for divisible stages.
#include <algorithm>
#include <cctype>
#include <iterator>
#include <unordered_map>

#include "formats/export_check.hpp"
#include "formats/exports.hpp"
#include "text/parse_number.hpp"
#include "workload/least_time.hpp"

namespace somnus::export_swf {
namespace {

// Numbers for names: of "user_3" 3 where all names are so, else 1, 2, ... by first use.
class SwfNumbers {
 public:
  SwfNumbers(std::string prefix, std::string unknown)
      : prefix_(std::move(prefix)), unknown_(std::move(unknown)) {}

  void meet(const std::string& name) {
    if (name == unknown_) return;
    if (!by_name_.try_emplace(name, names_.size() + 1).second) return;
    names_.push_back(name);
    all_numbered_ = all_numbered_ && own_number(name);
  }
  [[nodiscard]] std::string of(const std::string& name) const {
    if (name == unknown_) return "-1";
    const auto own = own_number(name);
    return std::to_string(all_numbered_ && own ? *own : by_name_.at(name));
  }
  [[nodiscard]] bool keeps_names() const { return all_numbered_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  [[nodiscard]] std::optional<std::uint64_t> own_number(std::string_view name) const {
    if (!name.starts_with(prefix_)) return std::nullopt;
    name.remove_prefix(prefix_.size());
    const auto number = parse_number<std::uint64_t>(name);
    return number && std::to_string(*number) == name ? number : std::nullopt;
  }

  std::string prefix_;
  std::string unknown_;
  bool all_numbered_ = true;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> by_name_;
};

std::size_t widest_stage(const JobSpec& job) {
  std::size_t most = 0;
  for (const StageSpec& stage : job.stages) most = std::max(most, stage.durations.size());
  return most;
}

class SwfWriter {
 public:
  explicit SwfWriter(const WorkloadSpec& workload) : workload_(workload) {
    for (const JobSpec& job : workload.jobs) {
      jobs_.meet(job.job);
      users_.meet(job.user);
      queues_.meet(job.queue);
      apps_.meet(job.app);
    }
  }

  Exported operator()() && {
    put("; Version: 2.2\n; Computer: emulated by Somnus\n; Note: workload {}\n",
        in_one_line(workload_.name));
    put("; MaxJobs: {0}\n; MaxRecords: {0}\n", workload_.jobs.size());
    if (!queues_.keeps_names()) {
      for (const std::string& name : queues_.names()) {
        put("; Queue: {} {}\n", queues_.of(name), in_one_line(name));
      }
    }
    if (!users_.keeps_names()) {
      for (const std::string& name : users_.names()) {
        put("; Note: user {} is {}\n", users_.of(name), in_one_line(name));
      }
    }
    for (const JobSpec& job : workload_.jobs) put_job(job);
    return {.text = fmt::to_string(text_), .lost = lost()};
  }

 private:
  template <class... Values>
  void put(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }

  static std::string in_one_line(std::string text) {
    std::ranges::replace_if(
        text, [](char one) { return std::iscntrl(static_cast<unsigned char>(one)) != 0; }, ' ');
    return text;
  }

  void put_job(const JobSpec& job) {
    const std::size_t processors = widest_stage(job);
    put("{} {} -1 {} {} -1 -1 {} ", jobs_.of(job.job), job.submit, least_time(job), processors,
        processors);
    if (job.limit > 0) {
      put("{}", job.limit);
    } else if (job.estimate > 0) {
      put("{}", job.estimate / static_cast<double>(processors));
    } else {
      put("-1");
    }
    put(" -1 1 {} -1 {} {} -1", users_.of(job.user), apps_.of(job.app), queues_.of(job.queue));
    if (job.after.empty()) {
      put(" -1 -1\n");
    } else {
      put(" {} {}\n", jobs_.of(job.after), job.think);
    }
  }

  std::vector<std::string> lost() {
    std::vector<Feature> kept = {Feature::estimates, Feature::limits, Feature::rigid,
                                 Feature::gangs};
    if (jobs_.keeps_names()) kept.push_back(Feature::names);
    if (users_.keeps_names()) kept.push_back(Feature::users);
    if (queues_.keeps_names()) kept.push_back(Feature::queues);
    if (apps_.keeps_names()) kept.push_back(Feature::apps);
    std::vector<std::string> lost = lost_without(workload_, kept);
    for (std::string& one : lost) {
      if (one == "users" || one == "queues" || one == "apps") one.insert(0, "names of ");
    }
    const auto any = [&](auto holds) { return std::ranges::any_of(workload_.jobs, holds); };
    if (!workload_.rigid && any(has_independent_tasks)) {
      lost.emplace_back("that tasks are independent: who reads swf takes jobs for rigid ones");
    }
    if (any(has_other_estimate)) {
      lost.emplace_back("that estimates are no time limits: swf has one column for both");
    }
    if (any([](const JobSpec& job) { return job.stages.size() > 1; })) {
      lost.emplace_back("stages: a job has the tasks of its widest and the time of all");
    }
    if (any([](const JobSpec& job) { return !std::ranges::all_of(job.stages, are_equal); })) {
      lost.emplace_back("times of tasks that differ: the longest counts");
    }
    return lost;
  }

  static bool has_independent_tasks(const JobSpec& job) {
    return std::ranges::any_of(job.stages, [](const StageSpec& stage) {
      return !stage.gang && stage.durations.size() > 1;
    });
  }

  // Than limit x processors, which is what a reader makes of the limit.
  static bool has_other_estimate(const JobSpec& job) {
    return job.estimate != job.limit * static_cast<double>(widest_stage(job));
  }

  static bool are_equal(const StageSpec& stage) {
    return std::ranges::adjacent_find(stage.durations, std::not_equal_to<>()) ==
           stage.durations.end();
  }

  const WorkloadSpec& workload_;
  SwfNumbers jobs_{"", ""};
  SwfNumbers users_{"user_", "default"};
  SwfNumbers queues_{"queue_", "default"};
  SwfNumbers apps_{"app_", ""};
  fmt::memory_buffer text_;
};

Checked<Exported> write(const WorkloadSpec& workload, const std::string& file) {
  MistakeCollector report(file);
  for (const JobSpec& job : workload.jobs) refuse_divisible(report, job);
  if (report.any()) return tl::unexpected(std::move(report).take());
  return SwfWriter(workload)();
}

const Registered<Export> row =
    Export{.name = "swf",
           .summary = "the Standard Workload Format: one job of so many processors a line",
           .write = write};

}  // namespace
}  // namespace somnus::export_swf
