// Which keys of a slurm.conf say who runs when and where, and which don't (slurm.conf of Slurm
// 22.05 and later).
#pragma once

#include <string_view>

#include "slurm_conf/statements.hpp"

namespace somnus::slurm_conf {

/// Ports, folders, logs, accounts, and all else of how Slurm itself runs.
[[nodiscard]] bool matters_not(std::string_view key);
/// What a config can say at least in part.
[[nodiscard]] bool is_read_later(std::string_view key);

/// Of a key of a NodeName line, why no config says it; nullptr: it does, or it does not matter.
[[nodiscard]] const char* why_missing_of_node(std::string_view key);
/// The same of a PartitionName line.
[[nodiscard]] const char* why_missing_of_partition(const Setting& setting);

}  // namespace somnus::slurm_conf
