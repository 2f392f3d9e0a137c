// A config to begin with: it has to be one, for every preset, and to say what stands beside it.
#include "config/check.hpp"
#include "config/help.hpp"

namespace somnus::test {
namespace {

/// Its lines with the # of keys taken away; explanations stay behind theirs.
std::string with_all_keys(const std::string& text) {
  std::string all;
  for (std::string line : lines_of(text)) {
    const bool is_key = line.starts_with("# ") && line.find(" = ") != std::string::npos &&
                        line.find(" = ...") == std::string::npos;
    if (is_key) line.erase(0, 2);
    all += line + "\n";
  }
  return all;
}

TEST(Template, IsAConfigForEveryPresetAndSaysItsDefaults) {
  for (const Preset& preset : presets()) {
    SCOPED_TRACE(preset.name);
    const auto text = settings_template(preset.name);
    ASSERT_TRUE(text) << text.error().text();
    const Settings plain = settings_of(*text);
    EXPECT_EQ(label_of(plain), preset.name);
    const auto all = parse_settings(with_all_keys(*text), "a.toml", {});
    ASSERT_TRUE(all) << all.error().text() << with_all_keys(*text);
    EXPECT_EQ(to_toml(*all), to_toml(plain)) << "a value that is shown is not the default";
  }
}

TEST(Template, SetsWhatTheLabelExchanges) {
  const std::string text = value_or_throw(settings_template("yaq-c+queue.length=8"));
  EXPECT_NE(text.find("\nlength = 8 "), std::string::npos) << text;
  EXPECT_NE(text.find("\n# interval_s = 3 "), std::string::npos) << text;
  EXPECT_EQ(label_of(settings_of(text)), "yaq-c+queue.length=8");
  EXPECT_EQ(text.find("[scheduler.cfq]"), std::string::npos) << "it has no such part";
}

TEST(Template, KnowsNoOtherNames) {
  const auto text = settings_template("cfk");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().text(), "--policy: unknown policy 'cfk'; did you mean 'cfq'?");
}

}  // namespace
}  // namespace somnus::test
