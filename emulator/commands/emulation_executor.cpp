#include "emulator/commands/emulation_executor.hpp"

#include <fmt/format.h>

#include <fstream>

#include "config/config.hpp"
#include "emulator/commands/commands.hpp"
#include "emulator/commands/launcher.hpp"
#include "emulator/commands/signals.hpp"
#include "log/reader.hpp"
#include "output/folder.hpp"

namespace somnus {
namespace {

class EmulationExecutor final : public RunExecutor {
 public:
  EmulationExecutor(const std::filesystem::path& folder, int ranks)
      : scratch_(folder), ranks_(ranks > 0 ? ranks : ranks_for_this_machine()) {}

  void carry_out(const std::vector<RunSpec>& specs, const OnOutcome& done) override {
    for (std::size_t at = 0; at < specs.size(); ++at) {
      if (times_asked_to_stop() > 0) return;
      RunOutcome outcome;
      try {
        outcome.result = emulated(specs[at]);
      } catch (const std::exception&) {
        outcome.error = std::current_exception();
      }
      done(at, std::move(outcome));
    }
  }

 private:
  /// None: it was asked to end.
  std::optional<RunResult> emulated(const RunSpec& spec) {
    Settings settings = spec.settings;
    const bool kept = !settings.log.file.empty();
    const std::filesystem::path config = scratch_.file("run.toml");
    const std::string log = kept ? settings.log.file : scratch_.file("run.h5").string();
    settings.log.file.clear();
    if (!settings.workload.file.empty()) {  // the config stands elsewhere than its origin
      settings.workload.file = std::filesystem::absolute(workload_path(settings)).string();
    }
    std::ofstream(config) << to_toml(settings);
    std::vector<std::string> words = {"somnus", "run",     config.string(), "--log",
                                      log,      "--quiet", "--force"};
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    const int code = run_under_mpirun(ranks_, static_cast<int>(argv.size()), argv.data(), log);
    if (times_asked_to_stop() > 0) return {};
    if (code != exit_fine) {
      throw WorldError(fmt::format("the emulation ended with exit code {}", code));
    }
    return result_of(spec, value_or_throw(read_log(log)));
  }

  ScratchFolder scratch_;
  int ranks_;
};

}  // namespace

std::unique_ptr<RunExecutor> emulation_executor(const std::filesystem::path& folder, int ranks) {
  return std::make_unique<EmulationExecutor>(folder, ranks);
}

}  // namespace somnus
