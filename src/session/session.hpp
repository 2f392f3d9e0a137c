// One run, under whichever clock: its settings and workload, the scheduler that decides, and who
// observes it, the log and the progress line. Clock and nodes are the caller's: simulation.cpp has
// them in this process, emulation.cpp on other ranks.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "config/settings.hpp"
#include "log/log.hpp"
#include "model/workload.hpp"
#include "runtime/loop.hpp"
#include "scheduler/engine.hpp"
#include "scheduler/estimator.hpp"
#include "session/outputs.hpp"
#include "session/recorder.hpp"

namespace somnus {

struct SessionOptions {
  OutputOptions outputs{};
  bool keep_rows = true;               // in the log that is given, where no file takes them
  bool measure_latency = false;        // of rounds, in real time
  std::function<void()> at_samples{};  // what else is written then; may be empty
  std::atomic<int>* stop = nullptr;    // not 0: end early
};

class Session {
 public:
  /// log: header and tables as they stand before the run. All must outlive the session. Throws as
  /// LogWriter does.
  Session(const Settings& settings, const Workload& workload, Log& log,
          const SessionOptions& options);
  Session(const Session&) = delete;  // its parts point to each other
  Session& operator=(const Session&) = delete;

  /// Rank 0's loop, to go through once. resumption: of a run that goes on.
  template <class SomeClock, class SomeTransport>
  [[nodiscard]] auto loop(SomeClock& clock, SomeTransport& transport,
                          std::optional<Resumption> resumption = {}) {
    return Loop(workload_, *engine_, *estimator_, clock, transport, recorder_, loop_options_,
                std::move(resumption));
  }
  /// All rows and tables are as the run leaves them. The file, if there is one, is still open.
  void finish();

  [[nodiscard]] Outputs& outputs() { return outputs_; }
  /// nullptr: no file is written.
  [[nodiscard]] LogWriter* writer() { return outputs_.log(); }
  [[nodiscard]] Engine& engine() { return *engine_; }
  [[nodiscard]] Estimator& estimator() { return *estimator_; }
  [[nodiscard]] Recorder& recorder() { return recorder_; }

 private:
  const Settings& settings_;
  const Workload& workload_;
  Log& log_;
  Outputs outputs_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Estimator> estimator_;
  Recorder recorder_;
  LoopOptions loop_options_;
};

}  // namespace somnus
