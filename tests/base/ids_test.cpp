#include "base/ids.hpp"

#include <gtest/gtest.h>

#include <concepts>
#include <type_traits>
#include <unordered_set>

namespace somnus {
namespace {

template <class A, class B>
concept Comparable = requires(A a, B b) { a == b; };

static_assert(!std::is_convertible_v<JobId, TaskId>);
static_assert(!std::is_constructible_v<TaskId, JobId>);
static_assert(!std::is_convertible_v<std::uint32_t, JobId>);
static_assert(!Comparable<JobId, StageId>);
static_assert(Comparable<JobId, JobId>);

TEST(Ids, AreInvalidUntilTheyAreGivenANumber) {
  EXPECT_FALSE(NodeId().valid());
  EXPECT_TRUE(NodeId(0U).valid());
}

TEST(Ids, AreOrderedAndHashedByNumber) {
  EXPECT_LT(JobId(1U), JobId(2U));
  const std::unordered_set<JobId> set{JobId(1U), JobId(2U), JobId(1U)};
  EXPECT_EQ(set.size(), 2U);
  EXPECT_EQ(JobId(7U).index(), 7U);
}

}  // namespace
}  // namespace somnus
