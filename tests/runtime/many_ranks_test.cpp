// What rank 0 says to thousands of ranks: so much to each, and updates to their subscribers.
#include <gtest/gtest.h>

#include "harness/prompt_ranks.hpp"
#include "runtime/cluster_link.hpp"
#include "runtime/subscribers.hpp"

namespace somnus {
namespace {

constexpr int ranks = 3'001;  // of them 3,000 workers, each with a node

class ManyRanks : public ::testing::Test {
 protected:
  ManyRanks() {
    cluster_.groups.push_back({.count = ranks - 1, .slots = 1});
    membership_.gather();
  }

  RealTime began_ = ScaledClock::real_now();
  Cluster cluster_;
  Catalogue catalogue_;
  PromptRanks wire_{ranks};
  Membership membership_{wire_, {}};
};

TEST_F(ManyRanks, GetAsMuchEach) {
  ClusterLink link(membership_, cluster_, catalogue_, {});
  link.meet("settings");
  (void)link.start(1);
  EXPECT_TRUE(link.stop(std::chrono::seconds(30)).empty());
  const auto workers = static_cast<std::uint64_t>(ranks - 1);
  EXPECT_EQ(wire_.sent<SilenceRules>(), workers);
  EXPECT_EQ(wire_.sent<Hello>(), workers);
  EXPECT_EQ(wire_.sent<Start>(), workers);
  EXPECT_EQ(wire_.sent<Stop>(), workers);
  EXPECT_GE(wire_.sent<Ping>(), 16 * workers);
  const RealDuration took = ScaledClock::real_now() - began_;
  const auto seconds_begun = static_cast<std::uint64_t>(took / std::chrono::seconds(1)) + 1;
  EXPECT_LE(wire_.sent<Ping>(), (16 + seconds_begun) * workers);  // and one each second
  for (const WorkerFacts& facts : link.workers()) EXPECT_GE(facts.sync.count(), 16U);
}

TEST_F(ManyRanks, AreNumberedByHost) {
  EXPECT_EQ(membership_.host_of(0), 0U);
  EXPECT_EQ(membership_.host_of(49), 1U);  // after rank 0's own
  EXPECT_EQ(membership_.host_of(50), 2U);
  EXPECT_EQ(membership_.ranks_on_host_of(50), 50);
}

TEST_F(ManyRanks, HearOfAJobOnceTheyAreSentATaskOfIt) {
  ClusterLink link(membership_, cluster_, catalogue_, {});
  const JobUpdate arrived{.job = JobId(4U), .unfinished = 2};
  link.announce(arrived);
  link.flush();
  EXPECT_EQ(wire_.sent<JobUpdate>(), 0U);  // nobody has a task of it

  link.send(start_of_time, LaunchMessage{.node = NodeId(6U), .job = JobId(4U)});
  link.flush();
  EXPECT_EQ(wire_.sent<JobUpdate>(), 1U);
  EXPECT_EQ(wire_.sent<LaunchMessage>(), 1U);
  EXPECT_EQ(wire_.last_to(), 7);

  link.send(start_of_time, LaunchMessage{.node = NodeId(6U), .job = JobId(4U)});
  link.flush();
  EXPECT_EQ(wire_.sent<JobUpdate>(), 1U);  // it knows

  link.announce({.job = JobId(4U), .unfinished = 1});
  link.announce({.job = JobId(5U), .unfinished = 1});
  link.flush();
  EXPECT_EQ(wire_.sent<JobUpdate>(), 2U);
  EXPECT_EQ(wire_.last_to(), 7);
}

TEST(Subscribers, SendsTheLatestToANewSubscriberAndForgetsAJobThatHasEnded) {
  Subscribers subscribers;
  std::vector<int> reached;
  const auto send = [&](int rank) { reached.push_back(rank); };
  EXPECT_EQ(subscribers.subscribe(1, JobId(0U)), nullptr);  // nothing was ever said of it
  subscribers.publish({.job = JobId(0U), .unfinished = 3}, send);
  subscribers.publish({.job = JobId(0U), .unfinished = 2}, send);
  EXPECT_TRUE(reached.empty());
  const JobUpdate* update = subscribers.subscribe(1, JobId(0U));
  ASSERT_NE(update, nullptr);
  EXPECT_EQ(update->unfinished, 2U);
  EXPECT_EQ(subscribers.subscribe(1, JobId(0U)), nullptr);
  EXPECT_NE(subscribers.subscribe(8, JobId(0U)), nullptr);
  subscribers.publish({.job = JobId(0U), .unfinished = 0}, send);
  EXPECT_EQ(reached, (std::vector{1, 8}));
  EXPECT_EQ(subscribers.subscribe(9, JobId(0U)), nullptr);
}

}  // namespace
}  // namespace somnus
