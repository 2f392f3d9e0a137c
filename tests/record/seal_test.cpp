// Whatever is changed in the file of a log is found, and named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "record/damage.hpp"
#include "record/reader.hpp"
#include "record/recover.hpp"
#include "record/sample_log.hpp"
#include "record/seal.hpp"

namespace somnus::testing {
namespace {

using ::testing::HasSubstr;

constexpr auto overwrite = std::filesystem::copy_options::overwrite_existing;

std::filesystem::path write_sealed_log(const Folder& folder) {
  std::filesystem::path path = folder.file("run.h5");
  LogWriter writer(path, sample_header(), sample_tables());
  add_rows(writer, 0, 20);
  writer.close(sample_tables(), true);
  return path;
}

TEST(Seals, HoldInAFileThatNobodyTouched) {
  const Folder folder;
  const Log log = value_or_throw(read_log(write_sealed_log(folder)));
  ASSERT_TRUE(log.seals);
  EXPECT_GT(log.seals->checked, 20u);
  EXPECT_EQ(log.seals->broken, 0u);
}

TEST(Seals, HoldHoweverTheFileIsPacked) {
  const Folder folder;
  const std::filesystem::path path = write_sealed_log(folder);
  repack(path);
  EXPECT_EQ(value_or_throw(read_log(path)).seals->broken, 0u);
}

TEST(Seals, NameTheRowOrAttributeThatWasDamaged) {
  const Folder folder;
  const std::filesystem::path log = write_sealed_log(folder);
  const std::filesystem::path copy = folder.file("damaged.h5");
  repack(log);
  for (const Damage& damage : damages_of(log)) {
    SCOPED_TRACE(damage.text());
    std::filesystem::copy_file(log, copy, overwrite);
    apply(damage, copy);
    const Checked<Log> read = read_log(copy);
    if (!read) continue;  // and says why
    ASSERT_GT(read->seals->broken, 0u);
    for (const std::string& clue : damage.clues()) {
      EXPECT_THAT(read->seals->sentences.front(), HasSubstr(clue));
    }
  }
}

TEST(Seals, FindARowOfAnotherRun) {
  LogHeader other = sample_header();
  other.seed += 1;
  EXPECT_NE(hdf5::salt_of(other), hdf5::salt_of(sample_header()));
}

TEST(Seals, OfAnUnfinishedLogCoverWhatWasWritten) {
  const Folder folder;
  const std::filesystem::path path = folder.file("run.h5");
  {
    LogWriter writer(path, sample_header(), sample_tables());
    add_rows(writer, 0, 20);
  }
  const Log log = value_or_throw(read_log(path));
  EXPECT_EQ(log.tasks.size(), 20u);
  EXPECT_EQ(log.seals->broken, 0u);
  // Its end is not known, so a row that is missing there is not.
  apply({Harm::row_gone, "/tasks", "", 19}, path);
  EXPECT_EQ(value_or_throw(read_log(path)).seals->broken, 0u);
}

TEST(RecoverLog, RefusesToSealWhatIsDamaged) {
  const Folder folder;
  const std::filesystem::path path = folder.file("run.h5");
  {
    LogWriter writer(path, sample_header(), sample_tables());
    add_rows(writer, 0, 20);
  }
  apply({Harm::value, "/tasks", "start", 7}, path);
  const Checked<Recovered> recovered = recover_log(path);
  ASSERT_FALSE(recovered);
  EXPECT_THAT(recovered.error().text(), HasSubstr("/tasks row 7 is not as the run wrote it"));
}

}  // namespace
}  // namespace somnus::testing
