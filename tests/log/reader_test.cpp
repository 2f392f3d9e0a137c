// Files that are no logs, each with the sentence that says why.
#include "log/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <fstream>
#include <thread>

#include "log/child.hpp"
#include "log/recover.hpp"
#include "log/sample_log.hpp"

namespace somnus::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// What read_log says of the file, which recover_log must say as well.
std::string complaint(const std::filesystem::path& path) {
  const Checked<Log> log = read_log(path);
  if (log) return "nothing is wrong";
  const Checked<Recovered> recovered = recover_log(path);
  EXPECT_FALSE(recovered);
  if (!recovered) {
    EXPECT_EQ(recovered.error().text(), log.error().text());
  }
  return log.error().text();
}

std::filesystem::path write_log(const FreshFolder& folder, std::size_t rows = 100) {
  std::filesystem::path path = folder / "run.h5";
  LogWriter writer(path, sample_header(), sample_tables(), {.compression = 0, .replace = true});
  add_rows(writer, 0, rows);
  writer.close(sample_tables(), true);
  return path;
}

class OpenForChange {
 public:
  explicit OpenForChange(const std::filesystem::path& path)
      : file_(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)) {}
  ~OpenForChange() { H5Fclose(file_); }
  OpenForChange(const OpenForChange&) = delete;
  OpenForChange& operator=(const OpenForChange&) = delete;

  void remove(const char* path) const { H5Ldelete(file_, path, H5P_DEFAULT); }
  void remove_attribute(const char* name) const { H5Adelete(file_, name); }
  void set(const char* name, std::int64_t number) const {
    const hid_t attribute = H5Aopen(file_, name, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_INT64, &number);
    H5Aclose(attribute);
  }
  /// A table with one column "job".
  void create_thin_table(const char* path) const {
    const hid_t type = H5Tcreate(H5T_COMPOUND, 4);
    H5Tinsert(type, "job", 0, H5T_NATIVE_UINT32);
    const hid_t space = H5Screate(H5S_SCALAR);
    H5Dclose(H5Dcreate2(file_, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    H5Tclose(type);
  }

 private:
  hid_t file_;
};

TEST(ReadNews, OfALongLogComesInParts) {
  const FreshFolder folder;
  const std::filesystem::path path = write_log(folder, 250);
  RowsSeen seen;
  std::vector<TaskRow> tasks;
  for (const std::size_t count : {100u, 100u, 50u}) {
    const Log news = value_or_throw(read_updates(path, seen, 100));
    EXPECT_EQ(news.tasks.size(), count);
    EXPECT_EQ(seen.more, count == 100);
    tasks.insert(tasks.end(), news.tasks.begin(), news.tasks.end());
  }
  EXPECT_EQ(texts(tasks), texts(value_or_throw(read_log(path)).tasks));
}

TEST(ReadNews, SaysThatAnEqualRunDoneAnewHasTakenTheLogsPlace) {
  const FreshFolder folder;
  const std::filesystem::path path = write_log(folder, 100);
  RowsSeen seen;
  EXPECT_EQ(value_or_throw(read_updates(path, seen)).tasks.size(), 100u);
  EXPECT_EQ(value_or_throw(read_updates(path, seen)).tasks.size(), 0u);
  write_log(folder, 150);
  const Checked<Log> news = read_updates(path, seen);
  ASSERT_FALSE(news);
  EXPECT_THAT(news.error().text(), HasSubstr("another log stands there now"));
}

TEST(ReadLog, SaysThatThereIsNoSuchFile) {
  const FreshFolder folder;
  const std::filesystem::path path = folder / "none.h5";
  EXPECT_THAT(complaint(path), AllOf(StartsWith(path.string()), HasSubstr("no such file")));
}

TEST(ReadLog, SaysThatAFolderIsNoFile) {
  const FreshFolder folder;
  EXPECT_THAT(complaint(folder / ""), HasSubstr("is not a file"));
}

TEST(ReadLog, SaysThatAFileIsNotHdf5) {
  const FreshFolder folder;
  const std::filesystem::path path = folder / "config.toml";
  std::ofstream(path) << "[cluster]\nnodes = 3\n";
  EXPECT_THAT(complaint(path), HasSubstr("is not an HDF5 file"));
  std::ofstream(folder / "empty.h5");
  EXPECT_THAT(complaint(folder / "empty.h5"), HasSubstr("is not an HDF5 file"));
}

TEST(ReadLog, SaysThatAnHdf5FileIsNoLog) {
  const FreshFolder folder;
  const std::filesystem::path path = folder / "other.h5";
  H5Fclose(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  EXPECT_THAT(complaint(path), HasSubstr("is an HDF5 file, but not the log of a run"));
}

TEST(ReadLog, SaysThatALogIsOfAnotherVersion) {
  const FreshFolder folder;
  const std::filesystem::path path = write_log(folder);
  for (const int version : {log_format_version - 1, log_format_version + 1}) {
    OpenForChange(path).set("format_version", version);
    EXPECT_THAT(complaint(path),
                AllOf(HasSubstr(fmt::format("format version {}", version)),
                      HasSubstr(fmt::format("reads version {}", log_format_version)),
                      HasSubstr("the version of somnus that wrote it: 0.1.0")));
  }
}

TEST(ReadLog, SaysAllThatALogLacksAtOnce) {
  const FreshFolder folder;
  const std::filesystem::path path = write_log(folder);
  {
    const OpenForChange file(path);
    file.remove("/tasks");
    file.remove("/names/users");
    file.remove("/users");
    file.create_thin_table("/users");
  }
  const Checked<Log> log = read_log(path);
  ASSERT_FALSE(log);
  ASSERT_EQ(log.error().list().size(), 3u) << log.error().text();
  EXPECT_THAT(log.error().text(), HasSubstr("/users: is no list"));
  EXPECT_THAT(log.error().text(), HasSubstr("/names/users: the log lacks this table"));
  EXPECT_THAT(log.error().text(), HasSubstr("/tasks: the log lacks this table"));
}

// As in every log whose workload lists no fresh and first durations, and in those before there were
// any.
TEST(ReadLog, LetsTheTableOfColdTasksBeAbsent) {
  const FreshFolder folder;
  const std::filesystem::path path = write_log(folder);
  OpenForChange(path).remove("/cold_tasks");
  const Checked<Log> log = read_log(path);
  ASSERT_TRUE(log) << log.error().text();
  EXPECT_TRUE(log->tables.cold_tasks.empty());
  EXPECT_FALSE(log->tables.nodes.empty());
}

TEST(ReadLog, SaysThatTheTableOfAffinitiesIsDamaged) {
  const FreshFolder folder;
  const std::filesystem::path path = write_log(folder);
  {
    const OpenForChange file(path);
    file.remove("/stage_affinity");
    file.create_thin_table("/stage_affinity");
  }
  EXPECT_THAT(complaint(path), HasSubstr("/stage_affinity: is no list"));
}

TEST(ReadLog, SaysWhichRootAttributeIsMissing) {
  const FreshFolder folder;
  const std::filesystem::path path = write_log(folder);
  OpenForChange(path).remove_attribute("seed");
  EXPECT_THAT(complaint(path), HasSubstr("seed: the log lacks this root attribute"));
}

TEST(ReadLog, SaysThatAFileIsCutShort) {
  const FreshFolder folder;
  const std::filesystem::path path = write_log(folder, 2'000);
  const std::uintmax_t bytes = std::filesystem::file_size(path);
  for (const std::uintmax_t rest : {bytes - 1, bytes / 2, bytes / 10, std::uintmax_t{1000}}) {
    std::filesystem::resize_file(path, rest);
    EXPECT_THAT(complaint(path), HasSubstr("cut short")) << rest << " of " << bytes;
  }
}

TEST(ReadLog, SaysThatTheFileOfAKilledRunIsCutShort) {
  const FreshFolder folder;
  const std::filesystem::path path = folder / "run.h5";
  {
    Child child([&] {
      LogWriter writer(path, sample_header(), sample_tables(),
                       {.flush_every = std::chrono::milliseconds(1)});
      add_rows(writer, 0, 2'000);
      for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
      return 0;
    });
    ASSERT_TRUE(eventually([&] {
      const Checked<Log> log = read_log(path);
      return log && log->decisions.get<Stamped<Revoke>>().size() == 2'000;
    }));
  }
  const std::uintmax_t bytes = std::filesystem::file_size(path);
  for (const std::uintmax_t rest : {bytes - 5000, bytes / 2, bytes / 10}) {
    std::filesystem::resize_file(path, rest);
    EXPECT_THAT(complaint(path), HasSubstr("cut short")) << rest << " of " << bytes;
  }
}

TEST(ReadLog, ReadsTheColumnsThatItKnowsOfAFileWithMore) {
  const FreshFolder folder;
  const std::filesystem::path path = write_log(folder);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, "/users", H5P_DEFAULT);
  struct WiderUser {
    double weight;
    std::int16_t mood;
    std::uint32_t user;
    std::uint64_t seal;
  };
  const WiderUser rows[] = {{2.5, 7, 0, 1}, {3.5, 8, 1, 1}};
  const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(WiderUser));
  H5Tinsert(type, "weight", HOFFSET(WiderUser, weight), H5T_NATIVE_DOUBLE);
  H5Tinsert(type, "mood", HOFFSET(WiderUser, mood), H5T_NATIVE_INT16);
  H5Tinsert(type, "user", HOFFSET(WiderUser, user), H5T_NATIVE_UINT32);
  H5Tinsert(type, "seal", HOFFSET(WiderUser, seal), H5T_NATIVE_UINT64);
  const hsize_t count = 2;
  const hid_t space = H5Screate_simple(1, &count, nullptr);
  const hid_t dataset =
      H5Dcreate2(file, "/users", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows);
  H5Dclose(dataset);
  H5Sclose(space);
  H5Tclose(type);
  H5Fclose(file);
  const Log log = value_or_throw(read_log(path));
  EXPECT_EQ(texts(log.tables.users),
            texts(std::vector<UserRow>{{.user = 0, .weight = 2.5}, {.user = 1, .weight = 3.5}}));
}

}  // namespace
}  // namespace somnus::testing
