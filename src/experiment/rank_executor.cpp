#include "experiment/rank_executor.hpp"

#include <chrono>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

#include "experiment/work_items.hpp"
#include "session/workload_source.hpp"

namespace somnus {
namespace {

constexpr auto between_looks = std::chrono::microseconds(500);

/// Keeps the latest workload, for the next spec may be of it.
class LatestWorkload {
 public:
  std::shared_ptr<const Workload> of(const RunSpec& spec) {
    if (latest_ != nullptr && key_ == spec.workload) {
      Mistakes objections = objections_to_shared(*latest_, spec.settings);
      if (objections.any()) throw UserError(std::move(objections));
      return latest_;
    }
    latest_.reset();
    latest_ = std::make_shared<const Workload>(value_or_throw(workload_of(spec.settings)));
    key_ = spec.workload;
    return latest_;
  }

 private:
  std::string key_;
  std::shared_ptr<const Workload> latest_;
};

/// A thread that carries out one run after another, while its rank receives.
class RunThread {
 public:
  explicit RunThread(std::atomic<int>* stop) : stop_(stop), thread_([this] { work(); }) {}
  ~RunThread() {
    {
      const std::scoped_lock lock(mutex_);
      over_ = true;
    }
    thread_.join();
  }
  RunThread(const RunThread&) = delete;
  RunThread& operator=(const RunThread&) = delete;

  void take(NumberedRun spec) {
    const std::scoped_lock lock(mutex_);
    todo_.push_back(std::move(spec));
  }
  /// What it has done since.
  [[nodiscard]] std::optional<NumberedOutcome> done() {
    const std::scoped_lock lock(mutex_);
    if (done_.empty()) return std::nullopt;
    NumberedOutcome first = std::move(done_.front());
    done_.pop_front();
    return first;
  }

 private:
  void work() {
    while (true) {
      std::optional<NumberedRun> spec;
      {
        const std::scoped_lock lock(mutex_);
        if (over_) return;
        if (!todo_.empty()) {
          spec = std::move(todo_.front());
          todo_.pop_front();
        }
      }
      if (!spec) {
        std::this_thread::sleep_for(between_looks);
        continue;
      }
      NumberedOutcome outcome{
          .number = spec->number,
          .outcome = outcome_of(spec->spec, [&] { return workloads_.of(spec->spec); }, stop_)};
      const std::scoped_lock lock(mutex_);
      done_.push_back(std::move(outcome));
    }
  }

  std::atomic<int>* stop_;
  std::mutex mutex_;
  std::deque<NumberedRun> todo_;
  std::deque<NumberedOutcome> done_;
  bool over_ = false;
  LatestWorkload workloads_;
  std::thread thread_;  // last: it uses the others
};

class RankExecutor final : public RunExecutor {
 public:
  RankExecutor(Membership& membership, std::atomic<int>* stop)
      : membership_(membership), stop_(stop) {}

  void carry_out(const std::vector<RunSpec>& specs, const OnOutcome& done) override {
    std::atomic<int> own_stop = 0;  // of our thread: also where a rank is lost
    const std::unique_ptr<RunThread> thread = std::make_unique<RunThread>(&own_stop);
    try {
      share_out(specs, done, *thread, own_stop);
    } catch (...) {
      own_stop = 1;
      throw;
    }
  }

 private:
  void share_out(const std::vector<RunSpec>& specs, const OnOutcome& done, RunThread& thread,
                 std::atomic<int>& own_stop) {
    std::size_t next = 0;
    std::size_t under_way = 0;
    std::vector<bool> busy(static_cast<std::size_t>(membership_.wire().size()));
    const auto came_back = [&](std::size_t rank, NumberedOutcome outcome) {
      busy[rank] = false;
      --under_way;
      done(outcome.number, std::move(outcome.outcome));
    };
    bool stop_sent = false;
    while (under_way > 0 || next < specs.size()) {
      if (stop_ != nullptr && stop_->load() != 0 && !std::exchange(stop_sent, true)) {
        next = specs.size();
        own_stop = 1;
        for (int rank = 1; rank < membership_.wire().size(); ++rank)
          membership_.post(rank, packet(Stop{}));
      }
      for (std::size_t rank = 0; rank < busy.size() && next < specs.size(); ++rank) {
        if (busy[rank]) continue;
        busy[rank] = true;
        ++under_way;
        NumberedRun spec{.number = next, .spec = specs[next]};
        ++next;
        if (rank == 0) {
          thread.take(std::move(spec));
        } else {
          membership_.post(static_cast<int>(rank), packet(WorkItem{text_of(spec)}));
        }
      }
      if (auto outcome = thread.done()) came_back(0, std::move(*outcome));
      if (!listen(came_back, specs.size())) std::this_thread::sleep_for(between_looks);
      membership_.look();
    }
  }

  /// Whether anything has come.
  template <class CameBack>
  bool listen(CameBack&& came_back, std::size_t specs) {
    int from = 0;
    Bytes bytes;
    bool heard = false;
    while (membership_.receive(from, bytes)) {
      heard = true;
      if (kind_of(bytes) != packet_kind<WorkItemDone>) continue;
      NumberedOutcome outcome = read_outcome(contents<WorkItemDone>(bytes).text);
      if (outcome.number >= specs)
        throw WorldError(membership_.name_of(from) + " did what nobody asked for");
      came_back(static_cast<std::size_t>(from), std::move(outcome));
    }
    return heard;
  }

  Membership& membership_;
  std::atomic<int>* stop_;
};

/// A worker: it receives work items and sends outcomes, while its thread runs.
class WorkItemRank {
 public:
  WorkItemRank(Wire& wire, const std::atomic<int>* stop)
      : wire_(wire), stop_(stop), thread_(&give_up_) {}

  void run() {
    silence_.begins(ScaledClock::real_now());
    wire_.send(0, packet(HostName{this_host()}));
    while (!over_) {
      bool busy = false;
      int from = 0;
      for (Bytes bytes; !over_ && wire_.receive(from, bytes); busy = true) handle(bytes);
      if (auto done = thread_.done()) wire_.send(0, packet(WorkItemDone{text_of(*done)}));
      watch_rank_0();
      if (stop_->load() != 0) give_up_ = 1;
      if (!busy) std::this_thread::sleep_for(between_looks);
    }
    give_up_ = 1;
  }

 private:
  void handle(const Bytes& bytes) {
    silence_.heard(ScaledClock::real_now());
    if (const std::string error = error_in(bytes); !error.empty()) throw WorldError(error);
    const std::byte kind = kind_of(bytes);
    if (kind == packet_kind<SilenceRules>) {
      limit_ = RealDuration(contents<SilenceRules>(bytes).front().silence_ns);
    } else if (kind == packet_kind<Ping>) {
      const std::int64_t now_ns = ScaledClock::real_now().time_since_epoch().count();
      wire_.send(
          0, packet(Pong{.sent_ns = contents<Ping>(bytes).front().sent_ns, .worker_ns = now_ns}));
    } else if (kind == packet_kind<WorkItem>) {
      thread_.take(read_run(contents<WorkItem>(bytes).text));
    } else if (kind == packet_kind<Stop>) {
      give_up_ = 1;
    } else if (kind == packet_kind<Leave>) {
      over_ = true;
    }
  }

  void watch_rank_0() {
    const RealTime now = ScaledClock::real_now();
    silence_.listened(now);
    if (silence_.of(now) > limit_) {
      give_up_ = 1;
      throw WorldError("rank 0 is lost: nothing was heard of it for too long");
    }
  }

  Wire& wire_;
  const std::atomic<int>* stop_;
  std::atomic<int> give_up_ = 0;  // of the run in progress
  Silence silence_;
  RealDuration limit_{std::chrono::seconds(20)};
  bool over_ = false;
  RunThread thread_;
};

}  // namespace

std::unique_ptr<RunExecutor> rank_executor(Membership& membership, std::atomic<int>* stop) {
  return std::make_unique<RankExecutor>(membership, stop);
}

void serve_work_items(Wire& wire, const std::atomic<int>* stop) { WorkItemRank(wire, stop).run(); }

}  // namespace somnus
