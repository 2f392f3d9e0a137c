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
    progress_.emplace(printable(label_of(settings)), settings.cluster.slot_count(),
                      end_of(settings));
  }
}

void Outputs::go_on_from(Time now, const Engine& engine) {
  if (log_ != nullptr) log_->appear();
  if (progress_) progress_->go_on_from(now, engine);
}

}  // namespace somnus
