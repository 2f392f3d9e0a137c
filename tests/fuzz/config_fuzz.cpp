// Any text is settings or mistakes; settings that are written down are the same settings. What
// stands behind a NUL are words after --set, one behind each.
#include <filesystem>
#include <fstream>
#include <iterator>

#include "config/config.hpp"
#include "fuzz/target.hpp"
#include "session/compose.hpp"

namespace somnus::fuzz {
namespace {

constexpr const char* origin = "fuzz.toml";

std::vector<std::string> pieces_of(std::string_view bytes) {
  std::vector<std::string> pieces(1);
  for (const char one : bytes) {
    if (one != '\0') {
      pieces.back() += one;
    } else {
      pieces.emplace_back();
    }
  }
  return pieces;
}

void use(const Settings& settings) {
  const std::string toml = to_toml(settings);
  const auto again = parse_settings(toml, origin, {});
  SOMNUS_CHECK(again.has_value(), "what was written is refused: {}\n{}", again.error().text(),
               toml);
  SOMNUS_CHECK(to_toml(*again) == toml, "what was written reads otherwise:\n{}\n{}", toml,
               to_toml(*again));
  static_cast<void>(label_of(settings));
  static_cast<void>(config_errors_of(settings, Names{.queues = {"A", "B"}}));
  static_cast<void>(node_model_of(settings));
}

}  // namespace

void read(std::string_view bytes) {
  const std::vector<std::string> pieces = pieces_of(bytes);
  std::vector<Override> overrides;
  for (std::size_t at = 1; at < pieces.size(); ++at) {
    overrides.push_back(value_or_throw(parse_override(pieces[at])));
  }
  static_cast<void>(overrides_of_label(pieces.front()));
  use(value_or_throw(parse_settings(pieces.front(), origin, overrides)));
}

std::vector<Seed> seeds() {
  std::vector<Seed> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SOMNUS_CONFIGS)) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(file), {});
    text += std::string_view("\0run.speed=20\0scheduler.policy=cfq", 35);
    all.push_back({entry.path().filename().string(), text});
  }
  const auto repeated = [](std::string_view piece, int times) {
    std::string text;
    for (int at = 0; at < times; ++at) text += piece;
    return text;
  };
  all.push_back(
      {"deep_keys.toml", "[run" + repeated(".a", 15) + "]\n[run" + repeated(".a", 14'000) + "]\n"});
  all.push_back({"deep_values.toml", "x = [\"[.a\", " + repeated("{ a.b = [", 7) + "1.5"});
  all.push_back({"many_tables.toml", repeated("[a]\n[b.c]\n", 500)});
  all.push_back({"label", "yaq-c+placement=random+queue.length=8"});
  return all;
}

}  // namespace somnus::fuzz
