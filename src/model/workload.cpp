#include "model/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace somnus {
namespace {

// Gives each distinct name the next number.
template <class SomeId>
class Interner {
 public:
  explicit Interner(std::vector<std::string>& names) : names_(names) {}
  SomeId operator()(const std::string& name) {
    const auto [found, is_new] = ids_.try_emplace(name, SomeId(names_.size()));
    if (is_new) names_.push_back(name);
    return found->second;
  }
  /// Invalid of no name.
  SomeId of_any(const std::string& name) { return name.empty() ? SomeId() : (*this)(name); }
  /// Invalid if the name has no number.
  [[nodiscard]] SomeId find(const std::string& name) const {
    const auto found = ids_.find(name);
    return found == ids_.end() ? SomeId() : found->second;
  }

 private:
  std::vector<std::string>& names_;
  std::unordered_map<std::string, SomeId> ids_;
};

class Assembler {
 public:
  explicit Assembler(const Partitioning& partitioning) : partitioning_(partitioning) {}

  Workload operator()(const WorkloadSpec& spec) {
    workload_.name = spec.name;
    workload_.resources = spec.resources;
    std::vector<std::size_t> order(spec.jobs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t at) { return spec.jobs[at].submit; });
    for (const std::size_t at : order) add(spec.jobs[at]);
    if (!truth_.cold.empty()) fill_cold();
    for (const std::size_t at : order) follow(spec.jobs[at]);
    link_children();
    weigh_users(spec.users);
    if (spec.rigid) workload_.rigid_jobs = count_wide_jobs();
    catalogue_.queues = static_cast<std::uint32_t>(workload_.names.queues.size());
    catalogue_.apps = static_cast<std::uint32_t>(workload_.names.apps.size());
    workload_.digest = fmt::format("{:016x}", digest());
    return std::move(workload_);
  }

 private:
  void add(const JobSpec& spec) {
    const JobId id(catalogue_.jobs.size());
    ids_.emplace(spec.job, id);
    Job job{.submit = at_seconds(spec.submit),
            .think = seconds(spec.think),
            .weight = spec.weight,
            .estimate = spec.estimate,
            .user = users_(spec.user),
            .queue = queues_(spec.queue),
            .app = apps_(spec.app.empty() ? spec.job : spec.app),
            .first_stage = StageId(catalogue_.stages.size()),
            .stages = static_cast<std::uint32_t>(spec.stages.size()),
            .first_task = TaskId(truth_.tasks.size())};
    labels_ = {};  // not cleared: that costs as much as the largest job before it
    for (std::size_t at = 0; at < spec.stages.size(); ++at) {
      labels_.emplace(spec.stages[at].stage, StageId(job.first_stage.index() + at));
    }
    for (const StageSpec& stage : spec.stages) add(id, stage);
    job.tasks = static_cast<std::uint32_t>(truth_.tasks.size() - job.first_task.index());
    catalogue_.jobs.push_back(job);
    catalogue_.tasks = static_cast<std::uint32_t>(truth_.tasks.size());
    workload_.names.jobs.push_back(spec.job);
    truth_.warmup.push_back(spec.warmup);
    add_curve(spec, catalogue_.parallelism(job));
    const Accounting accounting{
        .account = accounts_.of_any(spec.account), .qos = qos_.of_any(spec.qos), .nice = spec.nice};
    if (accounting != Accounting()) {
      catalogue_.accounting.resize(catalogue_.jobs.size());
      catalogue_.accounting.back() = accounting;
    }
    if (spec.limit > 0) {
      catalogue_.limits.resize(catalogue_.jobs.size());
      catalogue_.limits.back() = seconds(spec.limit);
    }
  }

  void add_curve(const JobSpec& spec, std::uint32_t parallelism) {
    if (spec.curve.empty() && spec.progress.empty()) return;
    std::vector<double> progress = spec.progress;
    if (!spec.curve.empty()) {
      std::array<double, 4> coefficients{};
      std::ranges::copy_n(spec.curve.begin(), 4, coefficients.begin());
      for (std::uint32_t slots = 1; slots <= parallelism; ++slots) {
        progress.push_back(ernest_progress(coefficients, slots));
      }
    }
    progress.resize(std::min<std::size_t>(progress.size(), parallelism));
    catalogue_.curves.resize(catalogue_.jobs.size());
    catalogue_.curves.back() = ProgressCurve::above(progress);
  }

  void add(JobId job, const StageSpec& stage_spec) {
    Stage stage{.job = job,
                .label = stage_spec.stage,
                .divisible = stage_spec.work > 0,
                .first_task = TaskId(truth_.tasks.size()),
                .first_parent = static_cast<std::uint32_t>(catalogue_.parents.size()),
                .parents = static_cast<std::uint32_t>(stage_spec.parents.size()),
                .first_affinity = static_cast<std::uint32_t>(catalogue_.affinity.size()),
                .affinity = static_cast<std::uint32_t>(stage_spec.affinity.size())};
    for (const std::uint32_t parent : stage_spec.parents) {
      const auto found = labels_.find(parent);
      SOMNUS_CHECK(found != labels_.end(), "stage {} has an unknown parent", stage.label);
      catalogue_.parents.push_back(found->second);
    }
    for (const std::uint32_t node : stage_spec.affinity) catalogue_.affinity.emplace_back(node);
    const auto durations = stage.divisible ? cut_stage(job, stage_spec) : stage_spec.durations;
    stage.tasks = static_cast<std::uint32_t>(durations.size());
    stage.exclusive = stage_spec.exclusive;
    stage.gang = stage.exclusive || (stage_spec.gang && stage.tasks > 1);
    const StageId id(catalogue_.stages.size());
    if (!workload_.resources.empty()) add_demand(stage_spec.demand);
    for (const double duration : durations) {
      truth_.tasks.push_back({seconds(duration)});
      catalogue_.stage_of.push_back(id);
    }
    catalogue_.stages.push_back(stage);
    if (!stage_spec.first.empty() || !stage_spec.fresh.empty()) add_cold(stage, stage_spec);
  }

  void add_cold(const Stage& stage, const StageSpec& spec) {
    fill_cold();
    for (std::uint32_t at = 0; at < stage.tasks; ++at) {
      ColdDurations& cold = truth_.cold[stage.first_task.index() + at];
      if (!spec.first.empty()) cold.first = seconds(spec.first[at]);
      cold.fresh = spec.fresh.empty() ? cold.first : seconds(spec.fresh[at]);
    }
  }

  // Tasks of which nothing was measured take their nominal time.
  void fill_cold() {
    for (std::size_t task = truth_.cold.size(); task < truth_.tasks.size(); ++task) {
      truth_.cold.push_back({truth_.tasks[task].value, truth_.tasks[task].value});
    }
  }

  void add_demand(const std::vector<double>& amounts) {
    Resources& demand = truth_.demands.emplace_back();
    for (std::size_t kind = 0; kind < amounts.size(); ++kind) demand.set(kind, amounts[kind]);
  }

  std::vector<double> cut_stage(JobId job, const StageSpec& stage) const {
    const std::uint64_t parts = partitioning_.parts(job.index(), stage.work);
    std::vector<double> durations = cut(stage.work, stage.skew, parts);
    for (double& duration : durations) duration += partitioning_.launch_overhead_s;
    return durations;
  }

  void follow(const JobSpec& spec) {
    if (spec.after.empty()) return;
    const auto found = ids_.find(spec.after);
    SOMNUS_CHECK(found != ids_.end(), "job '{}' follows an unknown job", spec.job);
    catalogue_.jobs[ids_.at(spec.job).index()].after = found->second;
  }

  void weigh_users(const std::vector<UserSpec>& weights) {
    catalogue_.users.resize(workload_.names.users.size());
    for (const UserSpec& spec : weights) {
      const UserId user = users_.find(spec.user);
      if (user.valid()) catalogue_.users[user.index()].weight = spec.weight;
    }
  }

  [[nodiscard]] std::uint32_t count_wide_jobs() const {
    return static_cast<std::uint32_t>(std::ranges::count_if(catalogue_.jobs, [&](const Job& job) {
      return std::ranges::any_of(catalogue_.stages_of(job),
                                 [](const Stage& stage) { return stage.tasks > 1 && !stage.gang; });
    }));
  }

  void link_children() {
    auto& stages = catalogue_.stages;
    for (const StageId parent : catalogue_.parents) ++stages[parent.index()].children;
    std::uint32_t next = 0;
    for (Stage& stage : stages) {
      stage.first_child = next;
      next += stage.children;
      stage.children = 0;
    }
    catalogue_.children.resize(catalogue_.parents.size());
    for (std::size_t child = 0; child < stages.size(); ++child) {
      for (const StageId parent : catalogue_.parents_of(stages[child])) {
        Stage& above = stages[parent.index()];
        catalogue_.children[above.first_child + above.children++] = StageId(child);
      }
    }
  }

  // One after the other: the job, its degree, and what each slot adds.
  [[nodiscard]] std::vector<std::int64_t> all_curves() const {
    std::vector<std::int64_t> all;
    for (std::size_t job = 0; job < catalogue_.curves.size(); ++job) {
      const ProgressCurve& curve = catalogue_.curves[job];
      if (!curve.is_known()) continue;
      all.insert(all.end(), {static_cast<std::int64_t>(job), curve.degree()});
      for (std::uint32_t slots = 0; slots < curve.degree(); ++slots) {
        all.push_back(curve.gain_after(slots));
      }
    }
    return all;
  }

  // Over everything that can change a run.
  [[nodiscard]] std::uint64_t digest() const {
    const auto bytes = [](const auto& vector) {
      return std::string_view(reinterpret_cast<const char*>(vector.data()),
                              vector.size() * sizeof(vector[0]));
    };
    std::uint64_t hash = hash64(bytes(truth_.tasks));
    if (!truth_.cold.empty()) hash = hash64(bytes(truth_.cold), hash);  // others keep theirs
    hash = hash64(bytes(truth_.warmup), hash);
    hash = hash64(bytes(all_curves()), hash);
    hash = hash64(bytes(catalogue_.parents), hash);
    for (std::size_t at = 0; at < catalogue_.stages.size(); ++at) {
      const Stage& stage = catalogue_.stages[at];
      hash = hash64(
          fmt::format("{} {} {} {}", stage.job.value(), stage.label, stage.tasks, stage.parents),
          hash);
      for (std::size_t kind = 0; kind < workload_.resources.size(); ++kind) {
        hash = hash64(fmt::format("{}", truth_.demands[at].amount(kind)), hash);
      }
      if (stage.gang) hash = hash64("gang", hash);
      if (stage.exclusive) hash = hash64("exclusive", hash);
      if (stage.affinity == 0) continue;  // workloads without keep the digests they always had
      hash = hash64(fmt::format("affinity {}", stage.affinity), hash);
      for (const NodeId node : catalogue_.affinity_of(stage)) {
        hash = hash64(fmt::format("{}", node.value()), hash);
      }
    }
    for (std::size_t index = 0; index < catalogue_.jobs.size(); ++index) {
      const Job& job = catalogue_.jobs[index];
      hash = hash64(fmt::format("{} {} {} {} {} {} {} {}", job.submit.time_since_epoch().count(),
                                job.after.value(), job.think.count(), job.weight, job.estimate,
                                job.user.value(), job.queue.value(), job.app.value()),
                    hash);
      if (const auto limit = catalogue_.limit(JobId(index))) {
        hash = hash64(fmt::format("limit {}", limit->count()), hash);
      }
      if (const Accounting of = catalogue_.accounting_of(JobId(index)); of != Accounting()) {
        hash =
            hash64(fmt::format("of {} {} {}", of.account.value(), of.qos.value(), of.nice), hash);
      }
      hash = hash64(workload_.names.jobs[index], hash);
    }
    for (const User& user : catalogue_.users) hash = hash64(fmt::format("{}", user.weight), hash);
    for (const auto& user : workload_.names.users) hash = hash64(user, hash);
    for (const auto& queue : workload_.names.queues) hash = hash64(queue, hash);
    for (const auto& account : workload_.names.accounts) hash = hash64(account, hash);
    for (const auto& qos : workload_.names.qos) hash = hash64(qos, hash);
    for (const auto& app : workload_.names.apps) hash = hash64(app, hash);
    for (const auto& kind : workload_.resources) hash = hash64(kind, hash);
    return hash;
  }

  const Partitioning& partitioning_;
  Workload workload_;
  std::unordered_map<std::string, JobId> ids_;         // by name
  std::unordered_map<std::uint32_t, StageId> labels_;  // of the job that is being added
  Catalogue& catalogue_ = workload_.catalogue;
  Truth& truth_ = workload_.truth;
  Interner<UserId> users_{workload_.names.users};
  Interner<QueueId> queues_{workload_.names.queues};
  Interner<AccountId> accounts_{workload_.names.accounts};
  Interner<QosId> qos_{workload_.names.qos};
  Interner<AppId> apps_{workload_.names.apps};
};

}  // namespace

const ProgressCurve& Catalogue::curve(JobId job) const {
  static const ProgressCurve unknown;
  return job.index() < curves.size() ? curves[job.index()] : unknown;
}

std::optional<Duration> Catalogue::limit(JobId job) const {
  if (job.index() >= limits.size() || limits[job.index()] == Duration::zero()) return {};
  return limits[job.index()];
}

bool Catalogue::has_gangs() const { return std::ranges::any_of(stages, &Stage::gang); }

bool Catalogue::has_exclusive() const { return std::ranges::any_of(stages, &Stage::exclusive); }

std::uint32_t Catalogue::parallelism(const Job& job) const {
  std::uint32_t most = 0;
  for (const Stage& stage : stages_of(job)) most = std::max(most, stage.tasks);
  return most;
}

Duration slot_time(std::span<const TrueDuration> tasks) {
  Duration sum{};
  for (const TrueDuration task : tasks) sum += task.value;
  return sum;
}

Workload assemble(const WorkloadSpec& spec, const Partitioning& partitioning) {
  return Assembler(partitioning)(spec);
}

}  // namespace somnus
