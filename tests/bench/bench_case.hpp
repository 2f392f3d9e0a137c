// What all simulation benchmarks run: the benchmark trace on 1,000 nodes with 8 slots each.
#pragma once

#include <string>

#include "config/settings.hpp"
#include "model/workload.hpp"

namespace somnus {

struct BenchCase {
  std::string policy = "fifo";
  double delay_ms = 0;   // each way
  std::string log_file;  // empty: no log
};

/// The settings of a case. An unusable one ends the benchmark with an exception.
[[nodiscard]] Settings settings_of(const BenchCase& one);

/// traces/bench/w543k, or where it is not at hand a generated one of about its size. Read once.
[[nodiscard]] const Workload& bench_workload();
/// Which of the two, for labels.
[[nodiscard]] std::string bench_workload_name();

}  // namespace somnus
