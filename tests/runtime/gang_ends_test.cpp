#include "runtime/gang_ends.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/builders.hpp"

namespace somnus::harness {
namespace {

using namespace std::chrono_literals;

/// Tasks 0 to 2 are a gang, 3 and 4 are none.
class EndsOfGangs : public ::testing::Test {
 protected:
  Workload workload_ = workload()
                           .job("j")
                           .stage(0, {.tasks = {1, 1, 1}, .gang = true})
                           .stage(1, {.tasks = {1, 1}})
                           .build();
  JobTable jobs_{workload_.catalogue};
  GangEnds ends_{workload_.catalogue};

  EndsOfGangs() {
    jobs_.arrive(at(0s), JobId(0U));
    launch_gang();
    for (int task = 0; task < 2; ++task) jobs_.launch(StageId(1U), NodeId(0U));
  }
  void launch_gang() {
    for (int task = 0; task < 3; ++task) jobs_.launch(StageId(0U), NodeId(0U));
  }
  static CompletionMessage end_of(std::uint32_t task, Duration now, Outcome outcome,
                                  std::uint16_t attempt) {
    return {.finished = at(now),
            .due = at(now),
            .task = TaskId(task),
            .node = NodeId(0U),
            .attempt = attempt,
            .outcome = outcome};
  }
  /// "task outcome@due" of each that is delivered.
  auto note(std::string& text) {
    return [this, &text](const CompletionMessage& each) {
      jobs_.end(each.task, each.attempt, each.outcome);
      text +=
          fmt::format("{} {}@{} ", each.task.value(), name_of(each.outcome), in_seconds(each.due));
    };
  }
  std::string add(std::uint32_t task, Duration now, Outcome outcome = Outcome::finished,
                  std::uint16_t attempt = 0) {
    std::string text;
    ends_.add(end_of(task, now, outcome, attempt), jobs_, note(text));
    return text;
  }
};

TEST_F(EndsOfGangs, OfAGangAreOne) {
  EXPECT_TRUE(ends_.any());
  EXPECT_EQ(add(1, 1s), "");
  EXPECT_EQ(add(0, 2s), "");
  EXPECT_EQ(add(2, 5s), "1 finished@5 0 finished@5 2 finished@5 ");
}

TEST_F(EndsOfGangs, OfOtherTasksAreTheirOwn) { EXPECT_EQ(add(3, 1s), "3 finished@1 "); }

TEST_F(EndsOfGangs, OfABrokenGangAreInVain) {
  EXPECT_EQ(add(1, 1s), "");
  EXPECT_EQ(add(0, 2s, Outcome::failed), "0 failed@2 1 killed@2 ");
  EXPECT_EQ(add(2, 3s), "2 killed@3 ") << "it had finished before it could be killed";
}

TEST_F(EndsOfGangs, OfTheNextAttemptAreWaitedForAnew) {
  add(0, 1s, Outcome::lost);
  add(1, 1s, Outcome::killed);
  add(2, 1s, Outcome::killed);
  launch_gang();
  EXPECT_EQ(add(2, 4s, Outcome::finished, 1), "");
  EXPECT_EQ(add(0, 5s, Outcome::finished, 1), "");
  EXPECT_EQ(add(1, 6s, Outcome::finished, 1), "2 finished@6 0 finished@6 1 finished@6 ");
}

TEST_F(EndsOfGangs, ForWhichNobodyWaitsAreLeftToTheScheduler) {
  jobs_.end(TaskId(1U), 0, Outcome::lost);
  std::string text;
  ends_.add(end_of(1, 1s, Outcome::finished, 0), jobs_,
            [&](const CompletionMessage& each) { text = name_of(each.outcome); });
  EXPECT_EQ(text, "finished");
}

TEST_F(EndsOfGangs, AreTakenBackWhereANodeIsGivenUp) {
  EXPECT_EQ(add(1, 1s), "");
  EXPECT_EQ(add(2, 2s), "");
  EXPECT_FALSE(ends_.lose(TaskId(0U)));
  const auto taken = ends_.lose(TaskId(1U));
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->finished, at(1s));
  EXPECT_EQ(taken->outcome, Outcome::lost);
  std::string text;
  ends_.break_up(TaskId(1U), 0, at(7s), note(text));
  EXPECT_EQ(text, "2 killed@7 ");
}

TEST(GangEnds, KnowWhetherThereAreAny) {
  const Workload plain = workload().job("j").stage(0, {.tasks = {1}, .gang = true}).build();
  EXPECT_FALSE(GangEnds(plain.catalogue).any()) << "a gang of one task is a task";
}

}  // namespace
}  // namespace somnus::harness
