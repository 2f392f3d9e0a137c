#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>

#include "base/suggest.hpp"
#include "emulator/commands/closing.hpp"
#include "emulator/commands/commands.hpp"
#include "record/reader.hpp"

namespace somnus {
namespace {

Checked<Counting> counting_of(const SummaryOptions& options) {
  if (!options.counting) return Counting::jobs;
  if (options.against.empty()) {
    return mistake({.key = "--counting",
                    .what = "says how jobs count in a comparison, and there is none",
                    .hint = "give the reference by --against LOG"});
  }
  std::vector<std::string> known;
  for (const auto& [counting, name] : EnumNames<Counting>::names) {
    if (*options.counting == name) return counting;
    known.emplace_back(name);
  }
  return mistake({.key = "--counting",
                  .what = fmt::format("expected one of {}, found '{}'", fmt::join(known, ", "),
                                      *options.counting),
                  .hint = suggest(*options.counting, known)});
}

Checked<std::optional<Reference>> reference_of(const SummaryOptions& options) {
  if (options.against.empty()) return std::nullopt;
  return read_log(options.against).and_then([&](const Log& log) {
    return Reference::of(log, options.against).map([](Reference reference) {
      return std::optional(std::move(reference));
    });
  });
}

Checked<Summary> summary_of(const std::string& path, const std::optional<Reference>& reference,
                            Counting counting) {
  return read_log(path).and_then([&](const Log& log) -> Checked<Summary> {
    if (log.seals->broken > 0) {
      spdlog::warn("{}: {}; its figures are not to be trusted (see `somnus check`)", path,
                   log.seals->sentences.front());
    }
    Summary one = summarise(log, std::filesystem::path(path).stem().string());
    if (!reference) return one;
    return reference->compare(log, path, counting).map([&](const Comparison& comparison) {
      return with_comparison(std::move(one), comparison);
    });
  });
}

}  // namespace

int summary(const SummaryOptions& options) {
  const Counting counting = value_or_throw(counting_of(options));
  const std::optional<Reference> reference = value_or_throw(reference_of(options));
  Mistakes mistakes;
  std::vector<Summary> summaries;
  for (const std::string& path : options.logs) {
    Checked<Summary> one = summary_of(path, reference, counting);
    if (one) {
      summaries.push_back(std::move(*one));
    } else {
      mistakes.append(std::move(one.error()));
    }
  }
  if (mistakes.any()) throw UserError(std::move(mistakes));
  print_summaries(options.common, summaries);
  const bool as_table = !options.common.json && !options.common.quiet;
  if (options.per_user && as_table) fmt::print("\n{}", users_to_text(summaries));
  return exit_fine;
}

}  // namespace somnus
