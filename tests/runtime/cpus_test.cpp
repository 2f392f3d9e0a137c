#include "transport/cpus.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

namespace somnus {
namespace {

TEST(UsableCpus, AreThoseToWhichTheProcessIsBound) {
  EXPECT_GE(usable_cpus(), 1);
  int bound_to_one = 0;
  std::thread thread([&] {  // binds itself and nobody else
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
    if (sched_setaffinity(0, sizeof one, &one) == 0) bound_to_one = usable_cpus();
  });
  thread.join();
  EXPECT_EQ(bound_to_one, 1);
}

}  // namespace
}  // namespace somnus
