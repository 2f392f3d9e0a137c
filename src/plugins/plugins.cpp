#include "plugins/plugins.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "plugins/plugin.hpp"

namespace somnus {
namespace {

namespace fs = std::filesystem;

using PartKey = std::pair<PartKind, std::string>;

struct Loaded {
  std::vector<std::unique_ptr<const Plugin>> plugins;
  std::vector<const Plugin*> in_order;
  std::map<PartKey, const Plugin*> parts;
  std::map<std::string, const Plugin*> presets;
};
Loaded& loaded() {
  static Loaded all;
  return all;
}

tl::unexpected<std::string> refused(std::string why) { return tl::unexpected(std::move(why)); }

/// The lines of SOMNUS_PLUGIN: headers, name, version; none: it is no plug-in.
std::optional<std::vector<std::string>> lines_of(std::string_view bytes) {
  constexpr std::string_view mark = "somnus plug-in\n";
  const std::size_t at = bytes.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  bytes.remove_prefix(at + mark.size());
  std::vector<std::string> lines;
  for (std::size_t end = bytes.find('\n'); lines.size() < 3; end = bytes.find('\n')) {
    if (end == std::string_view::npos) return std::nullopt;
    lines.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(end + 1);
  }
  return lines;
}

template <class Rows, class Key>
auto keys_of(const Rows& rows, Key&& key) {
  std::set<std::remove_cvref_t<decltype(key(*rows.begin()))>> keys;
  for (const auto& row : rows) keys.insert(key(row));
  return keys;
}
const auto key_of_part = [](const Part& part) { return part.key(); };
const auto key_of_preset = [](const Preset& preset) { return preset.key(); };

const Plugin* loaded_as(const fs::path& file, std::string_view digest) {
  for (const Plugin* each : loaded().in_order) {
    if (each->file == file || (!digest.empty() && each->digest == digest)) return each;
  }
  return nullptr;
}

}  // namespace

std::string Plugin::text() const { return fmt::format("{} {} {}", name, version, digest); }

tl::expected<const Plugin*, std::string> load_plugin(const fs::path& given) {
  const fs::path file = fs::absolute(given).lexically_normal();
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (bytes.empty()) return refused("cannot be read, expected the shared object of a plug-in");
  const std::string digest = fmt::format("{:016x}", hash64(bytes));
  if (const Plugin* const before = loaded_as(file, digest)) return before;
  const auto lines = lines_of(bytes);
  if (!lines) {
    return refused(
        "is no plug-in of Somnus: expected a shared object with SOMNUS_PLUGIN(name, version)");
  }
  if (lines->at(0) != SOMNUS_ABI) {
    return refused(
        fmt::format("was built for another Somnus (headers {}, here {}); build it again "
                    "with the headers of this one",
                    lines->at(0), SOMNUS_ABI));
  }
  const auto parts_before = keys_of(parts(), key_of_part);
  const auto presets_before = keys_of(presets(), key_of_preset);
  if (dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
    return refused(fmt::format("cannot be loaded: {}", dlerror()));
  }
  auto plugin = std::make_unique<const Plugin>(
      Plugin{.name = lines->at(1), .version = lines->at(2), .file = file, .digest = digest});
  try {
    for (const Part& part : parts()) {
      if (!parts_before.contains(part.key())) loaded().parts[part.key()] = plugin.get();
    }
    for (const Preset& preset : presets()) {
      if (!presets_before.contains(preset.key())) loaded().presets[preset.key()] = plugin.get();
    }
  } catch (const Bug& twice) {
    return refused(fmt::format("has a part that is there already: {}", twice.what()));
  }
  loaded().in_order.push_back(plugin.get());
  loaded().plugins.push_back(std::move(plugin));
  return loaded().in_order.back();
}

const std::vector<const Plugin*>& loaded_plugins() { return loaded().in_order; }

const Plugin* loaded_plugin(std::string_view text) {
  const auto found = std::ranges::find(loaded().in_order, text, &Plugin::text);
  return found == loaded().in_order.end() ? nullptr : *found;
}

std::string names_of_plugins() {
  std::string names;
  for (const Plugin* each : loaded_plugins()) {
    names += fmt::format("{}{} {} ({})", names.empty() ? "" : " or ", each->name, each->version,
                         each->file.string());
  }
  return names;
}

const Plugin* plugin_of(const Part& part) {
  const auto found = loaded().parts.find(part.key());
  return found == loaded().parts.end() ? nullptr : found->second;
}
const Plugin* plugin_of(const Preset& preset) {
  const auto found = loaded().presets.find(preset.key());
  return found == loaded().presets.end() ? nullptr : found->second;
}

}  // namespace somnus
