// The words of a slurm.conf: statements of `Key=Value`, one a line or several, of nodes and
// partitions; and lists of hosts as Slurm writes them, n[1-3,7].
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/tables.hpp"
#include "text/mistake_collector.hpp"
#include "text/text_file.hpp"

namespace somnus::slurm_conf {

struct Setting {
  std::string key;    // as it was written
  std::string value;  // without quotes
  int line = 0;
  int column = 0;

  /// Slurm does not tell upper from lower case in keys and names of choices.
  [[nodiscard]] bool is(std::string_view name) const;
};

/// One line, and the lines that a backslash joins to it; at least one setting.
using Statement = std::vector<Setting>;

/// Without comments. What is no setting is a mistake.
[[nodiscard]] std::vector<Statement> read_statements(const TextFile& file,
                                                     MistakeCollector& mistakes);

/// In small letters: Slurm does not tell them apart.
[[nodiscard]] std::string canonical(std::string_view key);
[[nodiscard]] bool same_word(std::string_view one, std::string_view other);
/// "a,b=c" as a and b=c: at commas that are in no brackets, without empty pieces.
[[nodiscard]] std::vector<std::string> split_list(std::string_view text);
inline constexpr auto most_hosts = static_cast<std::size_t>(most_nodes);
/// The hosts of a list, in its order: n[01-02]x,m is n01x, n02x and m. None: the brackets or a
/// range are wrong, or there are more than a config has nodes.
[[nodiscard]] std::optional<std::vector<std::string>> hosts_of(std::string_view list);
/// "90" (minutes), "1:30" (minutes and seconds), "1-12", "1-12:00:00", in seconds.
[[nodiscard]] std::optional<double> seconds_of(std::string_view text);

}  // namespace somnus::slurm_conf
