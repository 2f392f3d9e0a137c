// A log whose rows, names and header say anything: check, replay, summary and what recover works
// out end, with findings or sentences. It begins where the file has been read; log_shape_fuzz.cpp
// and log_bytes_fuzz.cpp are about that.
//
// The first byte chooses the log, the rest are edits (Edits below).
#include <algorithm>
#include <bit>
#include <cstring>

#include "fuzz/log_readers.hpp"
#include "fuzz/target.hpp"
#include "fuzz/worlds.hpp"
#include "log/layout.hpp"
#include "log/progress.hpp"

namespace somnus::fuzz {
namespace {

/// Calls visit(rows) for each table.
template <class Visit>
void for_each_table(Log& log, Visit&& visit) {
  LogTables& tables = log.tables;
  visit(tables.jobs);
  visit(tables.stages);
  visit(tables.stage_parents);
  visit(tables.stage_affinity);
  visit(tables.curves);
  visit(tables.gangs);
  visit(tables.accounting);
  visit(tables.limits);
  visit(tables.cold_tasks);
  visit(tables.nodes);
  visit(tables.users);
  visit(tables.stage_demands);
  visit(tables.ranks);
  LongRows::for_each([&]<class Row>(std::type_identity<Row>) { visit(rows_of<Row>(log)); });
}

constexpr double reals[] = {std::numeric_limits<double>::quiet_NaN(),
                            infinity,
                            -infinity,
                            -1,
                            0,
                            -0.0,
                            1e-300,
                            0.5,
                            1,
                            3,
                            1e6,
                            8.3e6,
                            9e9,
                            1e12,
                            9.3e9,
                            1e18,
                            1.7e308,
                            -1e300};
constexpr std::uint64_t wholes[] = {
    0, 1, 2, 3, 255, 65535, 1'000'000, 0x7fffffff, 0xfffffffe, 0xffffffff, ~std::uint64_t{0}};
constexpr const char* words[] = {
    "0",        "1",       "-1",        "0.5",        "1e9",       "4294967295", "nan", "1e300",
    "\"fifo\"", "\"cfq\"", "\"yaq-d\"", "\"tetris\"", "\"reuse\"", "true",       "[]",  "{}"};

/// Each edit: 1 byte what is done; then where, then what is written.
class Edits {
 public:
  explicit Edits(std::string_view bytes) : left_(bytes) {}

  [[nodiscard]] bool over() const { return left_.empty(); }

  void apply_next(Log& log) {
    const unsigned what = number<std::uint8_t>() % 8;
    if (what <= 4) return edit_table(log, number<std::uint8_t>(), what);
    if (what == 5) return edit_config(log.header.config);
    if (what == 6) return edit_names(log.tables.names);
    edit_header(log.header);
  }

 private:
  template <class T>
  T number() {
    return take_number<T>(left_);
  }
  std::size_t below(std::size_t most) { return number<std::uint16_t>() % most; }

  void edit_table(Log& log, std::size_t table, unsigned what) {
    std::size_t count = 0;
    for_each_table(log, [&](auto&) { ++count; });
    std::size_t at = 0;
    for_each_table(log, [&](auto& rows) {
      if (at++ == table % count && !rows.empty()) edit_rows(rows, log, what);
    });
  }

  template <class Row>
  void edit_rows(std::vector<Row>& rows, const Log& log, unsigned what) {
    const std::size_t one = below(rows.size());
    const auto place = rows.begin() + static_cast<std::ptrdiff_t>(one);
    switch (what) {
      case 0:
        rows.erase(place);
        break;
      case 1:
        rows.insert(place, Row(*place));
        break;
      case 2:
        std::swap(*place, rows[below(rows.size())]);
        break;
      default:
        edit_cell(*place, rows[below(rows.size())], layout_of<Row>(log.header.resources));
    }
  }

  /// A special value, some value, or that of another row.
  template <class Row>
  void edit_cell(Row& row, const Row& other, const Layout& layout) {
    const std::size_t columns = layout.columns().size();
    if (columns == 0) return;
    const Column& column = layout.columns()[number<std::uint8_t>() % columns];
    auto* const cell = reinterpret_cast<std::byte*>(&row) + column.offset;
    const auto* const its = reinterpret_cast<const std::byte*>(&other) + column.offset;
    const std::size_t size = bytes_of(column.number);
    const unsigned kind = number<std::uint8_t>();
    std::uint64_t value = 0;
    if (kind < 64) {
      std::memcpy(&value, its, size);
    } else if (kind < 128) {
      value = number<std::uint64_t>();
    } else if (column.number == Number::f64) {
      value = std::bit_cast<std::uint64_t>(reals[kind % std::size(reals)]);
    } else {
      value = wholes[kind % std::size(wholes)];
    }
    std::memcpy(cell, &value, size);
  }

  /// What stands behind some "=", or a line less, or any text in place of some.
  void edit_config(std::string& config) {
    if (config.empty()) return;
    const std::size_t from = below(config.size());
    const std::size_t equals = config.find('=', from);
    const std::size_t end = std::min(config.find('\n', from), config.size());
    const unsigned kind = number<std::uint8_t>();
    if (kind < 160 && equals < end) {
      config.replace(equals + 1, end - equals - 1, words[kind % std::size(words)]);
    } else if (kind < 200) {
      config.erase(from, end - from);
    } else {
      const std::size_t size = std::min<std::size_t>(kind - 200, left_.size());
      config.replace(from, size, left_.substr(0, size));
      left_.remove_prefix(size);
    }
  }

  void edit_names(LogNames& names) {
    std::vector<std::string>* const lists[] = {&names.jobs, &names.users, &names.queues,
                                               &names.apps, &names.groups};
    std::vector<std::string>& list = *lists[number<std::uint8_t>() % std::size(lists)];
    if (list.empty()) return list.emplace_back("one"), void();
    const std::size_t at = below(list.size());
    if (number<std::uint8_t>() % 2 == 0) {
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
    } else {
      list[at] = std::string(left_.substr(0, 7));
    }
  }

  void edit_header(LogHeader& header) {
    switch (number<std::uint8_t>() % 7) {
      case 0:
        header.complete = !header.complete;
        break;
      case 1:
        header.mode = header.mode == "run" ? "simulate" : "run";
        break;
      case 2:
        header.seed = number<std::uint64_t>();
        break;
      case 3:
        header.speed = reals[number<std::uint8_t>() % std::size(reals)];
        break;
      case 4:
        header.ranks = number<std::uint32_t>();
        break;
      case 5:
        if (header.resources.size() < DemandRow().size()) header.resources.emplace_back("more");
        break;
      default:
        if (!header.resources.empty()) header.resources.pop_back();
    }
  }

  std::string_view left_;
};

const std::vector<Log>& logs() {
  static const std::vector<Log> all = [] {
    std::vector<Log> made;
    for (const World& world : worlds()) made.push_back(ran(world).log);
    return made;
  }();
  return all;
}

}  // namespace

void read(std::string_view bytes) {
  if (bytes.empty()) return;
  Log log = logs()[static_cast<unsigned char>(bytes.front()) % logs().size()];
  Edits edits(bytes.substr(1));
  for (int most = 16; most > 0 && !edits.over(); --most) edits.apply_next(log);
  let_all_read(log);
  static_cast<void>(rebuild_progress(log, "fuzz.h5"));
}

std::vector<Seed> seeds() {
  std::vector<Seed> all;
  for (std::size_t at = 0; at < worlds().size(); ++at) {
    all.push_back({worlds()[at].name, std::string(1, static_cast<char>(at))});
    const char edits[] = {static_cast<char>(at), 3, 10, 1, 0, 4, 0, 0, 64, 5, 0, 40, 0, 3};
    all.push_back({worlds()[at].name + "-edited", {edits, sizeof edits}});
  }
  return all;
}

}  // namespace somnus::fuzz
