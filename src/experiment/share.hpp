// A share of an experiment's runs: what one job of several does, each with a journal of its own in
// one folder. They need not know of each other; one that finds all runs there writes the tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace somnus {

struct Share {
  std::uint32_t number = 1;  // 1 to `of`
  std::uint32_t of = 1;

  [[nodiscard]] bool is_whole() const { return of == 1; }
  /// Runs are dealt round, in an order that does not depend on which are there.
  [[nodiscard]] bool has(std::size_t run) const { return run % of + 1 == number; }
  /// A name for a file that no other share writes: run.h5 or run-3-of-8.h5, say.
  [[nodiscard]] std::string file(std::string_view stem, std::string_view extension) const;
  [[nodiscard]] std::string journal() const { return file("runs", ".jsonl"); }
};

/// "3/8": the third of eight.
[[nodiscard]] Checked<Share> parse_share(std::string_view text);

/// Whether a file of that name is the journal of any share.
[[nodiscard]] bool is_journal(std::string_view file_name);

}  // namespace somnus
