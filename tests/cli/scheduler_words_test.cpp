#include "metrics/scheduler_words.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace somnus {
namespace {

TEST(SchedulerWords, AreThePresetsWhateverTheOrderOfTheLabels) {
  std::vector<std::string> labels = {"fair+order=srpt+queue.length=8", "yarn+q", "fair", "mine"};
  for (int turn = 0; turn < 2; ++turn) {
    const SchedulerWords words(labels);
    EXPECT_EQ(words.of("fair"), "fair");
    EXPECT_EQ(words.of(labels[turn == 0 ? 0 : 3]), "fair (2)");
    EXPECT_EQ(words.of("yarn+q"), "yarn+q");
    EXPECT_EQ(words.of("mine"), "mine");
    EXPECT_EQ(words.meanings(), "fair (2): order=srpt, queue.length=8\n");
    std::ranges::reverse(labels);
  }
}

TEST(SchedulerWords, AreWholeWhereThereIsNoPreset) {
  const std::vector<std::string> labels = {"+order=srpt", "", "sjf+placement=random"};
  const SchedulerWords words(labels);
  EXPECT_EQ(words.of("+order=srpt"), "+order=srpt");
  EXPECT_EQ(words.of(""), "");
  EXPECT_EQ(words.meanings(), "sjf: placement=random\n");
}

}  // namespace
}  // namespace somnus
