#include "session/outputs.hpp"

#include "config/config.hpp"
#include "print/printable.hpp"
#include "session/tables.hpp"

namespace somnus {

Outputs::Outputs(const Settings& settings, const LogHeader& header, const LogTables& initial,
                 const OutputOptions& options) {
  if (!settings.log.file.empty()) {
    LogOptions log_options = log_options_of(settings, options.replace_log);
    log_options.appears_on_request = options.appears_on_request;
    log_options.inputs.insert(log_options.inputs.end(), options.inputs.begin(),
                              options.inputs.end());
    log_ = std::make_unique<LogWriter>(settings.log.file, header, initial, log_options);
  }
  if (options.show_progress) {
    progress_.emplace(Progress::About{.title = printable(label_of(settings)),
                                      .slots = settings.cluster.slot_count(),
                                      .until_s = settings.run.until_s,
                                      .speed = header.mode == "run" ? header.speed : 0,
                                      .silence = options.silence});
  }
}

void Outputs::go_on_from(Time now) {
  if (log_ != nullptr) log_->appear();
  if (progress_) progress_->go_on_from(now);
}

}  // namespace somnus
