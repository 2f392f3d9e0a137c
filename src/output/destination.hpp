// Where a command may write: not over a file that it reads, not over anything but a plain file, and
// over an existing file only with --force. analysis/.../base/output.py says the
// same in Python, with the same sentences.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/error.hpp"

namespace somnus {

/// How an output is written: text goes from its beginning to its end, which a pipe or a terminal
/// takes, too; HDF5 goes back and forth, in a plain file alone.
enum class Written : std::uint8_t { in_order, back_and_forth };

struct OutputRules {
  std::vector<std::filesystem::path> inputs;  // what the command reads
  bool replace = false;                       // a file with something in it, as by --force
};

/// Why nothing may be written there; no mistakes: it may. A link stands for where it leads, whether
/// there is a file or not. An empty file is free.
[[nodiscard]] Mistakes objections_to_output(const std::filesystem::path& path,
                                            const OutputRules& rules,
                                            Written written = Written::in_order);

/// As the above, thrown as a UserError.
void require_output_allowed(const std::filesystem::path& path, const OutputRules& rules,
                            Written written = Written::in_order);

/// Where links lead from there: a path that is no link, and need not exist.
[[nodiscard]] std::filesystem::path resolved_path(const std::filesystem::path& path);

/// Throws a WorldError that says why `path`, which leads to `place`, can't be written, and which
/// folder is missing if that is it.
[[noreturn]] void fail_to_write(const std::filesystem::path& path,
                                const std::filesystem::path& place, int error);

/// A pipe, terminal or other character device, into which text is written as it comes; or a file
/// that has no name, as /dev/stdout may be one.
[[nodiscard]] bool is_stream(const std::filesystem::path& path);

/// Whether that is what this process prints its results to. They would stand amid the output.
[[nodiscard]] bool is_standard_output(const std::filesystem::path& path);

}  // namespace somnus
