// Pairs of numbers, one job of one task a line: PAIR submit [s] duration [s].
#include "formats/formats.hpp"
#include "formats/line_jobs.hpp"
#include "text/mistake_collector.hpp"
#include "text/parse_number.hpp"
#include "text/text_window.hpp"
#include "text/words.hpp"

namespace somnus::import_pairs {
namespace {

struct PairsOptions {
  std::uint32_t jobs = 0;

  static constexpr auto fields() {
    return in_order(field("jobs", &PairsOptions::jobs, "1", "the first so many by submit; 0: all",
                          Range{.low = 0, .high = 1e9}));
  }
};

class PairsReader {
 public:
  PairsReader(const TextFile& file, const PairsOptions& options)
      : file_(file), options_(options), mistakes_(file.name()) {}

  Checked<WorkloadSpec> operator()() {
    for_each_line(file_, [&](std::string_view line, int number) { read(line, number); });
    keep_first(jobs_, options_.jobs);
    return workload_of(std::move(jobs_), {.name = workload_name(file_.name())},
                       std::move(mistakes_));
  }

 private:
  void read(std::string_view line, int number) {
    Words words(line);
    if (words.next() != "PAIR") return;
    const auto submit = parse_number<double>(words.next());
    const auto duration = parse_number<double>(words.next());
    if (!submit || !duration) mistakes_.add(number, 1, "", "expected PAIR and two numbers");
    jobs_.push_back({.line = number,
                     .column = 1,
                     .job = {.job = std::to_string(number), .submit = submit.value_or(0)},
                     .tasks = 1,
                     .duration_s = duration.value_or(0)});
  }

  const TextFile& file_;
  PairsOptions options_;
  MistakeCollector mistakes_;
  LineJobs jobs_;
};

bool looks_like(std::string_view text) { return text.starts_with("PAIR "); }

const Registered<Format> row =
    format<PairsReader, PairsOptions>("pairs", "one job of one task a line", ".pairs", looks_like);

}  // namespace
}  // namespace somnus::import_pairs
