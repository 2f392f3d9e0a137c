#include "emulator/commands/python_package.hpp"

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
    from somnus.analysis.__main__ import main
except ModuleNotFoundError as error:
    debian = "/usr/bin/python3"
    if sys.executable != debian and os.access(debian, os.X_OK):
        os.execv(debian, [debian, *sys.orig_argv[1:]])
    print("somnus: this needs the Python package 'somnus', which is neither beside the "
          "program (share/somnus/analysis), nor in its source tree, nor installed for Python"
          if error.name in ("somnus", "somnus.analysis") else
          f"somnus: this needs Python's module '{error.name}', which {sys.executable} does not "
          "have; on Debian: apt-get install python3-h5py python3-pandas python3-matplotlib",
          file=sys.stderr)
    sys.exit(3)
sys.exit(main(sys.argv[2:], sys.argv[1]))
)python";

// Empty where the system does not say.
fs::path this_program() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

// Beside an installed program, or in the source tree that it was built in; none: not there.
std::optional<fs::path> analysis_folder(const fs::path& program) {
  std::error_code error;
  const auto holds_it = [&](const fs::path& folder) {
    return fs::exists(folder / "somnus" / "analysis" / "__main__.py", error);
  };
  for (fs::path folder = program.parent_path(); folder != folder.root_path();
       folder = folder.parent_path()) {
    for (const char* const place : {"share/somnus/analysis", "analysis"}) {
      if (holds_it(folder / place)) return folder / place;
    }
  }
  return std::nullopt;
}

}  // namespace

void let_python_find_package() {
  const auto folder = analysis_folder(this_program());
  if (!folder) return;
  const char* const before = std::getenv("PYTHONPATH");
  const std::string path = before == nullptr || *before == '\0'
                               ? folder->string()
                               : fmt::format("{}:{}", folder->string(), before);
  setenv("PYTHONPATH", path.c_str(), 1);
}

void hand_over_to_python(const std::string& called, std::vector<std::string> words) {
  const fs::path program = this_program();
  if (!program.empty()) setenv("SOMNUS", program.c_str(), 0);
  words.insert(words.begin(), {"python3", "-B", "-c", hand_over, called});
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::fflush(nullptr);
  execvp("python3", arguments.data());
  execv("/usr/bin/python3", arguments.data());
  throw WorldError(
      fmt::format("cannot start python3, which this needs: {}; on Debian: apt-get install "
                  "python3-h5py python3-pandas python3-matplotlib",
                  std::strerror(errno)));
}

}  // namespace somnus
