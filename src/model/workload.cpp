#include "model/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
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

 private:
  std::vector<std::string>& names_;
  std::unordered_map<std::string, SomeId> ids_;
};

// Cuts `work` by input size: part p of n covers the input's share [p/n, (p+1)/n], and the work of
// a share is given piecewise by `skew` (policies.md 3.7: refining splits the skewed part too).
std::vector<double> cut(double work, const std::vector<double>& skew, std::uint64_t parts) {
  const std::vector<double> pieces = skew.empty() ? std::vector<double>{1} : skew;
  const double total = std::accumulate(pieces.begin(), pieces.end(), 0.0);
  const auto count = static_cast<double>(pieces.size());
  const auto work_before = [&](double share) {
    const double position = share * count;
    const auto whole = std::min(static_cast<std::size_t>(position), pieces.size() - 1);
    const double before =
        std::accumulate(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(whole), 0.0);
    return work * (before + (position - static_cast<double>(whole)) * pieces[whole]) / total;
  };
  std::vector<double> durations;
  durations.reserve(parts);
  const auto n = static_cast<double>(parts);
  for (std::uint64_t part = 0; part < parts; ++part) {
    const auto p = static_cast<double>(part);
    durations.push_back(work_before((p + 1) / n) - work_before(p / n));
  }
  return durations;
}

class Assembler {
 public:
  explicit Assembler(std::uint64_t slots) : slots_(slots) {}

  Workload operator()(const WorkloadSpec& spec) {
    workload_.name = spec.name;
    workload_.resources = spec.resources;
    std::vector<std::size_t> order(spec.jobs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t at) { return spec.jobs[at].submit; });
    for (const std::size_t at : order) add(spec.jobs[at]);
    link_children();
    catalogue_.users = static_cast<std::uint32_t>(workload_.names.users.size());
    catalogue_.queues = static_cast<std::uint32_t>(workload_.names.queues.size());
    catalogue_.apps = static_cast<std::uint32_t>(workload_.names.apps.size());
    workload_.digest = fmt::format("{:016x}", digest());
    return std::move(workload_);
  }

 private:
  void add(const JobSpec& spec) {
    const JobId id(catalogue_.jobs.size());
    Job job{.submit = at_seconds(spec.submit),
            .weight = spec.weight,
            .user = users_(spec.user),
            .queue = queues_(spec.queue),
            .app = apps_(spec.app.empty() ? spec.job : spec.app),
            .first_stage = StageId(catalogue_.stages.size()),
            .stages = static_cast<std::uint32_t>(spec.stages.size()),
            .first_task = TaskId(truth_.tasks.size())};
    for (const StageSpec& stage : spec.stages) add(id, job.first_stage, spec, stage);
    job.tasks = static_cast<std::uint32_t>(truth_.tasks.size() - job.first_task.index());
    catalogue_.jobs.push_back(job);
    catalogue_.tasks = static_cast<std::uint32_t>(truth_.tasks.size());
    workload_.names.jobs.push_back(spec.job);
    truth_.warmup.push_back(spec.warmup);
    if (spec.curve.empty()) return;
    truth_.curves.resize(catalogue_.jobs.size());
    std::ranges::copy_n(spec.curve.begin(), 4, truth_.curves.back().begin());
  }

  void add(JobId job, StageId first, const JobSpec& spec, const StageSpec& stage_spec) {
    Stage stage{.job = job,
                .label = stage_spec.stage,
                .first_task = TaskId(truth_.tasks.size()),
                .first_parent = static_cast<std::uint32_t>(catalogue_.parents.size()),
                .parents = static_cast<std::uint32_t>(stage_spec.parents.size())};
    for (const std::uint32_t parent : stage_spec.parents) {
      const auto found = std::ranges::find(spec.stages, parent, &StageSpec::stage);
      SOMNUS_CHECK(found != spec.stages.end(), "stage {} has an unknown parent", stage.label);
      catalogue_.parents.emplace_back(first.index() +
                                      static_cast<std::size_t>(found - spec.stages.begin()));
    }
    for (std::size_t kind = 0; kind < stage_spec.demand.size(); ++kind) {
      stage.demand.set(kind, stage_spec.demand[kind]);
    }
    const bool divisible = stage_spec.work > 0;
    const auto durations =
        divisible ? cut(stage_spec.work, stage_spec.skew, slots_) : stage_spec.durations;
    stage.tasks = static_cast<std::uint32_t>(durations.size());
    const StageId id(catalogue_.stages.size());
    for (const double duration : durations) {
      truth_.tasks.push_back({seconds(duration)});
      catalogue_.stage_of.push_back(id);
    }
    catalogue_.stages.push_back(stage);
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

  // Over everything that can change a run.
  [[nodiscard]] std::uint64_t digest() const {
    const auto bytes = [](const auto& vector) {
      return std::string_view(reinterpret_cast<const char*>(vector.data()),
                              vector.size() * sizeof(vector[0]));
    };
    std::uint64_t hash = hash64(bytes(truth_.tasks));
    hash = hash64(bytes(truth_.warmup), hash);
    hash = hash64(bytes(truth_.curves), hash);
    hash = hash64(bytes(catalogue_.parents), hash);
    for (const Stage& stage : catalogue_.stages) {
      hash = hash64(
          fmt::format("{} {} {} {}", stage.job.value(), stage.label, stage.tasks, stage.parents),
          hash);
      for (std::size_t kind = 0; kind < workload_.resources.size(); ++kind) {
        hash = hash64(fmt::format("{}", stage.demand.amount(kind)), hash);
      }
    }
    for (std::size_t index = 0; index < catalogue_.jobs.size(); ++index) {
      const Job& job = catalogue_.jobs[index];
      hash = hash64(fmt::format("{} {} {} {} {}", job.submit.time_since_epoch().count(), job.weight,
                                job.user.value(), job.queue.value(), job.app.value()),
                    hash);
      hash = hash64(workload_.names.jobs[index], hash);
    }
    for (const auto& user : workload_.names.users) hash = hash64(user, hash);
    for (const auto& queue : workload_.names.queues) hash = hash64(queue, hash);
    for (const auto& app : workload_.names.apps) hash = hash64(app, hash);
    for (const auto& kind : workload_.resources) hash = hash64(kind, hash);
    return hash;
  }

  std::uint64_t slots_;
  Workload workload_;
  Catalogue& catalogue_ = workload_.catalogue;
  Truth& truth_ = workload_.truth;
  Interner<UserId> users_{workload_.names.users};
  Interner<QueueId> queues_{workload_.names.queues};
  Interner<AppId> apps_{workload_.names.apps};
};

}  // namespace

Duration slot_time(std::span<const TrueDuration> tasks) {
  Duration sum{};
  for (const TrueDuration task : tasks) sum += task.value;
  return sum;
}

Workload assemble(const WorkloadSpec& spec, std::uint64_t slots) { return Assembler(slots)(spec); }

}  // namespace somnus
