#include "export/perfetto_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/value.hpp"
#include "print/printable.hpp"

namespace somnus {
namespace {

constexpr std::size_t buffer_bytes = 1 << 20;

/// Nanoseconds, exactly.
std::string microseconds(std::int64_t nanoseconds) {
  const char* const sign = nanoseconds < 0 ? "-" : "";
  const std::int64_t size = std::abs(nanoseconds);
  return fmt::format("{}{}.{:03}", sign, size / 1000, size % 1000);
}
std::string microseconds(Time time) { return microseconds(time.time_since_epoch().count()); }

}  // namespace

std::string json_text(std::string_view text) { return nlohmann::json(as_utf8(text)).dump(); }

void TraceArgs::add(const char* key, std::string_view json) {
  text_ += fmt::format("{}\"{}\":{}", text_.empty() ? "" : ",", key, json);
}

void TraceArgs::add(const char* key, double number) {
  if (!std::isnan(number)) add(key, std::string_view(number_text(number)));
}

TraceText::TraceText(OutputFile& out, const std::string& about) : out_(out) {
  buffer_ = fmt::format("{{\"displayTimeUnit\":\"ms\",\"otherData\":{},\"traceEvents\":[", about);
}

void TraceText::event(std::string_view text) {
  buffer_ += is_first_ ? "\n" : ",\n";
  is_first_ = false;
  buffer_ += text;
  if (buffer_.size() >= buffer_bytes) flush();
}

void TraceText::flush() {
  out_.write(buffer_);
  buffer_.clear();
}

void TraceText::name_process(std::uint64_t process, std::string_view name, std::uint64_t place) {
  event(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})", process,
                    name));
  event(
      fmt::format(R"({{"ph":"M","name":"process_sort_index","pid":{},"args":{{"sort_index":{}}}}})",
                  process, place));
}

void TraceText::name_thread(Track track, std::string_view name) {
  event(fmt::format(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})",
                    track.process, track.thread, name));
}

void TraceText::span(Track track, std::string_view name, std::string_view category, Time begin,
                     Time end, const TraceArgs& args) {
  event(fmt::format(
      R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}})", name,
      category, track.process, track.thread, microseconds(begin),
      microseconds((end - begin).count()), args.text()));
}

void TraceText::instant(Track track, std::string_view name, std::string_view category, Time at,
                        const TraceArgs& args) {
  event(fmt::format(
      R"({{"ph":"i","s":"t","name":{},"cat":"{}","pid":{},"tid":{},"ts":{},"args":{{{}}}}})", name,
      category, track.process, track.thread, microseconds(at), args.text()));
}

void TraceText::counter(std::uint64_t process, std::string_view name, Time at, double value) {
  event(fmt::format(R"({{"ph":"C","name":{},"pid":{},"ts":{},"args":{{"value":{}}}}})", name,
                    process, microseconds(at), number_text(value)));
}

void TraceText::flow_begins(Track track, std::string_view name, std::uint64_t id, Time at) {
  event(fmt::format(R"({{"ph":"s","name":{},"cat":"flow","id":{},"pid":{},"tid":{},"ts":{}}})",
                    name, id, track.process, track.thread, microseconds(at)));
}

void TraceText::flow_ends(Track track, std::string_view name, std::uint64_t id, Time at) {
  event(fmt::format(
      R"({{"ph":"f","bp":"e","name":{},"cat":"flow","id":{},"pid":{},"tid":{},"ts":{}}})", name, id,
      track.process, track.thread, microseconds(at)));
}

void TraceText::finish() {
  buffer_ += "\n]}\n";
  flush();
}

}  // namespace somnus
