// What a slurm.conf says of a site, as a config of Somnus: nodes, scheduler, priorities; and what
// it says that no config of Somnus can.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "text/text_file.hpp"

namespace somnus::slurm_conf {

/// A setting that matters to who runs when and where, and that the config does not carry.
struct Missing {
  int line = 0;         // 0: it is not there, and its default matters
  std::string setting;  // KEY=VALUE, or SchedulerParameters' part
  std::string why;

  friend bool operator==(const Missing&, const Missing&) = default;
};

struct Site {
  std::string config;  // TOML; what is missing stands in it as comments
  std::vector<Missing> missing;
  std::size_t others = 0;  // settings that do not matter: ports, folders, logs, accounts
};

/// `partition`: whose nodes; empty: there must be one only. Mistakes: what can't be read, and a
/// partition that has to be chosen, or is not there.
[[nodiscard]] Checked<Site> site_of(const TextFile& file, std::string_view partition);

}  // namespace somnus::slurm_conf
