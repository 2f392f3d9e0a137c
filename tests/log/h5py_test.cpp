// What Python sees of a log.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

#include "log/sample_log.hpp"

namespace somnus::testing {
namespace {

bool have_h5py() { return std::system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") == 0; }

/// Runs a script with the folder's files as arguments; whether it ends well.
bool python(const FreshFolder& folder, const std::string& script, const std::string& arguments) {
  std::ofstream(folder / "script.py") << script;
  const std::string command =
      "/usr/bin/python3 " + (folder / "script.py").string() + " " + arguments;
  return std::system(command.c_str()) == 0;
}

TEST(H5py, ReadsTablesNamesAndWhatTheColumnsMean) {
  if (!have_h5py()) GTEST_SKIP() << "needs /usr/bin/python3 with h5py";
  const FreshFolder folder;
  const std::filesystem::path path = folder / "run.h5";
  LogTables tables = sample_tables();
  tables.names.jobs = {"q17", "q18", "Ünïcödé"};
  LogWriter writer(path, sample_header(), tables);
  add_rows(writer, 0, 17'000);  // more than a chunk
  writer.close(tables, true);
  EXPECT_TRUE(python(folder, R"(
import sys, h5py, numpy
log = h5py.File(sys.argv[1])
assert log.attrs["format"] == b"somnus-log", log.attrs["format"]
assert log.attrs["complete"] == 1 and log.attrs["seed"] == 2**64 - 1
assert len(log.attrs["config"]) > 65536
assert list(log.attrs["resources"]) == [b"cpu", b"mem_gb"]
assert [name.decode() for name in log["names/jobs"]] == ["q17", "q18", "Ünïcödé"]
tasks = log["tasks"]
assert tasks.shape == (17000,) and tasks["node"][7] == 10 and tasks["start"][7] == 7.3
assert numpy.isnan(tasks["finish"][3])
assert log["samples"]["allocated_mem_gb"][11] == 1 and log["nodes"]["cpu"][1] == 4
assert log["stage_demands"]["cpu"][3] == 4
for table in log.values():
    if isinstance(table, h5py.Dataset):
        for column in table.dtype.names:
            assert table.attrs[column + ".unit"] is not None
            assert len(table.attrs[column + ".meaning"]) > 2
assert tasks.attrs["start.unit"] == b"s"
)",
                     path.string()));
}

using GappedRow = Stamped<Promise>;  // before its end

/// As long_row(n), with `filler` in the bytes between the members.
GappedRow padded_row(std::size_t n, int filler) {
  static_assert(sizeof(GappedRow) > sizeof(Stamp) + sizeof(JobId) + sizeof(Time),
                "a row without gaps");
  GappedRow row;
  std::memset(static_cast<void*>(&row), filler, sizeof row);
  const GappedRow values = long_row<GappedRow>(n);
  for_each_field<GappedRow>([&](const auto& field) { row.*field.member = values.*field.member; });
  return row;
}

TEST(H5py, SeesTheSameBytesInTheDatasetsOfTwoEqualRuns) {
  if (!have_h5py()) GTEST_SKIP() << "needs /usr/bin/python3 with h5py";
  const FreshFolder folder;
  int filler = 0;
  for (const char* name : {"a.h5", "b.h5"}) {
    LogWriter writer(folder / name, sample_header(), sample_tables(),
                     {.flush_every = std::chrono::milliseconds(1 + filler)});
    for (std::size_t n = 0; n < 20'000; ++n) writer.add(padded_row(n, filler));
    writer.close(sample_tables(), true);
    filler = 0x5a;
  }
  EXPECT_TRUE(python(folder, R"(
import sys, h5py
a, b = h5py.File(sys.argv[1]), h5py.File(sys.argv[2])
names = []
a.visit(names.append)
for name in names:
    if isinstance(a[name], h5py.Dataset):
        assert a[name].dtype == b[name].dtype, name
        assert a[name][...].tobytes() == b[name][...].tobytes(), name
assert len(names) > 15
)",
                     (folder / "a.h5").string() + " " + (folder / "b.h5").string()));
}

}  // namespace
}  // namespace somnus::testing
