// Laws for rapidcheck, each with the number and the size of its cases: the sentence is the test's
// name. RC_PARAMS="seed=..." runs the same cases again.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <sstream>
#include <utility>

namespace somnus::harness {

struct Effort {
  int cases = 100;
  int largest = 100;  // rapidcheck's size of the last cases
};

/// Fails the running test with the smallest counterexample found.
template <class Law>
void check_law(Effort effort, Law&& law) {
  const auto* running = ::testing::UnitTest::GetInstance()->current_test_info();
  rc::detail::TestMetadata about;
  about.id = std::string(running->test_suite_name()) + "/" + running->name();
  about.description = running->name();
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = effort.cases;
  params.maxSize = effort.largest;
  const auto result = rc::detail::checkTestable(std::forward<Law>(law), about, params);
  if (result.template is<rc::detail::SuccessResult>()) return;
  std::ostringstream story;
  rc::detail::printResultMessage(result, story);
  FAIL() << story.str() << "\nRC_PARAMS=\"seed=" << params.seed << '"';
}

}  // namespace somnus::harness
