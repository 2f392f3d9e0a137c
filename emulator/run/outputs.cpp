#include "emulator/run/outputs.hpp"

#include "config/config.hpp"
#include "emulator/print/printable.hpp"
#include "emulator/run/tables.hpp"

namespace somnus {

Outputs::Outputs(const Settings& settings, const LogHeader& header, const LogTables& initial,
                 const OutputOptions& options) {
  if (!settings.log.file.empty()) {
    log_ = std::make_unique<LogWriter>(settings.log.file, header, initial,
                                       log_options_of(settings, options.replace_log));
  }
  if (options.show_progress) {
    progress_.emplace(printable(label_of(settings)), settings.cluster.slot_count(),
                      end_of(settings));
  }
}

}  // namespace somnus
