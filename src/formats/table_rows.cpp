#include "formats/table_rows.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cmath>

#include "model/limits.hpp"
#include "text/csv_cell.hpp"
#include "text/parse_number.hpp"
#include "workload/check.hpp"

namespace somnus {
namespace {

constexpr double most_submit_s = 9e9;  // 285 years; milliseconds since 1970 are beyond
constexpr std::uint64_t most_stage = 4'000'000'000;

}  // namespace

bool TableRowReader::begin(TableColumns columns, int line) {
  first_line_ = line;
  columns_ = std::move(columns);
  is_used_.resize(columns_.size());
  form_of_.resize(columns_.size());
  resolve(mapping_.submit, options_.submit);
  resolve(mapping_.duration, options_.duration);
  resolve(mapping_.tasks, options_.tasks);
  resolve(mapping_.job, options_.job);
  resolve(mapping_.user, options_.user);
  resolve(mapping_.queue, options_.queue);
  resolve(mapping_.account, options_.account);
  resolve(mapping_.qos, options_.qos);
  resolve(mapping_.nice, options_.nice);
  resolve(mapping_.app, options_.app);
  resolve(mapping_.weight, options_.weight);
  resolve(mapping_.estimate, options_.estimate);
  resolve(mapping_.limit, options_.limit);
  resolve(mapping_.stage, options_.stage);
  resolve(mapping_.parents, options_.parents);
  for (const auto& [kind, text] : options_.demand) {
    kinds_.push_back(kind);
    demand_names_.push_back("demand." + kind);
  }
  for (const auto& [kind, text] : options_.demand) {
    mapping_.demands.push_back(
        {.parameter = demand_names_[mapping_.demands.size()].c_str(), .also = AlsoTakes::amounts});
    resolve(mapping_.demands.back(), text);
  }
  require(options_.submit, "submit");
  require(options_.duration, "duration");
  const bool has_stages = !options_.stage.empty() || !options_.parents.empty();
  if (options_.rows == TableRows::task) {
    require(options_.job, "job");
  } else if (has_stages) {
    refuse_mapping("rows", "expected task where stage or parents is given, found job", "");
  }
  if (!options_.parents.empty()) require(options_.stage, "stage");
  return !mistakes_.any();
}

void TableRowReader::resolve(NumberColumn& column, const std::string& text) {
  if (text.empty()) return;
  const auto found = columns_.number(text);
  if (found) {
    column.meant = *found;
    if (found->column) is_used_[*found->column] = true;
    for (const auto& other : {found->minus, found->factor, found->divisor}) {
      if (other) is_used_[*other] = true;
    }
  } else {
    refuse_mapping(column.parameter, found.error().what, found.error().hint);
  }
}

void TableRowReader::resolve(TextColumn& column, const std::string& text) {
  if (text.empty()) return;
  const auto found = columns_.text(text);
  if (found) {
    column.meant = *found;
    if (found->column) is_used_[*found->column] = true;
  } else {
    refuse_mapping(column.parameter, found.error().what, found.error().hint);
  }
}

void TableRowReader::require(const std::string& text, const char* parameter) {
  if (!text.empty()) return;
  refuse_mapping(parameter, "expected the name of its column, found none",
                 columns_.listed() + "; somnus import finds which it may be");
}

void TableRowReader::refuse_mapping(const char* parameter, std::string what, std::string hint) {
  mistakes_.add(*first_line_, 0, parameter, std::move(what), std::move(hint));
}

std::optional<TableRow> TableRowReader::read(const TableRecord& record) {
  const std::size_t number = rows_++;
  record_ = &record;
  is_broken_ = false;
  if (!record.is_whole) return std::nullopt;
  if (record.cells.size() != columns_.size()) {
    mistakes_.add(record.line, 0, "",
                  fmt::format("expected {} cells, found {}", columns_.size(), record.cells.size()));
    return std::nullopt;
  }
  if (options_.skip_unfinished && is_unfinished()) {
    ++unfinished_;
    return std::nullopt;
  }
  const auto& name = mapping_.job.meant;
  if (name && cell(*name).empty()) {
    wrong(mapping_.job, "expected a name, found an empty cell", Skip::refused);
    return std::nullopt;
  }
  TableRow row{.line = record.line,
               .job = {.job = name ? std::string(csv_text(cell(*name))) : std::to_string(number),
                       .user = text(mapping_.user, "default"),
                       .queue = text(mapping_.queue, "default"),
                       .account = text(mapping_.account, ""),
                       .qos = text(mapping_.qos, ""),
                       .app = text(mapping_.app, "")}};
  for (const TextColumn* const each : {&mapping_.job, &mapping_.user, &mapping_.queue,
                                       &mapping_.account, &mapping_.qos, &mapping_.app}) {
    const std::string_view found = each->meant ? cell(*each->meant) : std::string_view();
    if (simdjson::validate_utf8(found)) continue;
    wrong(*each, "expected UTF-8 text, found other bytes", Skip::refused,
          "save the file as UTF-8, e.g. by iconv -f latin1 -t utf-8");
  }
  const auto& submit = mapping_.submit.meant;
  if (submit && submit->column) row.column = record.cells[*submit->column].column;
  read_numbers(row);
  read_parents(row);
  row.is_broken = is_broken_;
  return row;
}

bool TableRowReader::is_unfinished() const {
  const auto& meant = mapping_.duration.meant;
  if (!meant || !meant->column) return false;
  const auto is_never = [&](std::size_t column, bool may_be_zero) {
    return never_came(record_->cells[column].text, may_be_zero);
  };
  return is_never(*meant->column, meant->minus.has_value()) ||
         (meant->minus && is_never(*meant->minus, false));
}

bool never_came(std::string_view cell, bool may_be_zero) {
  return (may_be_zero && parse_number<double>(cell) == 0.0) ||
         std::ranges::find(never_words, cell) != std::end(never_words);
}

void TableRowReader::read_numbers(TableRow& row) {
  const auto in_milliseconds = [](const char* parameter) {
    return fmt::format("{} = \"COLUMN/1000\" if it is in milliseconds", parameter);
  };
  row.job.submit = number(mapping_.submit, Range{.low = 0, .high = most_submit_s}, "s",
                          in_milliseconds("submit"));
  row.duration_s =
      number(mapping_.duration, Range{.low = 0, .high = longest_exact_seconds}, "s",
             in_milliseconds("duration") + "; a log keeps no time above 96 days to the nanosecond");
  row.tasks = whole(mapping_.tasks, 1, most_tasks, 1);
  if (has(mapping_.weight)) {
    row.job.weight = number(mapping_.weight, Range{.low = least_weight, .high = most_weight}, "");
  }
  if (has(mapping_.nice)) {
    const double nice = number(mapping_.nice, Range{.low = -most_nice, .high = most_nice}, "");
    if (nice != std::floor(nice))
      wrong(mapping_.nice, fmt::format("expected {}, found {}", a_nice, nice));
    row.job.nice = static_cast<std::int32_t>(nice);
  }
  if (has(mapping_.estimate)) {
    row.job.estimate = number(mapping_.estimate,
                              Range{.low = 0, .high = most_slot_time_s, .open = true}, "slot-s");
  }
  if (has(mapping_.limit)) {
    row.job.limit =
        number(mapping_.limit, Range{.low = 0, .high = longest_exact_seconds, .open = true}, "s");
  }
  for (const NumberColumn& demand : mapping_.demands) {
    row.demand.push_back(number(demand, Range{.low = 0, .high = Resources::most}, ""));
  }
  row.stage = static_cast<std::uint32_t>(whole(mapping_.stage, 0, most_stage, 0));
}

void TableRowReader::read_parents(TableRow& row) {
  if (!mapping_.parents.meant) return;
  std::string_view rest = cell(*mapping_.parents.meant);
  while (!rest.empty()) {
    const auto end = std::min(rest.find_first_of(" ;"), rest.size());
    const std::string_view piece = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (piece.empty()) continue;
    const auto parent = parse_number<std::uint32_t>(piece);
    if (parent && *parent <= most_stage) {
      row.parents.push_back(*parent);
    } else {
      wrong(mapping_.parents,
            fmt::format("expected numbers of stages with blanks between, found '{}'", piece));
    }
  }
}

void TableRowReader::wrong_at(std::optional<std::size_t> column, const char* parameter,
                              std::string what, Skip skip, std::string hint) {
  is_broken_ = true;
  const bool may_skip = skip == Skip::as_configured;
  if (may_skip && options_.skip_broken) return;
  if (may_skip && hint.empty()) hint = "skip_broken = true leaves the job out";
  const std::string name = column ? columns_.name(*column) : parameter;
  const TableCell at =
      column ? record_->cells[*column] : TableCell{.text = {}, .line = record_->line};
  mistakes_.add(at.line, at.column, name,
                name == parameter ? std::move(what) : fmt::format("{}: {}", parameter, what),
                std::move(hint));
}

std::string_view TableRowReader::cell(const TableText& meant) const {
  return meant.column ? record_->cells[*meant.column].text : std::string_view(meant.constant);
}

std::string TableRowReader::text(const TextColumn& column, std::string_view fallback) const {
  const std::string_view found = column.meant ? cell(*column.meant) : std::string_view();
  return std::string(found.empty() ? fallback : csv_text(found));
}

// Where a column may be absent its cells may, too.
bool TableRowReader::has(const NumberColumn& column) const {
  if (!column.meant) return false;
  if (!column.meant->column) return true;
  const std::string_view text = record_->cells[*column.meant->column].text;
  return !text.empty() && std::ranges::find(column.absent, text) == column.absent.end();
}

void TableRowReader::refuse_cell(std::size_t cell, const NumberColumn& of, const char* expected) {
  const std::string_view text = record_->cells[cell].text;
  wrong_at(cell, of.parameter, fmt::format("expected {}, found '{}'", expected, text),
           Skip::as_configured, hint_for_cell(text, options_.style()));
}

std::optional<CellNumber> TableRowReader::cell_number(std::size_t cell, const NumberColumn& of) {
  const std::string_view text = record_->cells[cell].text;
  if (of.also == AlsoTakes::amounts) {
    const auto amount = parse_amount(text, options_.style());
    if (amount) return CellNumber{.value = *amount};
  }
  const auto found = parse_cell(text, options_.style());
  // A difference of dates is as good as a length of time.
  const bool may_be_date = of.also == AlsoTakes::dates || of.meant->minus.has_value();
  const bool may_be_span = of.also == AlsoTakes::spans && !of.meant->minus;
  const bool is_fine =
      found && (found->form == CellForm::number || (found->form == CellForm::date && may_be_date) ||
                (found->form == CellForm::span && may_be_span));
  if (!is_fine) {
    refuse_cell(cell, of,
                may_be_date   ? "a number or a date"
                : may_be_span ? "a number or a length of time"
                              : "a number");
    return std::nullopt;
  }
  return is_as_before(cell, of, *found) ? found : std::nullopt;
}

bool TableRowReader::is_as_before(std::size_t cell, const NumberColumn& of,
                                  const CellNumber& found) {
  const int line = record_->cells[cell].line;
  const std::string_view text = record_->cells[cell].text;
  ColumnForm& column = form_of_[cell];
  if (column.line == 0) column = {line, found.form};
  if (column.form != found.form) {
    wrong_at(cell, of.parameter,
             fmt::format("expected {}, as in line {}, found '{}'", in_words(column.form),
                         column.line, text),
             Skip::refused, "");
    return false;
  }
  if (found.form != CellForm::date) return true;
  const std::string expected =
      dates_.expected_instead({.seconds = found.value, .has_zone = found.has_zone}, line);
  if (expected.empty()) return true;
  wrong_at(cell, of.parameter, fmt::format("expected {}, found '{}'", expected, text),
           Skip::refused, "dates of one file all have a zone, or none has");
  return false;
}

double TableRowReader::number(const NumberColumn& of, const Range& range, std::string_view unit,
                              std::string hint) {
  const TableNumber meant = of.meant.value_or(TableNumber());
  double value = meant.constant;
  if (meant.column) {
    const auto first = cell_number(*meant.column, of);
    const auto minus = meant.minus ? cell_number(*meant.minus, of) : CellNumber();
    if (!first || !minus) return 0;
    if (meant.minus && first->form != minus->form) {
      wrong_at(*meant.column, of.parameter,
               fmt::format("expected {}, as {} has in this row, found '{}'", in_words(minus->form),
                           columns_.name(*meant.minus), record_->cells[*meant.column].text),
               Skip::refused, "the difference of a date and a number says nothing");
      return 0;
    }
    const auto factor = meant.factor ? cell_number(*meant.factor, of) : CellNumber{.value = 1};
    const auto divisor = meant.divisor ? cell_number(*meant.divisor, of) : CellNumber{.value = 1};
    if (!factor || !divisor) return 0;
    double difference = first->value - minus->value;
    // Seconds since 1970 are exact to less than a microsecond.
    if (meant.minus && first->form == CellForm::date)
      difference = std::round(difference * 1e6) / 1e6;
    value = difference * factor->value / divisor->value * meant.times / meant.by;
  }
  if (range.holds(value)) return value;
  if (value < range.low) hint.clear();
  wrong(of,
        fmt::format("expected {}{} to {}{}{}, found {}", range.open ? "more than " : "", range.low,
                    range.high, unit.empty() ? "" : " ", unit, value),
        Skip::as_configured, std::move(hint));
  return 0;
}

std::uint64_t TableRowReader::whole(const NumberColumn& of, std::uint64_t low, std::uint64_t high,
                                    std::uint64_t fallback) {
  if (!of.meant) return fallback;
  const double value =
      number(of, Range{.low = static_cast<double>(low), .high = static_cast<double>(high)}, "");
  if (std::floor(value) == value) return static_cast<std::uint64_t>(value);
  wrong(of, fmt::format("expected a whole number, found {}", value));
  return fallback;
}

}  // namespace somnus
