#include "bench_case.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "config/config.hpp"
#include "session/workload_source.hpp"

namespace somnus {
namespace {

bool trace_is_here() { return std::filesystem::exists(SOMNUS_BENCH_TRACE); }

std::string workload_table() {
  if (trace_is_here()) return fmt::format("file = '{}'\n", SOMNUS_BENCH_TRACE);
  return "generator = 'google'\njobs = 27000\nspan_s = 13000\n";
}

}  // namespace

Settings settings_of(const BenchCase& one) {
  std::string toml = fmt::format(
      "[cluster]\nnodes = 1000\nslots_per_node = 8\n"
      "[scheduler]\npolicy = '{}'\n[network]\ndelay_ms = {}\n[workload]\n{}",
      one.policy, one.delay_ms, workload_table());
  if (!one.log_file.empty()) toml += fmt::format("[log]\nfile = '{}'\n", one.log_file);
  return value_or_throw(parse_settings(toml, "benchmark", {}));
}

const Workload& bench_workload() {
  static const Workload workload = value_or_throw(workload_of(settings_of({})));
  return workload;
}

std::string bench_workload_name() {
  return trace_is_here() ? "w543k" : "generated: no traces/bench/w543k.tr.gz here";
}

}  // namespace somnus
