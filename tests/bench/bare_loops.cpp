#include "bare_loops.hpp"

#include <cerrno>
#include <cstdio>
#include <functional>
#include <memory>
#include <queue>
#include <system_error>
#include <tuple>
#include <vector>

#include "log/schema.hpp"

namespace somnus {
namespace {

template <class T>
using MinHeap = std::priority_queue<T, std::vector<T>, std::greater<T>>;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

template <class Row>
void write_row(const Row& row, std::FILE* file) {
  if (std::fwrite(&row, sizeof row, 1, file) == 1) return;
  throw std::system_error(errno, std::generic_category(), "fwrite");
}

}  // namespace

Time bare_fifo(const Workload& workload, std::uint32_t slots, Duration delay) {
  enum class Kind : std::uint32_t { launch_arrives, task_ends, end_is_heard };
  struct Item {
    Time time;
    Kind kind;
    std::uint32_t task;
    bool operator>(const Item& other) const {
      return std::tie(time, kind, task) > std::tie(other.time, other.kind, other.task);
    }
  };
  const std::vector<Job>& jobs = workload.catalogue.jobs;
  MinHeap<Item> heap;
  Time last;
  std::uint32_t ended = 0;
  std::size_t next_job = 0;
  std::uint32_t arrived = 0;   // tasks of the jobs that have
  std::uint32_t launched = 0;  // tasks, in order of arrival
  while (ended < workload.catalogue.tasks) {
    const Time arrival = next_job < jobs.size() ? jobs[next_job].submit : never;
    Time now = arrival;
    if (!heap.empty() && heap.top().time <= arrival) {
      const Item item = heap.top();
      heap.pop();
      now = item.time;
      switch (item.kind) {
        case Kind::launch_arrives:
          heap.push({now + workload.truth[TaskId(item.task)], Kind::task_ends, item.task});
          continue;
        case Kind::task_ends:
          heap.push({now + delay, Kind::end_is_heard, item.task});
          continue;
        case Kind::end_is_heard:
          ++slots;
          ++ended;
          last = now;
          break;
      }
    } else {
      arrived += jobs[next_job++].tasks;
    }
    for (; slots > 0 && launched < arrived; ++launched, --slots) {
      heap.push({now + delay, Kind::launch_arrives, launched});
    }
  }
  return last;
}

Time bare_cfq(const Workload& workload, std::uint32_t slots) {
  struct Finish {
    double at;  // virtual, slot-seconds
    std::uint32_t job;
    bool operator>(const Finish& other) const {
      return std::tie(at, job) > std::tie(other.at, other.job);
    }
  };
  const std::vector<Job>& jobs = workload.catalogue.jobs;
  const double all_slots = slots;
  MinHeap<Finish> fluid;    // jobs that are active in GPS
  MinHeap<Finish> waiting;  // jobs with tasks to launch
  MinHeap<Time> ends;
  std::vector<std::uint32_t> launched(jobs.size());
  double virtual_time = 0;
  double fluid_time = 0;  // s
  Time last;
  std::uint32_t ended = 0;
  std::size_t next_job = 0;
  while (ended < workload.catalogue.tasks) {
    const Time arrival = next_job < jobs.size() ? jobs[next_job].submit : never;
    Time now = arrival;
    if (!ends.empty() && ends.top() <= arrival) {
      now = ends.top();
      ends.pop();
      ++slots;
      ++ended;
      last = now;
    } else {
      const double until = in_seconds(arrival);
      while (!fluid.empty()) {
        const double share = all_slots / static_cast<double>(fluid.size());
        const double leaves = fluid_time + (fluid.top().at - virtual_time) / share;
        if (leaves > until) {
          virtual_time += (until - fluid_time) * share;
          break;
        }
        virtual_time = fluid.top().at;
        fluid_time = leaves;
        fluid.pop();
      }
      fluid_time = until;
      const Duration work = slot_time(workload.truth.of(jobs[next_job]));
      const Finish finish{virtual_time + in_seconds(work), static_cast<std::uint32_t>(next_job)};
      fluid.push(finish);
      waiting.push(finish);
      ++next_job;
    }
    for (; slots > 0 && !waiting.empty(); --slots) {
      const Job& job = jobs[waiting.top().job];
      std::uint32_t& count = launched[waiting.top().job];
      ends.push(now + workload.truth[TaskId(job.first_task.value() + count)]);
      if (++count == job.tasks) waiting.pop();
    }
  }
  return last;
}

void bare_append(const Workload& workload, const char* path) {
  constexpr std::size_t buffer_size = std::size_t{256} << 10;
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path, "wb"));
  if (file == nullptr) throw std::system_error(errno, std::generic_category(), path);
  std::setvbuf(file.get(), nullptr, _IOFBF, buffer_size);
  for (std::uint32_t task = 0; task < workload.catalogue.tasks; ++task) {
    const StageId stage = workload.catalogue.stage_of[task];
    const Job& job = workload.catalogue[workload.catalogue[stage].job];
    const double submit = in_seconds(job.submit);
    const double nominal = in_seconds(workload.truth[TaskId(task)]);
    write_row(
        Stamped<Launch>{{submit, task, task}, {.task = TaskId(task), .node = NodeId(task % 1000)}},
        file.get());
    write_row(Stamped<TaskEnded>{{submit + nominal, task, task},
                                 {.task = TaskId(task), .own = {nominal}}},
              file.get());
    write_row(TaskRow{.job = workload.catalogue[stage].job.value(),
                      .stage = stage.value(),
                      .index = task - job.first_task.value(),
                      .node = task % 1000,
                      .ready = submit,
                      .placed = submit,
                      .queued = submit,
                      .start = submit,
                      .finish = submit + nominal,
                      .intended = nominal,
                      .nominal = nominal},
              file.get());
  }
}

}  // namespace somnus
