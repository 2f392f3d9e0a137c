#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "text/write_text.hpp"
#include "workload/native.hpp"

namespace somnus {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 16;

class NativeWriter {
 public:
  explicit NativeWriter(const PutText& put_text) : put_text_(put_text) {}

  void operator()(const WorkloadSpec& workload) && {
    resources_ = workload.resources;
    put(R"({{"somnus_workload": 1, "name": {})", quoted(workload.name));
    if (!resources_.empty()) {
      put(", \"resources\": [");
      for (std::size_t kind = 0; kind < resources_.size(); ++kind) {
        put("{}{}", kind == 0 ? "" : ", ", quoted(resources_[kind]));
      }
      put("]");
    }
    if (workload.rigid) put(", \"rigid\": true");
    put_users(workload.users);
    put("}}\n");
    for (const JobSpec& job : workload.jobs) {
      put_job(job);
      if (text_.size() >= piece_bytes) hand_over();
    }
    hand_over();
  }

 private:
  void hand_over() {
    put_text_({text_.data(), text_.size()});
    text_.clear();
  }

  template <class... Values>
  void put(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }

  static std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

  void put_users(const std::vector<UserSpec>& users) {
    if (users.empty()) return;
    put(", \"users\": {{");
    std::string_view before;
    for (const UserSpec& user : users) {
      put("{}{}: {}", before, quoted(user.user), user.weight);
      before = ", ";
    }
    put("}}");
  }

  // What equals the default is left out.
  void put_job(const JobSpec& job) {
    put("{{\"job\": {}", quoted(job.job));
    if (job.user != "default") put(", \"user\": {}", quoted(job.user));
    put(", \"submit\": {}", job.submit);
    if (!job.after.empty()) put(", \"after\": {}", quoted(job.after));
    if (job.think != 0) put(", \"think\": {}", job.think);
    if (job.estimate != 0) put(", \"estimate\": {}", job.estimate);
    if (job.limit != 0) put(", \"limit_s\": {}", job.limit);
    if (job.weight != 1) put(", \"weight\": {}", job.weight);
    if (job.queue != "default") put(", \"queue\": {}", quoted(job.queue));
    if (!job.account.empty()) put(", \"account\": {}", quoted(job.account));
    if (!job.qos.empty()) put(", \"qos\": {}", quoted(job.qos));
    if (job.nice != 0) put(", \"nice\": {}", job.nice);
    if (!job.app.empty()) put(", \"app\": {}", quoted(job.app));
    if (job.warmup != 0) put(", \"warmup\": {}", job.warmup);
    if (!job.curve.empty()) put_numbers("curve", job.curve);
    if (!job.progress.empty()) put_numbers("progress", job.progress);
    const bool only_stage =
        job.stages.size() == 1 && job.stages[0].stage == 0 && job.stages[0].parents.empty();
    if (only_stage) {
      put_tasks(job.stages[0]);
      put("}}\n");
      return;
    }
    put(", \"stages\": [");
    std::string_view before;
    for (const StageSpec& stage : job.stages) {
      put(R"({}{{"stage": {})", before, stage.stage);
      if (!stage.parents.empty()) put_numbers("parents", stage.parents);
      put_tasks(stage);
      put("}}");
      before = ", ";
    }
    put("]}}\n");
  }

  void put_tasks(const StageSpec& stage) {
    const auto& durations = stage.durations;
    const bool alike =
        durations.size() > 1 &&
        std::ranges::adjacent_find(durations, std::not_equal_to<>()) == durations.end();
    if (stage.work > 0) {
      put(", \"work\": {}", stage.work);
    } else if (alike) {
      put(R"(, "tasks": {}, "duration": {})", durations.size(), durations.front());
    } else {
      put_numbers("durations", durations);
    }
    if (!stage.fresh.empty()) put_numbers("fresh", stage.fresh);
    if (!stage.first.empty()) put_numbers("first", stage.first);
    if (!stage.skew.empty()) put_numbers("skew", stage.skew);
    put_demand(stage.demand);
    if (!stage.affinity.empty()) put_numbers("affinity", stage.affinity);
    if (stage.gang) put(", \"gang\": true");
    if (stage.exclusive) put(", \"exclusive\": true");
  }

  void put_demand(const std::vector<double>& demand) {
    if (std::ranges::all_of(demand, [](double amount) { return amount == 0; })) return;
    put(", \"demand\": {{");
    std::string_view before;
    for (std::size_t kind = 0; kind < demand.size(); ++kind) {
      if (demand[kind] == 0) continue;
      put("{}{}: {}", before, quoted(resources_[kind]), demand[kind]);
      before = ", ";
    }
    put("}}");
  }

  template <class Number>
  void put_numbers(std::string_view key, const std::vector<Number>& numbers) {
    put(", \"{}\": [", key);
    std::string_view before;
    for (const Number number : numbers) {
      put("{}{}", before, number);
      before = ", ";
    }
    put("]");
  }

  const PutText& put_text_;
  std::vector<std::string> resources_;
  fmt::memory_buffer text_;  // not yet handed over
};

}  // namespace

std::string native_text(const WorkloadSpec& workload) {
  std::string text;
  const PutText put = [&](std::string_view piece) { text += piece; };
  NativeWriter{put}(workload);
  return text;
}

void write_native(const WorkloadSpec& workload, const std::filesystem::path& path,
                  const OutputRules& rules) {
  write_text([&](const PutText& put) { NativeWriter{put}(workload); }, path, rules);
}

}  // namespace somnus
