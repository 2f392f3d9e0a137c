// Shared objects of others whose parts become parts of this program: their rows are the same rows.
#pragma once

#include <exception>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "scheduler/registry.hpp"

namespace somnus {

struct Plugin {
  std::string name, version;   // as it says
  std::filesystem::path file;  // absolute
  std::string digest;          // of the file

  /// "las 0.1 9f3ab2c41d0e77aa"
  [[nodiscard]] std::string text() const;
};

/// Loads it, unless it or another file of the same bytes has been. The plug-in, or what is wrong
/// with it, in words; no code of one that is no plug-in, not for this program, or has another
/// text() than the `required` one, if there is one, has run then.
[[nodiscard]] tl::expected<const Plugin*, std::string> load_plugin(
    const std::filesystem::path& file, std::string_view required = {});

/// In the order in which they were loaded. Each stays where it is.
[[nodiscard]] const std::vector<const Plugin*>& loaded_plugins();

/// One that was loaded and has that text(), wherever it is; nullptr: none.
[[nodiscard]] const Plugin* loaded_plugin(std::string_view text);

/// "las 0.1 (.../liblas.so), as far as can be seen" of all, for people; empty: there is none.
[[nodiscard]] std::string names_of_plugins();
/// The one whose part the error names, or else all of them; empty: it is this program's own.
[[nodiscard]] std::string plugins_blamed_for(const std::exception& error);

/// From which a part or preset comes; nullptr: from this program.
[[nodiscard]] const Plugin* plugin_of(const Part& part);
[[nodiscard]] const Plugin* plugin_of(const Preset& preset);

}  // namespace somnus
