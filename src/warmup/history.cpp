#include "warmup/history.hpp"

#include <algorithm>

namespace somnus {

Found History::found(AppId app, StageId stage) const {
  const bool same_app = last_app_.valid() && last_app_ == app;
  const auto counted =
      std::ranges::lower_bound(ran_, app, {}, &std::pair<AppId, std::uint32_t>::first);
  const bool known = counted != ran_.end() && counted->first == app;
  return {.app = same_app,
          .stage = same_app && last_stage_ == stage,
          .ran = known ? counted->second : 0};
}

void History::add(AppId app, StageId stage, LooksAt looks_at) {
  last_app_ = app;
  last_stage_ = stage;
  if (looks_at != LooksAt::counts) return;
  const auto place =
      std::ranges::lower_bound(ran_, app, {}, &std::pair<AppId, std::uint32_t>::first);
  if (place != ran_.end() && place->first == app) {
    ++place->second;
  } else {
    ran_.insert(place, {app, 1});
  }
}

}  // namespace somnus
