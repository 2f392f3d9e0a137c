#include "base/suggest.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace somnus {
namespace {

const std::vector<std::string> keys{"nodes", "slots_per_node", "resources"};

TEST(Suggest, NamesTheCandidateThatWasMeant) {
  EXPECT_EQ(suggest("slots_per_nodes", keys), "did you mean 'slots_per_node'?");
  EXPECT_EQ(suggest("slot_per_node", keys), "did you mean 'slots_per_node'?");
  EXPECT_EQ(suggest("resuorces", keys), "did you mean 'resources'?");
  EXPECT_EQ(suggest("nodse", keys), "did you mean 'nodes'?");
}

TEST(Suggest, ListsTheFewThatThereAreWhenNoneIsNear) {
  EXPECT_EQ(suggest("frequency", keys), "known are nodes, slots_per_node, resources");
}

TEST(Suggest, AllowsOneEditInThreeLettersAndNoMore) {
  EXPECT_EQ(suggest("nodex", std::vector<std::string>{"nodes"}), "did you mean 'nodes'?");
  EXPECT_EQ(suggest("noxxx", std::vector<std::string>{"nodes"}), "known are nodes");
}

TEST(Suggest, TakesTheNearestOfSeveral) {
  EXPECT_EQ(suggest("slots_c", std::vector<std::string>{"slots_ab", "slots_a", "slots_cd_"}),
            "did you mean 'slots_a'?");
}

TEST(Suggest, KnowsWordsInAnotherOrder) {
  const std::vector<std::string> figures{"narrow_response_mean_s", "response_mean_s",
                                         "response_p95_s", "slowdown_mean"};
  EXPECT_EQ(suggest("mean_response_s", figures), "did you mean 'response_mean_s'?");
  EXPECT_EQ(suggest("mean_response", figures), "did you mean 'response_mean_s'?");
  EXPECT_EQ(suggest("mean", figures).substr(0, 9), "known are") << "a single word says too little";
}

TEST(Suggest, IsSilentWhenThereAreTooManyToList) {
  std::vector<std::string> many;
  for (int at = 0; at < 13; ++at) many.push_back("candidate-" + std::to_string(at));
  EXPECT_EQ(suggest("xyz", many), "");
  many.pop_back();
  EXPECT_NE(suggest("xyz", many), "");
}

}  // namespace
}  // namespace somnus
