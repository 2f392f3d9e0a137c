#include "scheduler/jobs_view.hpp"

#include "base/error.hpp"

namespace somnus {

void JobsView::refuse(JobId job) {
  throw Bug(fmt::format("the policy asks about job {}, which has not arrived", job.value()));
}

void JobsView::refuse(StageId stage) {
  throw Bug(
      fmt::format("the policy asks about stage {}, whose job has not arrived", stage.value()));
}

}  // namespace somnus
