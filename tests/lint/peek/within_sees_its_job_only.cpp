// must not compile: 'class somnus::JobsView' has no member named 'catalogue'
#include "scheduler/policy.hpp"

class Peeking final : public somnus::StageOrder {
  [[nodiscard]] std::vector<somnus::StageId> stages_of(somnus::JobId,
                                                       somnus::JobsView jobs) const override {
    return std::vector<somnus::StageId>(jobs.catalogue().jobs.size());
  }
};
