// Rows a second into the log, as the adding thread sees them and until they are in the file, beside
// a bare append of the same rows: a chunk at a time, no thread, no flush.
#include <benchmark/benchmark.h>
#include <hdf5.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "harness/fresh_folder.hpp"
#include "log/layout.hpp"
#include "log/table.hpp"
#include "log/writer.hpp"

namespace somnus {
namespace {

constexpr std::size_t rows_per_run = 2'000'000;
constexpr std::size_t chunk_rows = 16'384;

/// Rows that look like those of a run: times with noise in their last digits.
std::vector<TaskRow> some_rows() {
  std::vector<TaskRow> rows(chunk_rows);
  std::uint32_t noise = 1;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    noise = noise * 1'664'525u + 1'013'904'223u;
    const double start = static_cast<double>(n) * 0.01 + noise * 1e-9;
    rows[n] = {.job = static_cast<std::uint32_t>(n / 50),
               .stage = static_cast<std::uint32_t>(n / 25),
               .index = static_cast<std::uint32_t>(n % 25),
               .node = noise % 1000,
               .slot = static_cast<std::uint16_t>(noise % 8),
               .ready = start - 1,
               .placed = start - 0.001,
               .queued = start - 0.0005,
               .start = start,
               .finish = start + noise * 1e-8,
               .intended = noise * 1e-8,
               .nominal = noise * 1e-8};
  }
  return rows;
}

void count_rows(benchmark::State& state, const std::filesystem::path& path) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rows_per_run));
  state.counters["bytes/row"] =
      static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(rows_per_run);
}

void log_writer(benchmark::State& state) {
  const std::vector<TaskRow> rows = some_rows();
  const harness::FreshFolder folder;
  const std::filesystem::path path = folder / "log.h5";
  double adding_s = 0;
  for (auto _ : state) {
    LogWriter writer(path, LogHeader{}, {},
                     {.compression = static_cast<int>(state.range(0)), .replace = true});
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t n = 0; n < rows_per_run; ++n) writer.add(rows[n % chunk_rows]);
    adding_s += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    writer.close({}, true);
  }
  count_rows(state, path);
  state.counters["added/s"] =
      static_cast<double>(rows_per_run) * static_cast<double>(state.iterations()) / adding_s;
}

void raw_append(benchmark::State& state) {
  hdf5::prepare_thread();
  const std::vector<TaskRow> rows = some_rows();
  const Layout layout = layout_of<TaskRow>({});
  const hdf5::Datatype type = hdf5::compound_type(layout);
  const harness::FreshFolder folder;
  const std::filesystem::path path = folder / "log.h5";
  for (auto _ : state) {
    const hdf5::File file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                          "create");
    const hdf5::Dataset table = hdf5::create_growing(file.get(), "/tasks", layout, chunk_rows,
                                                     static_cast<int>(state.range(0)));
    const std::vector<std::byte> packed = layout.packed(std::as_bytes(std::span(rows)));
    for (std::size_t n = 0; n < rows_per_run; n += chunk_rows) {
      const std::size_t count = std::min(chunk_rows, rows_per_run - n);
      hdf5::set_row_count(table, n + count);
      hdf5::write_rows(table, type, n, count, packed.data());
    }
  }
  count_rows(state, path);
}

BENCHMARK(log_writer)->ArgName("compression")->Arg(0)->Arg(1)->UseRealTime();
BENCHMARK(raw_append)->ArgName("compression")->Arg(0)->Arg(1)->UseRealTime();

}  // namespace
}  // namespace somnus

BENCHMARK_MAIN();
