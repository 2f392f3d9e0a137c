#include "base/random.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/hash.hpp"

namespace somnus {
namespace {

double mean_of_products(RandomStream a, RandomStream b) {
  double sum = 0;
  for (int draw = 0; draw < 10'000; ++draw) {
    const double x = a.uniform() - 0.5;
    const double y = b.uniform() - 0.5;
    sum += x * y;
  }
  return sum / 10'000;
}

TEST(RandomStream, IsTheSameForTheSameSeedNameAndIndex) {
  RandomStream a(7, "estimate", 3);
  RandomStream b(7, "estimate", 3);
  for (int draw = 0; draw < 100; ++draw) EXPECT_EQ(a.engine()(), b.engine()());
}

// Logs of earlier versions replay only as long as these stand.
TEST(RandomStream, DrawsTheseValuesOnEveryMachineAndInEveryVersion) {
  RandomStream stream(1, "estimate");
  EXPECT_DOUBLE_EQ(stream.uniform(), 0.83539048822072914);
  EXPECT_EQ(stream.integer(0, 1'000'000), 824788);
  EXPECT_DOUBLE_EQ(stream.exponential(2.0), 3.5329583861434632);
}

TEST(RandomStream, OfAnotherSeedNameOrIndexIsIndependent) {
  const RandomStream stream(1, "estimate", 0);
  const double three_deviations = 3 * (1.0 / 12) / std::sqrt(10'000.0);
  EXPECT_NEAR(mean_of_products(stream, RandomStream(2, "estimate", 0)), 0, three_deviations);
  EXPECT_NEAR(mean_of_products(stream, RandomStream(1, "network", 0)), 0, three_deviations);
  EXPECT_NEAR(mean_of_products(stream, RandomStream(1, "estimate", 1)), 0, three_deviations);
}

TEST(RandomStream, KeepsItsBoundsAndMeans) {
  RandomStream stream(5, "bounds");
  double uniforms = 0;
  double exponentials = 0;
  bool least = false;
  bool most = false;
  for (int draw = 0; draw < 100'000; ++draw) {
    const double uniform = stream.uniform(-2, 6);
    ASSERT_GE(uniform, -2);
    ASSERT_LT(uniform, 6);
    uniforms += uniform;
    const auto integer = stream.integer(1, 6);
    ASSERT_GE(integer, 1);
    ASSERT_LE(integer, 6);
    least |= integer == 1;
    most |= integer == 6;
    const double exponential = stream.exponential(3);
    ASSERT_GE(exponential, 0);
    exponentials += exponential;
  }
  EXPECT_TRUE(least && most);
  EXPECT_NEAR(uniforms / 100'000, 2, 0.03);
  EXPECT_NEAR(exponentials / 100'000, 3, 0.04);
}

TEST(Hash, IsTheSameOnEveryMachine) {
  EXPECT_EQ(hash64(""), 0x2d06800538d394c2U);  // XXH3's own test vector
  EXPECT_NE(hash64("a"), hash64("b"));
  EXPECT_NE(hash64("a", 1), hash64("a", 2));
}

}  // namespace
}  // namespace somnus
