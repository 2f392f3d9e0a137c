#include "harness/property.hpp"

#include <sstream>
#include <string>

namespace somnus::harness {

void check_cases(Effort effort, const std::function<void()>& law) {
  const auto* running = ::testing::UnitTest::GetInstance()->current_test_info();
  rc::detail::TestMetadata about;
  about.id = std::string(running->test_suite_name()) + "/" + running->name();
  about.description = running->name();
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = effort.cases;
  params.maxSize = effort.largest;
  const auto result = rc::detail::checkTestable(law, about, params);
  if (result.is<rc::detail::SuccessResult>()) return;
  std::ostringstream story;
  rc::detail::printResultMessage(result, story);
  FAIL() << story.str() << "\nRC_PARAMS=\"seed=" << params.seed << '"';
}

}  // namespace somnus::harness
