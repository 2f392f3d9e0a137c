#include <algorithm>
#include <filesystem>

#include "config/check.hpp"
#include "config/experiment_file.hpp"

namespace somnus::test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> config_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(SOMNUS_CONFIGS)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

template <class T>
std::string mistakes_of(const Checked<T>& loaded) {
  return loaded ? "" : loaded.error().text();
}

TEST(ReadyConfigs, AllLoad) {
  const std::vector<fs::path> files = config_files();
  ASSERT_GE(files.size(), 4U);
  for (const fs::path& file : files) {
    const bool is_experiment = file.parent_path().filename() == "experiments" &&
                               file.filename() != "google.toml";  // which they vary
    const std::string wrong =
        is_experiment ? mistakes_of(load_experiment(file)) : mistakes_of(load_settings(file, {}));
    EXPECT_EQ(wrong, "");
  }
}

TEST(ReadyConfigs, DemosDifferInTheirPolicyAlone) {
  const fs::path folder(SOMNUS_CONFIGS);
  Settings fair = load_settings(folder / "demo-fair.toml", {}).value();
  const Settings cfq = load_settings(folder / "demo-cfq.toml", {}).value();
  EXPECT_EQ(fair.scheduler.policy, "fair");
  fair.scheduler = cfq.scheduler;
  fair.log.file = cfq.log.file;
  EXPECT_EQ(to_toml(fair), to_toml(cfq));
}

}  // namespace
}  // namespace somnus::test
