// Response times and slowdowns of some of a run's jobs.
#pragma once

#include "log/schema.hpp"
#include "metrics/sample.hpp"

namespace somnus {

struct ResponseSamples {
  Sample response;
  Sample slowdown;

  /// A job that has ended.
  void add(const JobRow& job) {
    const double time = job.finish - job.submit;
    response.add(time);
    if (job.alone > 0) slowdown.add(time / job.alone);
  }
  void sort() {
    response.sort();
    slowdown.sort();
  }
};

}  // namespace somnus
