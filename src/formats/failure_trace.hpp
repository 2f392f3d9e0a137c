// The tables of the Failure Trace Archive: when which node of a real cluster was lost, and for how
// long. Cells stand between tabs, or blanks, under a line that names the columns, perhaps behind #.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/describe.hpp"
#include "base/error.hpp"
#include "model/limits.hpp"
#include "text/text_file.hpp"

namespace somnus {

struct FailureOptions {
  double from_s = 0;
  double until_s = 0;
  std::uint32_t nodes = 0;

  static constexpr auto fields() {
    using O = FailureOptions;
    constexpr Range span{.low = 0, .high = last_given_seconds};
    return in_order(
        field("from_s", &O::from_s, "s",
              "leaves out losses that begin before that; it becomes second 0", span),
        field("until_s", &O::until_s, "s", "leaves out losses that begin from then on; 0: none",
              span),
        field("nodes", &O::nodes, "1", "keeps the losses of the first so many nodes; 0: of all",
              Range{.low = 0, .high = 4e9}));
  }
};

struct NodeLoss {
  double at_s = 0;
  std::uint32_t node = 0;
  double for_s = 0;  // 0: for good
};

struct FailureTrace {
  double begin_s = 0;               // second 0, since 1970
  std::vector<std::string> nodes;   // what they are called there, by number
  std::vector<NodeLoss> losses;     // by time, then node
  std::vector<std::string> unsaid;  // what a config has no place for, a sentence each
};

/// Whether a file that begins so is one of the archive's tables.
[[nodiscard]] bool is_failure_table(std::string_view beginning);

/// `events` is event_trace.tab, `nodes` its node.tab, if there is one: it knows nodes that were
/// never lost. The user's mistakes: all that is wrong with them.
[[nodiscard]] Checked<FailureTrace> read_failures(const TextFile& events, const TextFile* nodes,
                                                  const FailureOptions& options);

/// Tables [[faults.event]], which may stand behind any config.
[[nodiscard]] std::string faults_text(const FailureTrace& trace, const std::string& file);

}  // namespace somnus
