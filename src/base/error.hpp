// Three kinds of error, three ways.
//
// * The user's mistake is a value (Mistake): collected, all printed in one go, exit code 2.
// * A failure outside the program is an exception (WorldError): rank lost, disk full; exit code 3.
// * Our own mistake is a check that is always on (SOMNUS_CHECK, Bug): exit code 4.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace somnus {

/// Where in the user's input. line and column count from 1; 0 means "not known".
struct SourceLocation {
  std::string file;
  int line = 0;
  int column = 0;

  friend bool operator==(const SourceLocation&, const SourceLocation&) = default;
};

/// One thing that the user got wrong: `file:line:column: key: what; hint`.
struct Mistake {
  SourceLocation location;
  std::string key;       // e.g. "cluster.nodes" or "stages[1].parents"; may be empty
  std::string what;      // what is wrong and what was expected
  std::string hint;      // may be empty
  bool ignored = false;  // nothing is wrong with the key, but that nobody would read it

  [[nodiscard]] std::string text() const;
  friend bool operator==(const Mistake&, const Mistake&) = default;
};

/// Everything that is wrong with one input, in the order of the input.
class Mistakes {
 public:
  void add(Mistake mistake) { list_.push_back(std::move(mistake)); }
  /// A mistake that is in the list already is not added again: one input may be read for several
  /// runs.
  void append(Mistakes others);
  [[nodiscard]] bool any() const { return !list_.empty(); }
  [[nodiscard]] const std::vector<Mistake>& list() const { return list_; }
  /// One line a mistake, for a hundred of them; a last one says how many there are besides.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<Mistake> list_;
};

/// A value, or all that is wrong with the input that should have given it.
template <class T>
using Checked = tl::expected<T, Mistakes>;

[[nodiscard]] tl::unexpected<Mistakes> mistake(Mistake one);

/// The user's mistakes on their way to main(), exit code 2.
class UserError : public std::runtime_error {
 public:
  explicit UserError(Mistakes mistakes)
      : std::runtime_error(mistakes.text()), mistakes_(std::move(mistakes)) {}
  [[nodiscard]] const Mistakes& mistakes() const { return mistakes_; }

 private:
  Mistakes mistakes_;
};

/// Unwraps, or throws UserError.
template <class T>
[[nodiscard]] T value_or_throw(Checked<T> checked) {
  if (!checked) throw UserError(std::move(checked.error()));
  return std::move(*checked);
}

/// The world failed, exit code 3.
class WorldError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What an exception says, for people: a bad_alloc is "out of memory".
[[nodiscard]] std::string in_words(const std::exception& error);

/// We failed, exit code 4. Also thrown by the audit for a policy that decides nonsense.
class Bug : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void throw_bug(const char* file, int line, const std::string& message);
/// Arguments come by value, so that none has to have an address where the check holds; and all of
/// it is one call of a cold function, so that the compiler keeps it away from what runs.
template <class... Values>
[[noreturn, gnu::cold, gnu::noinline]] void fail_check(const char* file, int line,
                                                       fmt::format_string<const Values&...> message,
                                                       Values... values) {
  throw_bug(file, line, fmt::format(message, std::as_const(values)...));
}

}  // namespace somnus

/// Always on, in release builds too: SOMNUS_CHECK(condition, "what it means: {}", value).
#define SOMNUS_CHECK(condition, ...)                         \
  do {                                                       \
    if (!(condition)) [[unlikely]]                           \
      ::somnus::fail_check(__FILE__, __LINE__, __VA_ARGS__); \
  } while (false)
