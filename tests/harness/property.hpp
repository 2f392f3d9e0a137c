// Laws for rapidcheck, each with the number and the size of its cases: the sentence is the test's
// name. RC_PARAMS="seed=..." runs the same cases again.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <concepts>
#include <functional>
#include <type_traits>

namespace somnus::harness {

struct Effort {
  int cases = 100;
  int largest = 100;  // rapidcheck's size of the last cases
};

/// A law, called for each case.
void check_cases(Effort effort, const std::function<void()>& law);

/// Fails the running test with the smallest counterexample found. A law draws what it needs and
/// asserts; one that returned its verdict would not be heard.
template <class Law>
  requires std::same_as<std::invoke_result_t<Law>, void>
void check_law(Effort effort, const Law& law) {
  check_cases(effort, law);
}

}  // namespace somnus::harness
