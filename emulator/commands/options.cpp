#include "emulator/commands/commands.hpp"

namespace somnus {

std::vector<Override> overrides_of(const CommonOptions& options) {
  Mistakes mistakes;
  std::vector<Override> overrides;
  for (const std::string& text : options.set) {
    Checked<Override> one = parse_override(text);
    if (one) {
      overrides.push_back(std::move(*one));
    } else {
      mistakes.append(std::move(one.error()));
    }
  }
  if (mistakes.any()) throw UserError(std::move(mistakes));
  if (options.seed) overrides.push_back({"run.seed", std::to_string(*options.seed)});
  if (options.speed) overrides.push_back({"run.speed", fmt::format("{}", *options.speed)});
  if (!options.log.empty()) overrides.push_back(text_override("log.file", options.log));
  return overrides;
}

}  // namespace somnus
