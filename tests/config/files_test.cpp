#include "config/check.hpp"
#include "harness/fresh_folder.hpp"

namespace somnus::test {
namespace {

TEST(ConfigFile, ThatIsNotThereIsAMistake) {
  const harness::FreshFolder folder;
  EXPECT_EQ(load_settings(folder / "none.toml", {}).error().text(),
            (folder / "none.toml").string() + ": no such file");
}

TEST(ConfigFile, ThatIsADirectoryIsAMistake) {
  const harness::FreshFolder folder;
  EXPECT_EQ(load_settings(folder.path(), {}).error().text(),
            folder.path().string() + ": a directory, expected a TOML file");
}

TEST(ConfigFile, ThatCannotBeReadIsAMistake) {
  EXPECT_EQ(load_settings("/proc/self/mem", {}).error().text(),
            "/proc/self/mem: cannot be read: Input/output error");
}

TEST(ConfigFile, IsTheOriginOfItsSettingsAndMistakes) {
  const harness::FreshFolder folder;
  const auto file = folder.file("a.toml", least);
  EXPECT_EQ(load_settings(file, {}).value().origin, file.string());
  const auto wrong = folder.file("b.toml", with("[run]\nspeeed = 1\n"));
  EXPECT_EQ(load_settings(wrong, {}).error().text(),
            wrong.string() + ":11:1: run.speeed: unknown key; did you mean 'speed'?");
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
