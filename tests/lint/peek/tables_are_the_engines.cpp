// must not compile: 'const somnus::JobTable\* somnus::JobsView::table_' is private
#include "policy/policy.hpp"

const somnus::Catalogue& peek(const somnus::Picture& picture) {
  return picture.jobs.table_->catalogue();
}
