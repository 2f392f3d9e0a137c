#include "config/experiment_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/parameters.hpp"
#include "base/suggest.hpp"
#include "config/document.hpp"

namespace somnus {
namespace {

/// Each value that is no table, under its dotted path inside this one.
using Flat = std::vector<std::pair<std::string, const Value*>>;

void flatten(const Table& table, const std::string& prefix, Flat& into) {
  for (const auto& [name, value] : table) {
    const std::string path = joined(prefix, name);
    if (const Table* const inner = value.table()) {
      flatten(*inner, path, into);
    } else {
      into.emplace_back(path, &value);
    }
  }
}

Flat flat(const Table& table) {
  Flat all;
  flatten(table, "", all);
  return all;
}

class Reading {
 public:
  Reading(const Document& document, ExperimentFile& file) : document_(document), file_(file) {}

  void operator()() {
    const Table& root = document_.values();
    const std::vector<std::string> tables = {"experiment", "set", "axes", "zip", "baseline"};
    reader.refuse_unknown(root, "", tables);
    experiment(root);
    if (const Table* const set = table(root, "set")) {
      for (const auto& [key, value] : flat(*set)) file_.set.push_back({key, text_of(*value)});
    }
    if (const Table* const axes = table(root, "axes")) {
      for (const auto& [key, value] : flat(*axes)) axis("axes", {{key, value}});
    }
    zip(root);
    refuse_twice();
    if (const Table* const baseline = table(root, "baseline")) read_baseline(*baseline);
  }

  ValueReader reader;

 private:
  const Table* table(const Table& root, const char* name) {
    const auto found = root.find(name);
    return found == root.end() ? nullptr : reader.table(found->second, name);
  }

  void experiment(const Table& root) {
    const Table* const keys = table(root, "experiment");
    if (keys == nullptr) {
      if (!reader.any()) {
        reader.add_error(
            {.path = "experiment", .what = "expected a table [experiment] that says which config"});
      }
      return;
    }
    read_table(reader, *keys, "experiment", file_.keys);
    if (file_.keys.truncate != TruncationRule::none && file_.keys.truncate_jobs > 0) {
      reader.add_error({.path = "experiment.truncate_jobs",
                        .what = "expected this or experiment.truncate, found both",
                        .hint = "leave one of them out"});
    }
    if (file_.keys.batches > 0) take_batches(*keys);
    name_figures("experiment.metrics", file_.keys.metrics);
    name_figures("experiment.decide", file_.keys.decide);
    for (const auto& [name, margin] : file_.keys.margins) {
      const std::string key = "experiment.margins";
      file_.figures.push_back({key, name, document_.location(joined(key, name))});
    }
  }

  /// Batches are of one run, and what is said of them is of their number; not of more runs.
  void take_batches(const Table& given) {
    ExperimentKeys& keys = file_.keys;
    const auto has = [&](const char* key) { return given.find(key) != given.end(); };
    if (!has("metrics")) std::erase(keys.metrics, "utilisation");  // is of the whole run
    if (keys.batches < 2) {
      reader.add_error({.path = "experiment.batches",
                        .what = fmt::format("expected at least 2, found {}", keys.batches),
                        .hint = "10 to 30 are usual"});
    }
    const auto refuse = [&](const char* key, const char* expected, const char* hint) {
      reader.add_error(
          {.path = fmt::format("experiment.{}", key),
           .what =
               fmt::format("expected {} beside experiment.batches, which are of one run", expected),
           .hint = hint});
    };
    if (!has("seeds")) {
      keys.seeds = 1;
    } else if (keys.seeds > 1) {
      refuse("seeds", "1", "leave one of the two out");
    }
    if (keys.precision > 0) refuse("precision", "none", "a longer workload is more precise");
    if (!keys.decide.empty()) refuse("decide", "none", "a longer workload decides more");
  }

  void name_figures(const std::string& key, const std::vector<std::string>& names) {
    for (std::size_t at = 0; at < names.size(); ++at) {
      file_.figures.push_back({key, names[at], document_.location(fmt::format("{}[{}]", key, at))});
    }
  }

  void zip(const Table& root) {
    const auto found = root.find("zip");
    if (found == root.end()) return;
    const List* const zips = reader.list_of_tables(found->second, "zip");
    if (zips == nullptr) return;
    for (std::size_t at = 0; at < zips->size(); ++at) {
      const std::string path = fmt::format("zip[{}]", at);
      if (const Table* const keys = reader.table((*zips)[at], path)) axis(path, flat(*keys));
    }
  }

  /// As a run gets it: labels as they are, anything else as TOML.
  static std::string value_text(const std::string& key, const Value& value) {
    const std::string* const text = value.text();
    return key == "policy" && text != nullptr ? *text : text_of(value);
  }

  void axis(const std::string& path, const Flat& keys) {
    Axis axis;
    for (const auto& [key, value] : keys) {
      const std::string own = fmt::format("{}.{}", path, key);
      const List* const list = reader.list(*value, own);
      if (list == nullptr) return;
      if (list->empty()) {
        reader.add_error({.path = own, .what = "expected values, found an empty list"});
        return;
      }
      if (!axis.keys.empty() && list->size() != axis.size()) {
        reader.add_error({.path = own,
                          .what = fmt::format("expected as many values as {} has, {}, found {}",
                                              axis.keys.front(), axis.size(), list->size())});
        return;
      }
      axis.keys.push_back(key);
      axis.values.resize(list->size());
      axis.locations.resize(list->size());
      for (std::size_t at = 0; at < list->size(); ++at) {
        axis.values[at].push_back(value_text(key, (*list)[at]));
        axis.locations[at].push_back(document_.location(fmt::format("{}[{}]", own, at)));
      }
    }
    if (axis.keys.empty()) return;
    for (std::size_t at = 0; at < axis.size(); ++at) {
      if (std::ranges::count(axis.values, axis.values[at]) == 1) continue;
      reader.add_error({.path = fmt::format("{}.{}", path, axis.keys.front()),
                        .what = fmt::format("{} is there twice", axis.values[at].front())});
      return;
    }
    file_.axes.push_back(std::move(axis));
  }

  void refuse_twice() {
    std::set<std::string> keys;
    const auto add = [&](const std::string& key) {
      if (keys.insert(key).second) return;
      reader.add_error({.path = "axes", .what = fmt::format("{} is set in two places", key)});
    };
    for (const Override& one : file_.set) add(one.key);
    for (const Axis& axis : file_.axes) std::ranges::for_each(axis.keys, add);
  }

  void read_baseline(const Table& table) {
    for (const auto& [key, value] : flat(table)) {
      const std::string path = "baseline." + key;
      const std::string text = value_text(key, *value);
      std::vector<std::string> keys;
      std::vector<std::string> values;
      for (const Axis& axis : file_.axes) {
        for (std::size_t at = 0; at < axis.keys.size(); ++at) {
          keys.push_back(axis.keys[at]);
          if (axis.keys[at] != key) continue;
          for (const auto& step : axis.values) values.push_back(step[at]);
        }
      }
      if (values.empty()) {
        reader.add_error({.path = path,
                          .what = "expected the key of an axis",
                          .hint = suggest(key, keys),
                          .at = ValueError::At::key});
      } else if (std::ranges::find(values, text) == values.end()) {
        reader.add_error({.path = path,
                          .what = fmt::format("expected a value of that axis, found {}", text),
                          .hint = suggest(text, values)});
      }
      file_.baseline[key] = text;
    }
  }

  const Document& document_;
  ExperimentFile& file_;
};

}  // namespace

Checked<ExperimentFile> parse_experiment(std::string_view toml, std::string origin) {
  const auto document = parse_document(toml, origin, {});
  if (!document) return tl::unexpected(document.error());
  ExperimentFile file;
  file.origin = std::move(origin);
  Reading reading(*document, file);
  reading();
  if (reading.reader.any()) return tl::unexpected(document->mistakes(reading.reader));
  return file;
}

Checked<ExperimentFile> load_experiment(const std::filesystem::path& file) {
  const auto text = read_toml(file);
  if (!text) return tl::unexpected(text.error());
  return parse_experiment(*text, file.string());
}

}  // namespace somnus
