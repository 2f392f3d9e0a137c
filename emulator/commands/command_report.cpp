#include "emulator/commands/command_report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/error.hpp"

namespace somnus {
namespace {

namespace fs = std::filesystem;

// Another Python may stand first in the PATH than Debian's, which sees Debian's packages.
constexpr const char* hand_over = R"python(
import os, sys
try:
    from somnus_analysis.__main__ import main
except ModuleNotFoundError as error:
    debian = "/usr/bin/python3"
    if sys.executable != debian and os.access(debian, os.X_OK):
        os.execv(debian, [debian, *sys.orig_argv[1:]])
    print("somnus: report needs the Python package 'somnus_analysis', which is neither beside the "
          "program (share/somnus/analysis), nor in its source tree, nor on PYTHONPATH"
          if error.name == "somnus_analysis" else
          f"somnus: report needs Python's module '{error.name}', which {sys.executable} does not "
          "have; on Debian: apt-get install python3-h5py python3-pandas python3-matplotlib",
          file=sys.stderr)
    sys.exit(3)
sys.exit(main(sys.argv[1:]))
)python";

// Empty where the system does not tell.
fs::path this_program() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

// Beside an installed program, or in the source tree that it was built in; none: not there.
std::optional<fs::path> analysis_folder(const fs::path& program) {
  std::error_code error;
  const auto holds_it = [&](const fs::path& folder) {
    return fs::exists(folder / "somnus_analysis" / "__main__.py", error);
  };
  for (fs::path folder = program.parent_path(); folder != folder.root_path();
       folder = folder.parent_path()) {
    for (const char* const place : {"share/somnus/analysis", "analysis"}) {
      if (holds_it(folder / place)) return folder / place;
    }
  }
  return std::nullopt;
}

void let_python_find(const fs::path& folder) {
  const char* const before = std::getenv("PYTHONPATH");
  const std::string path =
      before == nullptr ? folder.string() : fmt::format("{}:{}", folder.string(), before);
  setenv("PYTHONPATH", path.c_str(), 1);
}

}  // namespace

void describe(CLI::App& app, ReportOptions& options) {
  app.add_option("log", options.logs, "logs of somnus")->required()->type_name("LOG");
  app.add_option("-o,--output", options.output, "the page (default report.html)")
      ->type_name("FILE");
  app.add_flag("--force", options.force, "replace what is there already");
  app.add_flag("-q,--quiet", options.quiet, "do not say where it is");
  app.footer(
      "Logs that differ in their seeds alone count as one scheduler's, with 95 % intervals.\n"
      "A log of a run that still goes on, or was cut off, will do. Needs Python with h5py, pandas\n"
      "and matplotlib.\n"
      "  somnus report fifo.h5 fair.h5 cfq.h5 -o report.html");
}

int report(const ReportOptions& options) {
  const fs::path program = this_program();
  if (const auto folder = analysis_folder(program)) let_python_find(*folder);
  std::vector<std::string> words = {"python3", "-B", "-c", hand_over, "report"};
  if (options.quiet) words.emplace_back("--quiet");
  if (options.force) words.emplace_back("--force");
  if (!program.empty()) words.insert(words.end(), {"--somnus", program.string()});
  words.insert(words.end(), {"--output", options.output, "--"});
  words.insert(words.end(), options.logs.begin(), options.logs.end());
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::fflush(nullptr);
  execvp("python3", arguments.data());
  execv("/usr/bin/python3", arguments.data());
  throw WorldError(
      fmt::format("cannot start python3, which report needs: {}; on Debian: apt-get install "
                  "python3-h5py python3-pandas python3-matplotlib",
                  std::strerror(errno)));
}

}  // namespace somnus
