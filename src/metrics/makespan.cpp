#include "metrics/makespan.hpp"

namespace somnus {

Makespan makespan_of(const Log& log) {
  Makespan whole;
  for (const JobRow& job : log.tables.jobs) whole.from = std::fmin(whole.from, job.submit);
  for (const TaskRow& row : log.tasks) {
    if (!std::isnan(row.start)) whole.to = std::fmax(whole.to, row.finish);
  }
  return whole;
}

}  // namespace somnus
