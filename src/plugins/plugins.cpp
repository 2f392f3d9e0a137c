#include "plugins/plugins.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "plugins/plugin.hpp"
#include "scheduler/wrong_key.hpp"

namespace somnus {
namespace {

namespace fs = std::filesystem;

using PartKey = std::pair<PartKind, std::string>;

struct Loaded {
  std::vector<std::unique_ptr<const Plugin>> plugins;
  std::vector<const Plugin*> in_order;
  std::map<PartKey, const Plugin*> parts;
  std::map<std::string, const Plugin*> presets;
  std::map<std::string, std::string> refused;  // by digest: why, since their rows may be there
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

/// Names of the functions and tables of functions that it has for all to see, of a 64-bit ELF file.
std::vector<std::string> own_symbols(const std::string& bytes) {
  std::vector<std::string> names;
  const auto at = [&]<class T>(std::uint64_t offset, T& into) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof into) return false;
    std::memcpy(&into, bytes.data() + offset, sizeof into);
    return true;
  };
  Elf64_Ehdr head{};
  if (!at(0, head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return names;
  for (unsigned number = 0; number < head.e_shnum; ++number) {
    Elf64_Shdr section{};
    Elf64_Shdr texts{};
    if (!at(head.e_shoff + number * sizeof section, section) || section.sh_type != SHT_DYNSYM ||
        !at(head.e_shoff + section.sh_link * sizeof texts, texts)) {
      continue;
    }
    Elf64_Sym symbol{};
    for (std::uint64_t offset = 0; offset + sizeof symbol <= section.sh_size;
         offset += sizeof symbol) {
      if (!at(section.sh_offset + offset, symbol) || symbol.st_shndx == SHN_UNDEF) continue;
      const std::uint64_t begin = texts.sh_offset + symbol.st_name;
      if (begin >= bytes.size()) continue;
      std::string name = bytes.c_str() + begin;
      const bool is_function =
          ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC;
      if (is_function || name.starts_with("_ZTVN6somnus6RankedI")) names.push_back(std::move(name));
    }
  }
  return names;
}

/// One that the program has, too, and which would be used in its place; empty: there is none.
std::string shared_symbol(const std::string& bytes) {
  void* const program = dlopen(nullptr, RTLD_NOW);
  for (const std::string& name : own_symbols(bytes)) {
    if (name.starts_with("_Z") && dlsym(program, name.c_str()) != nullptr) return name;
  }
  return "";
}

std::string in_words(const Plugin& plugin) {
  return fmt::format("{} {} ({})", plugin.name, plugin.version, plugin.file.string());
}

/// Runs its code. Why it is refused; empty: it is the last of those that are loaded.
std::string load(const Plugin& facts, const std::string& bytes) {
  if (const std::string name = shared_symbol(bytes); !name.empty()) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> words(
        abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
    return fmt::format(
        "has {}, as this program has, which would use its own; put the types of "
        "plug-ins into an unnamed namespace",
        status == 0 ? words.get() : name.c_str());
  }
  const auto parts_before = keys_of(parts(), key_of_part);
  const auto presets_before = keys_of(presets(), key_of_preset);
  if (dlopen(facts.file.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
    return fmt::format("cannot be loaded: {}", dlerror());
  }
  std::set<PartKey> new_parts;
  std::set<std::string> new_presets;
  try {
    std::ranges::set_difference(keys_of(parts(), key_of_part), parts_before,
                                std::inserter(new_parts, new_parts.end()));
    std::ranges::set_difference(keys_of(presets(), key_of_preset), presets_before,
                                std::inserter(new_presets, new_presets.end()));
  } catch (const Bug& twice) {
    return fmt::format("has a part that is there already: {}", twice.what());
  }
  if (new_parts.empty() && new_presets.empty()) {
    return "has no part and no preset; a file ends with the row of its part, as in examples/plugin";
  }
  const auto& plugin = loaded().plugins.emplace_back(std::make_unique<const Plugin>(facts));
  for (const PartKey& key : new_parts) loaded().parts[key] = plugin.get();
  for (const std::string& key : new_presets) loaded().presets[key] = plugin.get();
  loaded().in_order.push_back(plugin.get());
  return "";
}

}  // namespace

std::string Plugin::text() const { return fmt::format("{} {} {}", name, version, digest); }

tl::expected<const Plugin*, std::string> load_plugin(const fs::path& given,
                                                     std::string_view required) {
  const fs::path file = fs::absolute(given).lexically_normal();
  std::error_code error;
  std::ifstream stream(fs::is_regular_file(file, error) ? file : fs::path(), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (bytes.empty()) return refused("cannot be read, expected the shared object of a plug-in");
  const auto lines = lines_of(bytes);
  if (!lines) {
    return refused(
        "is no plug-in of Somnus: expected a shared object with SOMNUS_PLUGIN(name, version)");
  }
  if (lines->at(0) != SOMNUS_ABI) {
    return refused(
        fmt::format("was built for another Somnus ({}, here {}); build it again with the "
                    "headers of this one",
                    lines->at(0), SOMNUS_ABI));
  }
  const Plugin plugin{.name = lines->at(1),
                      .version = lines->at(2),
                      .file = file,
                      .digest = fmt::format("{:016x}", hash64(bytes))};
  if (!required.empty() && plugin.text() != required) {
    return refused(fmt::format("is {}, expected {}", plugin.text(), required));
  }
  if (const Plugin* const before = loaded_plugin(plugin.text())) return before;
  const auto refusal = loaded().refused.find(plugin.digest);
  if (refusal != loaded().refused.end()) return refused(refusal->second);
  const std::string why = load(plugin, bytes);
  if (why.empty()) return loaded().in_order.back();
  loaded().refused[plugin.digest] = why;
  return refused(why);
}

const std::vector<const Plugin*>& loaded_plugins() { return loaded().in_order; }

const Plugin* loaded_plugin(std::string_view text) {
  const auto found = std::ranges::find(loaded().in_order, text, &Plugin::text);
  return found == loaded().in_order.end() ? nullptr : *found;
}

std::string names_of_plugins() {
  std::string names;
  for (const Plugin* each : loaded_plugins()) {
    names += (names.empty() ? "" : " or ") + in_words(*each);
  }
  return names.empty() ? names : names + ", as far as can be seen";
}

std::string plugins_blamed_for(const std::exception& error) {
  const auto* const wrong = dynamic_cast<const WrongKey*>(&error);
  const Part* const part = wrong == nullptr ? nullptr : find_part(PartKind::order, wrong->order());
  if (part == nullptr) return names_of_plugins();
  const Plugin* const plugin = plugin_of(*part);
  return plugin == nullptr ? "" : in_words(*plugin);
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
