#include "text/csv_records.hpp"

#include <algorithm>

namespace somnus {
namespace {

/// As spreadsheets write lines without anything in them: separators only.
bool is_blank(const TableRecord& record) {
  return record.is_whole && record.cells.size() > 1 &&
         std::ranges::all_of(record.cells, &std::string_view::empty, &TableCell::text);
}

}  // namespace

// A record that goes beyond the window is read again from its beginning in a larger one. Windows
// grow to twice their size, so that this takes no longer than to read it twice.
bool CsvRecords::next(TableRecord& record) {
  do {
    text_ = window_.text();
    while (true) {
      const int line = line_;
      const std::ptrdiff_t line_start = line_start_;
      const bool is_there = skip_line_ends();
      if (is_there && read_record(record) == Read::whole) break;
      if (!window_.grow()) {
        if (!is_there) return false;
        break;
      }
      text_ = window_.text();
      at_ = 0;
      line_ = line;
      line_start_ = line_start;
    }
    for (ValueError& error : errors_) {
      mistakes_.add(error.at.line, error.at.column, "", std::move(error.what));
    }
    window_.drop(at_);
    line_start_ -= static_cast<std::ptrdiff_t>(at_);
    at_ = 0;
  } while (is_blank(record));
  return true;
}

bool CsvRecords::skip_line_ends() {
  while (at_ < text_.size() && at_line_end()) end_line();
  return at_ < text_.size();
}

CsvRecords::Read CsvRecords::read_record(TableRecord& record) {
  errors_.clear();
  record = {.line = line_, .cells = std::move(record.cells), .unquoted = {}};
  record.cells.clear();
  while (true) {
    read_cell(record);
    if (at_ == text_.size()) return Read::beyond_the_window;
    if (at_line_end()) {
      const bool may_go_on = text_[at_] == '\r' && at_ + 1 == text_.size();
      end_line();
      return may_go_on ? Read::beyond_the_window : Read::whole;
    }
    ++at_;  // the separator
  }
}

void CsvRecords::read_cell(TableRecord& record) {
  skip_blanks();
  if (at_ < text_.size() && text_[at_] == '"') {
    read_quoted(record);
    return;
  }
  const std::size_t start = at_;
  while (at_ < text_.size() && text_[at_] != separator_ && !at_line_end()) ++at_;
  std::size_t end = at_;
  while (end > start && (text_[end - 1] == ' ' || text_[end - 1] == '\t')) --end;
  record.cells.push_back(
      {.text = text_.substr(start, end - start), .line = line_, .column = column_of(start)});
}

void CsvRecords::read_quoted(TableRecord& record) {
  const TableCell opening{.text = {}, .line = line_, .column = column_of(at_)};
  const auto refuse = [&](const TableCell& at, std::string what) {
    record.is_whole = false;
    errors_.push_back({at, std::move(what)});
  };
  const std::size_t start = ++at_;
  bool doubled = false;
  for (;; ++at_) {
    if (at_ == text_.size()) {
      refuse(opening, "expected a closing quote for this one, found the file's end");
      return;
    }
    if (text_[at_] == '\n') {
      ++line_;
      line_start_ = static_cast<std::ptrdiff_t>(at_) + 1;
    }
    if (text_[at_] != '"') continue;
    if (at_ + 1 == text_.size() || text_[at_ + 1] != '"') break;
    doubled = true;
    ++at_;
  }
  record.cells.push_back(opening);
  record.cells.back().text = text_.substr(start, at_ - start);
  if (doubled) {
    std::string& plain = record.unquoted.emplace_back();
    const std::string_view raw = record.cells.back().text;
    for (std::size_t at = 0; at < raw.size(); ++at) {
      plain += raw[at];
      if (raw[at] == '"') ++at;  // its double
    }
    record.cells.back().text = plain;
  }
  ++at_;
  skip_blanks();
  const bool ended = at_ == text_.size() || text_[at_] == separator_ || at_line_end();
  if (ended) return;
  refuse({.text = {}, .line = line_, .column = column_of(at_)},
         "expected the cell's end after its closing quote");
  while (at_ < text_.size() && text_[at_] != separator_ && !at_line_end()) ++at_;
}

void CsvRecords::skip_blanks() {
  while (at_ < text_.size() && text_[at_] != separator_ &&
         (text_[at_] == ' ' || text_[at_] == '\t')) {
    ++at_;
  }
}

void CsvRecords::end_line() {
  at_ += text_[at_] == '\r' ? 2 : 1;
  at_ = std::min(at_, text_.size());
  line_start_ = static_cast<std::ptrdiff_t>(at_);
  ++line_;
}

bool CsvRecords::at_line_end() const {
  if (text_[at_] == '\n') return true;
  return text_[at_] == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] == '\n');
}

char detected_separator(std::string_view text) {
  constexpr std::string_view candidates = ",;\t|^";
  char best = ',';
  std::ptrdiff_t most = 0;
  std::string outside;
  bool quoted = false;
  const auto start = std::min(text.find_first_not_of("\r\n"), text.size());
  for (const char one : text.substr(start)) {
    if (one == '"') quoted = !quoted;
    if (one == '\n' && !quoted) break;
    if (!quoted) outside += one;
  }
  for (const char candidate : candidates) {
    const auto count = std::ranges::count(outside, candidate);
    if (count <= most) continue;
    most = count;
    best = candidate;
  }
  return best;
}

}  // namespace somnus
