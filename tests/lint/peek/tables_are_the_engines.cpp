// must not compile: 'const somnus::JobTable\* somnus::JobsView::table_' is private
#include "scheduler/policy.hpp"

const somnus::Catalogue& peek(const somnus::SchedulerView& view) {
  return view.jobs.table_->catalogue();
}
