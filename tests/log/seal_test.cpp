// Whatever is changed in the file of a log is found, and named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "log/damage.hpp"
#include "log/reader.hpp"
#include "log/recover.hpp"
#include "log/sample_log.hpp"
#include "log/seal.hpp"

namespace somnus::testing {
namespace {

using ::testing::HasSubstr;

constexpr auto overwrite = std::filesystem::copy_options::overwrite_existing;

std::filesystem::path write_sealed_log(const FreshFolder& folder) {
  std::filesystem::path path = folder / "run.h5";
  LogWriter writer(path, sample_header(), sample_tables());
  add_rows(writer, 0, 20);
  writer.close(sample_tables(), true);
  return path;
}

TEST(Seals, HoldInAFileThatNobodyTouched) {
  const FreshFolder folder;
  const Log log = value_or_throw(read_log(write_sealed_log(folder)));
  ASSERT_TRUE(log.seals);
  EXPECT_GT(log.seals->checked, 20u);
  EXPECT_EQ(log.seals->broken, 0u);
}

TEST(Seals, HoldHoweverTheFileIsPacked) {
  const FreshFolder folder;
  const std::filesystem::path path = write_sealed_log(folder);
  repack(path);
  EXPECT_EQ(value_or_throw(read_log(path)).seals->broken, 0u);
}

/// Damages that one file can have at once: those of the root alone, of a dataset one, and few by
/// which rows move, for there are complaints about each row behind them.
class Damaged {
 public:
  [[nodiscard]] bool has_room_for(const Damage& damage) const {
    if (damage.dataset == "/" || datasets_.contains("/")) return datasets_.empty();
    return !datasets_.contains(damage.dataset) && !(moves_rows(damage) && moves_ == 4);
  }
  void add(const Damage& damage) {
    damages_.push_back(damage);
    datasets_.insert(damage.dataset);
    if (moves_rows(damage)) ++moves_;
  }
  [[nodiscard]] const std::vector<Damage>& damages() const { return damages_; }

 private:
  static bool moves_rows(const Damage& damage) {
    return damage.harm == Harm::row_gone || damage.harm == Harm::row_twice;
  }

  std::vector<Damage> damages_;
  std::set<std::string> datasets_;
  int moves_ = 0;
};

std::vector<Damaged> together(const std::vector<Damage>& all) {
  std::vector<Damaged> files;
  for (const Damage& damage : all) {
    auto file =
        std::ranges::find_if(files, [&](const Damaged& each) { return each.has_room_for(damage); });
    if (file == files.end()) file = files.emplace(file);
    file->add(damage);
  }
  return files;
}

/// The first complaint that is about this dataset; that about a root attribute is the first.
std::string first_about(const std::string& dataset, const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) {
    if (dataset == "/" || sentence.starts_with(dataset + " ")) return sentence;
  }
  return "";
}

TEST(Seals, NameTheTableOrAttributeThatWasDamaged) {
  const FreshFolder folder;
  const std::filesystem::path log = write_sealed_log(folder);
  const std::filesystem::path copy = folder / "damaged.h5";
  repack(log);
  for (const Damaged& file : together(damages_of(log))) {
    const std::vector<Damage>& damages = file.damages();
    std::filesystem::copy_file(log, copy, overwrite);
    for (const Damage& damage : damages) apply(damage, copy);
    const Checked<Log> read = read_log(copy);
    if (!read && damages.front().dataset == "/") continue;  // and says why
    ASSERT_TRUE(read) << read.error().text();
    ASSERT_GT(read->seals->broken, 0u);
    if (damages.size() > 1) {  // no complaint is left out for want of room
      ASSERT_EQ(read->seals->broken, read->seals->sentences.size());
    }
    for (const Damage& damage : damages) {
      SCOPED_TRACE(damage.text());
      const std::string sentence = first_about(damage.dataset, read->seals->sentences);
      for (const std::string& clue : damage.clues()) EXPECT_THAT(sentence, HasSubstr(clue));
    }
  }
}

TEST(Seals, FindARowOfAnotherRun) {
  LogHeader other = sample_header();
  other.seed += 1;
  EXPECT_NE(hdf5::salt_of(other), hdf5::salt_of(sample_header()));
}

TEST(Seals, OfAnUnfinishedLogCoverWhatWasWritten) {
  const FreshFolder folder;
  const std::filesystem::path path = folder / "run.h5";
  {
    LogWriter writer(path, sample_header(), sample_tables());
    add_rows(writer, 0, 20);
  }
  const Log log = value_or_throw(read_log(path));
  EXPECT_EQ(log.tasks.size(), 20u);
  EXPECT_EQ(log.seals->broken, 0u);
  apply({Harm::row_gone, "/tasks", "", 19}, path);
  EXPECT_GT(value_or_throw(read_log(path)).seals->broken, 0u);
}

TEST(RecoverLog, RefusesToSealWhatIsDamaged) {
  const FreshFolder folder;
  const std::filesystem::path path = folder / "run.h5";
  {
    LogWriter writer(path, sample_header(), sample_tables());
    add_rows(writer, 0, 20);
  }
  apply({Harm::value, "/tasks", "start", 7}, path);
  const Checked<Recovered> recovered = recover_log(path);
  ASSERT_FALSE(recovered);
  EXPECT_THAT(recovered.error().text(),
              HasSubstr("/tasks rows 0 to 19 are not as the run wrote them"));
}

}  // namespace
}  // namespace somnus::testing
