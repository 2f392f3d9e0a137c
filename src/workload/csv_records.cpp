#include "workload/csv_records.hpp"

#include <algorithm>

namespace somnus {

bool CsvRecords::next(CsvRecord& record) {
  while (at_ < text_.size() && at_line_end()) end_line();
  if (at_ == text_.size()) return false;
  record = {.line = line_, .cells = std::move(record.cells), .unquoted = {}};
  record.cells.clear();
  while (true) {
    read_cell(record);
    if (at_ == text_.size()) return true;
    if (at_line_end()) {
      end_line();
      return true;
    }
    ++at_;  // the separator
  }
}

void CsvRecords::read_cell(CsvRecord& record) {
  skip_blanks();
  if (at_ < text_.size() && text_[at_] == '"') {
    read_quoted(record);
    return;
  }
  const std::size_t start = at_;
  while (at_ < text_.size() && text_[at_] != separator_ && !at_line_end()) ++at_;
  std::size_t end = at_;
  while (end > start && (text_[end - 1] == ' ' || text_[end - 1] == '\t')) --end;
  record.cells.push_back({.text = text_.substr(start, end - start),
                          .line = line_,
                          .column = static_cast<int>(start - line_start_) + 1});
}

void CsvRecords::read_quoted(CsvRecord& record) {
  const CsvCell opening{.text = {}, .line = line_, .column = column()};
  const auto refuse = [&](const CsvCell& at, std::string what) {
    record.is_whole = false;
    report_.add(at.line, at.column, "", std::move(what));
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
      line_start_ = at_ + 1;
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
  refuse({.text = {}, .line = line_, .column = column()},
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
  line_start_ = at_;
  ++line_;
}

bool CsvRecords::at_line_end() const {
  if (text_[at_] == '\n') return true;
  return text_[at_] == '\r' && (at_ + 1 == text_.size() || text_[at_ + 1] == '\n');
}

char told_separator(std::string_view text) {
  constexpr std::string_view candidates = ",;\t|";
  char told = ',';
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
    told = candidate;
  }
  return told;
}

}  // namespace somnus
