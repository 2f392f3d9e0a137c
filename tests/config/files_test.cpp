#include <filesystem>
#include <fstream>

#include "config/check.hpp"

namespace somnus::test {
namespace {

namespace fs = std::filesystem;

class ConfigFile : public testing::Test {
 protected:
  void SetUp() override {
    const auto* const info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("somnus-config-") + info->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST_F(ConfigFile, ThatIsNotThereIsAMistake) {
  const fs::path file = folder_ / "none.toml";
  EXPECT_EQ(load_settings(file, {}).error().text(), file.string() + ": no such file");
}

TEST_F(ConfigFile, ThatIsADirectoryIsAMistake) {
  EXPECT_EQ(load_settings(folder_, {}).error().text(),
            folder_.string() + ": a directory, expected a TOML file");
}

TEST_F(ConfigFile, IsTheOriginOfItsSettings) {
  const fs::path file = folder_ / "a.toml";
  std::ofstream(file) << least;
  EXPECT_EQ(load_settings(file, {}).value().origin, file.string());
}

TEST_F(ConfigFile, NamesItselfInItsMistakes) {
  const fs::path file = folder_ / "a.toml";
  std::ofstream(file) << least << "[run]\nspeeed = 1\n";
  EXPECT_EQ(load_settings(file, {}).error().text(),
            file.string() + ":11:1: run.speeed: unknown key; did you mean 'speed'?");
}

TEST(WorkloadPath, IsRelativeToTheConfigFilesFolder) {
  const auto path = [](const char* origin, const char* file) {
    Settings settings;
    settings.origin = origin;
    settings.workload.file = file;
    return workload_path(settings).string();
  };
  EXPECT_EQ(path("configs/a.toml", "w.tr"), "configs/w.tr");
  EXPECT_EQ(path("configs/a.toml", "../w.tr"), "configs/../w.tr");
  EXPECT_EQ(path("configs/a.toml", "/data/w.tr"), "/data/w.tr");
  EXPECT_EQ(path("a.toml", "w.tr"), "w.tr");
}

}  // namespace
}  // namespace somnus::test
