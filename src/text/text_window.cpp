#include "text/text_window.hpp"

#include <simdjson.h>

#include <algorithm>

namespace somnus {
namespace {

constexpr std::size_t least_growth_bytes = std::size_t{1} << 20;

}  // namespace

TextWindow::TextWindow(const TextFile& file) : file_(&file) {
  if (file.is_held()) {
    text_ = file.text();
    return;
  }
  blocks_ = TextBlocks::open(file.name());
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (grow() && text_.starts_with(byte_order_mark)) drop(byte_order_mark.size());
}

bool TextWindow::grow() {
  if (!blocks_) return false;
  held_.erase(0, held_.size() - std::min(held_.size(), text_.size() + simdjson::SIMDJSON_PADDING));
  const std::size_t kept = text_.size();
  const std::size_t more = std::max(least_growth_bytes, kept);
  held_.resize(kept + more + simdjson::SIMDJSON_PADDING);
  const std::size_t count = blocks_->read(std::span(held_).subspan(kept, more));
  held_.resize(kept + count + simdjson::SIMDJSON_PADDING);
  text_ = std::string_view(held_).substr(0, kept + count);
  file_->report_progress(blocks_->bytes_read(), blocks_->input_bytes());
  if (count < more) blocks_.reset();
  return count > 0;
}

}  // namespace somnus
