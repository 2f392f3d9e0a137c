// What a run writes and shows while it goes on: its log, if the settings name one, and the progress
// line, if it is to be seen.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "log/log.hpp"
#include "log/writer.hpp"
#include "session/progress.hpp"

namespace somnus {

struct OutputOptions {
  bool show_progress = false;
  bool replace_log = false;
  bool appears_on_request = false;                 // the log, by go_on_from()
  std::vector<std::filesystem::path> inputs = {};  // what else is read, and never replaced
  std::function<std::string()> silence = {};       // which rank is silent; may be empty
};

class Outputs {
 public:
  /// initial: the tables as they stand before the run. Throws as LogWriter does.
  Outputs(const Settings& settings, const LogHeader& header, const LogTables& initial,
          const OutputOptions& options);

  /// nullptr: there is none.
  [[nodiscard]] LogWriter* log() const { return log_.get(); }
  /// nullptr: it is not shown, or not any more.
  [[nodiscard]] Progress* progress() { return progress_ ? &*progress_ : nullptr; }
  /// Of a run that is resumed: all that was is written.
  void go_on_from(Time now);
  void end_progress() { progress_.reset(); }

 private:
  std::unique_ptr<LogWriter> log_;
  std::optional<Progress> progress_;
};

}  // namespace somnus
