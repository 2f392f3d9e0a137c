// What a slot has run since its node came up, as far as a warm-up model looks back.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "warmup/model.hpp"

namespace somnus {

class History {
 public:
  [[nodiscard]] Found found(AppId app, StageId stage) const;
  /// A task has started there.
  void add(AppId app, StageId stage, LooksAt looks_at);
  void forget() { *this = History(); }

  /// Of the last task; invalid: there was none.
  [[nodiscard]] AppId last_app() const { return last_app_; }
  [[nodiscard]] StageId last_stage() const { return last_stage_; }

 private:
  AppId last_app_;
  StageId last_stage_;
  std::vector<std::pair<AppId, std::uint32_t>> ran_;  // in order of app, by a model that counts
};

}  // namespace somnus
