#include "metrics/summary_resources.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "log/references.hpp"
#include "metrics/makespan.hpp"

namespace somnus {
namespace {

// Of shares that differ by less, the sums of capacities beyond 2^53 do not show the larger one.
constexpr double rounding = 1e-12;

/// What a damaged log says may be no amounts at all.
Resources possible(Amounts amounts) {
  for (double& amount : amounts) {
    if (!possible_amount(amount)) amount = 0;
  }
  return Resources(amounts);
}

/// What is in use, change by change.
class Use {
 public:
  Use(const Log& log, const Makespan& whole) : whole_(whole), middle_(whole.middle()) {
    for (const NodeRow& node : log.tables.nodes) capacity_ += possible(node.resources);
    for (const Amounts& amounts : log.tables.stage_demands) demands_.push_back(possible(amounts));
    kinds_.resize(std::min(log.header.resources.size(), most_resource_kinds));
  }

  void task(const TaskRow& row) {
    if (!(row.start < row.finish) || row.stage >= demands_.size()) return;
    changes_.push_back({row.start, row.stage, 1});
    changes_.push_back({row.finish, row.stage, -1});
  }

  void run() {
    std::ranges::sort(changes_, {}, &Change::time);
    for (std::size_t at = 0; at < changes_.size(); ++at) {
      in_use_.add(demands_[changes_[at].stage], changes_[at].sign);
      const double now = changes_[at].time;
      if (at + 1 < changes_.size()) hold(now, changes_[at + 1].time);
    }
  }

  [[nodiscard]] ResourceSummary figures(std::size_t kind, std::string name) const {
    const Kind& one = kinds_[kind];
    ResourceSummary figures{.resource = std::move(name),
                            .binding = one.binding_s / whole_.length()};
    if (capacity_.millionths(kind) == 0) return figures;
    figures.utilisation = one.share_s / whole_.length();
    figures.utilisation_middle = one.share_middle_s / middle_.length();
    figures.peak = one.peak;
    return figures;
  }

 private:
  struct Change {
    double time;
    std::uint32_t stage;
    std::int32_t sign;
  };
  struct Kind {
    double share_s = 0;  // the share, integrated over time
    double share_middle_s = 0;
    double peak = 0;
    double binding_s = 0;
  };

  [[nodiscard]] double share(std::size_t kind) const {
    if (capacity_.millionths(kind) == 0) return 0;
    return static_cast<double>(in_use_.millionths(kind)) /
           static_cast<double>(capacity_.millionths(kind));
  }

  // All stays as it is until then; no time passes between changes of one instant.
  void hold(double from, double to) {
    if (!(from < to)) return;
    double largest = 0;
    std::optional<std::size_t> binding;
    for (std::size_t at = 0; at < kinds_.size(); ++at) {
      Kind& kind = kinds_[at];
      const double now = share(at);
      kind.share_s += now * (to - from);
      kind.share_middle_s += now * middle_.shared(from, to);
      kind.peak = std::max(kind.peak, now);
      if (now <= largest * (1 + rounding)) continue;
      largest = now;
      binding = at;
    }
    if (binding) kinds_[*binding].binding_s += to - from;
  }

  Makespan whole_;
  Makespan middle_;
  ResourceTotals capacity_;
  ResourceTotals in_use_;
  std::vector<Resources> demands_;  // by stage
  std::vector<Kind> kinds_;
  std::vector<Change> changes_;
};

}  // namespace

std::vector<ResourceSummary> resources_of(const Log& log) {
  std::vector<ResourceSummary> resources;
  for (const std::string& name : log.header.resources) resources.push_back({.resource = name});
  const Makespan whole = makespan_of(log);
  if (resources.empty() || !(whole.length() > 0)) return resources;
  Use use(log, whole);
  for (const TaskRow& row : log.tasks) use.task(row);
  use.run();
  for (std::size_t kind = 0; kind < std::min(resources.size(), most_resource_kinds); ++kind) {
    resources[kind] = use.figures(kind, log.header.resources[kind]);
  }
  return resources;
}

}  // namespace somnus
