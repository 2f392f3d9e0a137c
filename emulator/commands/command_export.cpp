#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <nlohmann/json.hpp>

#include "emulator/commands/commands.hpp"
#include "output/destination.hpp"

namespace somnus {

int export_a_log(const LogExportRequest& request, const CommonOptions& output) {
  const LogExported done = value_or_throw(export_log(request));
  if (!done.damage.empty()) {
    spdlog::warn("{}: {}; what was exported is not to be trusted (see `somnus check`)", request.log,
                 done.damage);
  }
  if (output.json) {
    nlohmann::json rows = nlohmann::json::object();
    for (const auto& [what, count] : done.rows) rows[what] = count;
    const nlohmann::json all = {{"log", request.log},
                                {"output", request.output.string()},
                                {"format", name_of(done.format)},
                                {"rows", rows}};
    fmt::print("{}\n", all.dump(2));
  } else if (!output.quiet && !is_standard_output(request.output)) {
    fmt::print("{}\n", request.output.string());
    for (const auto& [what, count] : done.rows) fmt::print("  {:<28} {:>12}\n", what, count);
  }
  return exit_fine;
}

}  // namespace somnus
