// The warm-up models, each a file that ends with its row, and one that was chosen: the one function
// that says how long a task is meant to take, for the nodes that run it, the audit that works it
// out again, and the reference of a job alone.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "base/parameters.hpp"
#include "base/registered.hpp"
#include "base/time.hpp"
#include "model/task_times.hpp"
#include "warmup/history.hpp"
#include "warmup/model.hpp"

namespace somnus {

struct WarmupRow {
  using Model = std::function<Taken(const TaskTimes&, const Found&)>;

  std::string name;
  std::string summary;  // one sentence without a full stop
  LooksAt looks_at;
  bool nominal;           // each task takes its nominal time, wherever it runs
  std::string warm_when;  // "a slot is warm exactly when ..."
  ParameterSchema parameters;
  std::function<Model(const Parameters& given)> make;
  std::vector<Parameters> examples;  // that the laws are held against, beside the defaults

  [[nodiscard]] const std::string& key() const { return name; }
};

/// A row, with the defaults of a fresh model.
template <WarmupModel M>
[[nodiscard]] WarmupRow warmup_model(std::string name, std::string summary,
                                     std::vector<Parameters> examples = {}) {
  constexpr bool nominal = requires { M::nominal; };
  return {.name = std::move(name),
          .summary = std::move(summary),
          .looks_at = M::looks_at,
          .nominal = nominal,
          .warm_when = M::warm_when,
          .parameters = parameters_of(M()),
          .make = [](const Parameters& given) -> WarmupRow::Model {
            M made;
            apply_parameters(made, given);
            return made;
          },
          .examples = std::move(examples)};
}

/// By name.
[[nodiscard]] std::span<const WarmupRow> warmup_models();
/// nullptr: there is none of that name.
[[nodiscard]] const WarmupRow* find_warmup(std::string_view name);

/// How long a task is meant to take, and whether that is with nothing left to warm up.
struct Intended {
  Duration time{};
  bool warm = false;
};

/// A chosen model. Cheap to copy.
class Warmup {
 public:
  Warmup() : Warmup("none", {}) {}
  /// There must be such a model, and the parameters must be its.
  Warmup(std::string_view name, const Parameters& parameters);

  [[nodiscard]] const WarmupRow& row() const { return *row_; }
  [[nodiscard]] const Parameters& parameters() const { return made_->parameters; }
  /// A slot's past makes a difference.
  [[nodiscard]] bool looks_back() const { return row_->looks_at != LooksAt::nothing; }

  /// On a node that is `slowdown` times as slow as a normal one: rounded to whole ns, once.
  [[nodiscard]] Intended intended(const TaskTimes& times, const Found& found,
                                  double slowdown) const {
    if (row_->nominal && slowdown == 1) return {.time = times.nominal};
    return worked_out(times, found, slowdown);
  }
  /// No slot lets it take less, whatever ran there.
  [[nodiscard]] static Duration least(const TaskTimes& times, double slowdown);

 private:
  [[nodiscard]] Intended worked_out(const TaskTimes& times, const Found& found,
                                    double slowdown) const;

  struct Made {
    Parameters parameters;
    WarmupRow::Model model;
  };
  const WarmupRow* row_;
  std::shared_ptr<const Made> made_;
};

}  // namespace somnus
