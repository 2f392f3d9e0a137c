// What there is to say of a table beside its workload: columns that are not there, rows that are
// left out, and why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/parameters.hpp"
#include "formats/table_sample.hpp"
#include "model/workload.hpp"

namespace somnus {

struct TableCheck {
  std::vector<std::string> left_out;  // why rows are, with skip_broken = true: a sentence a cause
  std::vector<std::string> warnings;  // the table is read, but hardly as it is meant
};

/// Of its first rows. `file` is for messages.
[[nodiscard]] TableCheck check_table(const TableSample& sample, const std::string& file,
                                     const Parameters& parameters);

/// What is wrong with the columns that were given; nothing: they are there.
[[nodiscard]] std::optional<Mistakes> check_given(const TableSample& sample,
                                                  const std::string& file, const Parameters& given);

/// What jobs say that can hardly be meant, such as limits that most of them exceed.
[[nodiscard]] std::vector<std::string> doubts_about(const WorkloadSpec& workload);

}  // namespace somnus
