// Any bytes as a table whose columns nobody has named, or as failures of nodes.
#include "base/given_parameters.hpp"
#include "config/config.hpp"
#include "formats/failure_trace.hpp"
#include "formats/formats.hpp"
#include "formats/table_guess.hpp"
#include "formats/table_sample.hpp"
#include "fuzz/target.hpp"

namespace somnus::fuzz {
namespace {

/// That many equal tasks are valid, and take their time and memory.
bool names_a_million(std::string_view text) {
  std::size_t digits = 0;
  for (const char c : text) {
    digits = (c >= '0' && c <= '9') ? digits + 1 : 0;
    if (digits > 6) return true;
    if (c == 'e' || c == 'E') return true;
  }
  return false;
}

void read_failures_back(const TextFile& file) {
  const FailureTrace trace = value_or_throw(read_failures(file, nullptr, {}));
  if (trace.nodes.size() > 1000) return;
  const std::string config =
      fmt::format(
          "[cluster]\nnodes = {}\nslots_per_node = 1\n[scheduler]\npolicy = \"fifo\"\n"
          "[workload]\ngenerator = \"fixed\"\n",
          trace.nodes.size()) +
      faults_text(trace, "fuzz");
  const auto settings = parse_settings(config, "fuzz", {});
  SOMNUS_CHECK(settings.has_value(), "refused: {}", settings.error().text());
  SOMNUS_CHECK(settings->faults.events.size() == trace.losses.size(), "{} of {} losses",
               settings->faults.events.size(), trace.losses.size());
}

}  // namespace

void read(std::string_view bytes) {
  const TextFile file = value_or_throw(TextFile::decode("fuzz", std::string(bytes)));
  if (is_failure_table(file.beginning())) return read_failures_back(file);
  const TableSample sample = value_or_throw(sample_of(file, {}));
  const TableGuess guess = guess_table(sample, {});
  if (!guess.choices.empty() || names_a_million(file.text())) return;
  const bool is_parquet = sample.separator == 0;
  // What was guessed are parameters of the format; the rows may still be wrong.
  const auto format = value_or_throw(format_called(is_parquet ? "parquet" : "csv", "fuzz"));
  const auto read = format->parse(
      file, value_or_throw(check_parameters(format->parameters, guess.parameters, "format", {})));
  if (read) SOMNUS_CHECK(!read->jobs.empty(), "no jobs");
}

std::vector<Seed> seeds() {
  return {{"slurm.csv",
           "JobID;User;Submit;Start;End;Elapsed;NCPUS;State\n"
           "1;ann;28.04.2024 23:59:10;29.04.2024 00:00:10;29.04.2024 00:30:10;00:30:00;4;FAILED\n"},
          {"pods.csv",
           "job,pod,created,run_duration\na,a-1,2024-05-01T14:00:00+02:00,PT1M30S\n"
           "a,a-2,2024-05-01T14:00:01+02:00,PT2M\n"},
          {"stages.csv", "job,stage,parents,start_ms,end_ms\na,0,,0,5\na,1,0,5,9\n"},
          {"commas.tsv", "submitted\tduration (s)\tcores\n0\t1,25\t2\n1,5\t2,5\t1\n"},
          {"slashes.csv", "submit,took\n13/05/2024 12:00,1h30m\n14/05/2024 12:00,2h0m\n"},
          {"utf16.csv", std::string("\xff\xfe"
                                    "a\0,\0b\0\n\0"
                                    "1\0,\0"
                                    "2\0",
                                    16)},
          {"event_trace.tab",
           "# node_id\tplatform_id\tevent_type\tevent_start_time\tevent_stop_time\n"
           "3\t0\t0\t1002\t1005\n3\t0\t1\t1000\t1002\n5\t0\t0\t1004\tNULL\n"}};
}

}  // namespace somnus::fuzz
