#include "export/table_views.hpp"

#include <cstring>
#include <limits>
#include <map>
#include <span>
#include <string_view>

namespace somnus {
namespace {

template <class Stored>
Stored read(const std::byte* at) {
  Stored value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

class Views {
 public:
  explicit Views(const Log& log) : log_(log) {}

  std::vector<TableView> operator()() {
    const LogTables& tables = log_.tables;
    add("/jobs", tables.jobs);
    add("/stages", tables.stages);
    add("/stage_parents", tables.stage_parents);
    add("/stage_affinity", tables.stage_affinity);
    add("/stage_demands", tables.stage_demands);
    add("/curves", tables.curves);
    add("/gangs", tables.gangs);
    add("/accounting", tables.accounting);
    add("/limits", tables.limits);
    add("/cold_tasks", tables.cold_tasks);
    add("/nodes", tables.nodes);
    add("/users", tables.users);
    add("/ranks", tables.ranks);
    add("/lateness", tables.lateness);
    add("/resumes", tables.resumes);
    add("/scheduler", &tables.scheduler, 1);
    LongRows::for_each(
        [&]<class Row>(std::type_identity<Row>) { add(path_of<Row>(), rows_of<Row>(log_)); });
    return std::move(views_);
  }

 private:
  template <class Row>
  void add(const std::string& path, const std::vector<Row>& rows) {
    add(path, rows.data(), rows.size());
  }
  template <class Row>
  void add(const std::string& path, const Row* rows, std::size_t count) {
    if (count == 0) return;
    TableView view{.path = path,
                   .columns = {},
                   .rows = std::as_bytes(std::span(rows, count)).data(),
                   .row_bytes = sizeof(Row),
                   .count = count};
    const Layout layout = layout_of<Row>(log_.header.resources);
    for (const Column& column : layout.columns()) {
      const bool is_id = column.unit == "id";
      // A fresh row names nobody where none can be.
      const bool may_be_none =
          is_id && column.number == Number::u32 &&
          read<std::uint32_t>(layout.fallback().data() + column.offset) == no_id;
      view.columns.push_back({.of = column, .name = column.name, .may_be_none = may_be_none});
      const auto* const names = is_id ? names_of(column.name) : nullptr;
      if (names != nullptr) {
        view.columns.push_back({.of = column,
                                .name = column.name + "_name",
                                .names = names,
                                .may_be_none = may_be_none});
      }
    }
    views_.push_back(std::move(view));
  }

  [[nodiscard]] const std::vector<std::string>* names_of(const std::string& column) const {
    const LogNames& names = log_.tables.names;
    const std::map<std::string_view, const std::vector<std::string>*> known = {
        {"job", &names.jobs},     {"after", &names.jobs},       {"user", &names.users},
        {"queue", &names.queues}, {"account", &names.accounts}, {"qos", &names.qos},
        {"app", &names.apps},     {"group", &names.groups}};
    const auto found = known.find(column);
    return found == known.end() ? nullptr : found->second;
  }

  const Log& log_;
  std::vector<TableView> views_;
};

}  // namespace

TableView::Cell TableView::cell(std::size_t row, const ViewColumn& column) const {
  const std::byte* const at = rows + row * row_bytes + column.of.offset;
  switch (column.of.number) {
    case Number::u8:
      return std::uint64_t{read<std::uint8_t>(at)};
    case Number::u16:
      return std::uint64_t{read<std::uint16_t>(at)};
    case Number::u32:
      return std::uint64_t{read<std::uint32_t>(at)};
    case Number::u64:
      return read<std::uint64_t>(at);
    case Number::f64:
      break;
  }
  return read<double>(at);
}

bool TableView::is_none(std::size_t row, const ViewColumn& column) const {
  return column.may_be_none && std::get<std::uint64_t>(cell(row, column)) == no_id;
}

const std::string& TableView::name(std::size_t row, const ViewColumn& column) const {
  static const std::string nobody;
  const auto id = std::get<std::uint64_t>(cell(row, column));
  return id < column.names->size() ? (*column.names)[id] : nobody;
}

std::vector<TableView> tables_of(const Log& log) { return Views(log)(); }

}  // namespace somnus
