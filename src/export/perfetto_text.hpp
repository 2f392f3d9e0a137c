// Trace events as chrome://tracing and ui.perfetto.dev read them: one JSON object a line, times in
// microseconds ("Trace Event Format").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "output/file.hpp"

namespace somnus {

/// A text as JSON has it, with quotes; what is no UTF-8 in it as \xNN.
[[nodiscard]] std::string json_text(std::string_view text);

/// The details of an event.
class TraceArgs {
 public:
  void add(const char* key, std::string_view json);
  /// Left out if it is NaN.
  void add(const char* key, double number);
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// A line of the picture.
struct Track {
  std::uint64_t process = 0;  // from 1
  std::uint64_t thread = 0;
};

/// Events in any order, written as they come. Names and args are JSON. Throws WorldError.
class TraceText {
 public:
  /// `about`: what else the file says, as JSON.
  TraceText(OutputFile& out, const std::string& about);

  void name_process(std::uint64_t process, std::string_view name, std::uint64_t place);
  void name_thread(Track track, std::string_view name);
  void span(Track track, std::string_view name, std::string_view category, Time begin, Time end,
            const TraceArgs& args);
  void instant(Track track, std::string_view name, std::string_view category, Time at,
               const TraceArgs& args);
  void counter(std::uint64_t process, std::string_view name, Time at, double value);
  /// From within one span into another.
  void flow_begins(Track track, std::string_view name, std::uint64_t id, Time at);
  void flow_ends(Track track, std::string_view name, std::uint64_t id, Time at);

  void finish();

 private:
  void event(std::string_view text);
  void flush();

  OutputFile& out_;
  std::string buffer_;
  bool is_first_ = true;
};

}  // namespace somnus
