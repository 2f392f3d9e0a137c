#include "output/destination.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <system_error>

#include "output/descriptor.hpp"

namespace somnus {
namespace {

namespace fs = std::filesystem;

std::optional<struct stat> facts_of(const fs::path& path) {
  struct stat facts{};
  if (::stat(path.c_str(), &facts) != 0) return std::nullopt;
  return facts;
}

bool takes_streams(const struct stat& facts) {
  return S_ISFIFO(facts.st_mode) || S_ISCHR(facts.st_mode);
}

/// /proc/self/fd/1 leads to a file also when that has been removed.
bool has_a_name(const fs::path& path, const struct stat& facts) {
  const auto there = facts_of(resolved_path(path));
  return there && same_file(*there, facts);
}

const char* kind_of(const struct stat& facts) {
  if (S_ISREG(facts.st_mode)) return "a file without a name";
  if (S_ISFIFO(facts.st_mode)) return "a pipe";
  if (S_ISSOCK(facts.st_mode)) return "a socket";
  return "a device";
}

/// Of several names of one file the first that is an input.
const fs::path* input_at(const struct stat& facts, const OutputRules& rules) {
  const auto found = std::ranges::find_if(rules.inputs, [&](const fs::path& input) {
    const auto theirs = facts_of(input);
    return theirs && same_file(*theirs, facts);
  });
  return found == rules.inputs.end() ? nullptr : &*found;
}

Mistake refusal(const fs::path& path, std::string what, std::string hint) {
  return {.location = {.file = path.string()}, .what = std::move(what), .hint = std::move(hint)};
}

std::optional<Mistake> objection(const fs::path& path, const OutputRules& rules, Written written) {
  const auto facts = facts_of(path);
  if (!facts && errno == ELOOP) {
    return refusal(path, "is a link that leads round in a circle", "name another file");
  }
  if (!facts) return std::nullopt;
  if (S_ISDIR(facts->st_mode)) {
    return refusal(path, "is a folder, expected a file", "name a file in it");
  }
  // A terminal may well be read and written.
  if (const fs::path* const input = S_ISCHR(facts->st_mode) ? nullptr : input_at(*facts, rules)) {
    return refusal(path,
                   *input == path ? "is read by this command and would be lost"
                                  : fmt::format("is the same file as {}, which this command reads "
                                                "and which would be lost",
                                                input->string()),
                   "name another file");
  }
  const bool needs_a_name = written == Written::back_and_forth;
  if (S_ISREG(facts->st_mode) && (!needs_a_name || has_a_name(path, *facts))) {
    if (facts->st_size == 0 || rules.replace) return std::nullopt;
    return refusal(path, "is there already and would be lost",
                   "name another file, or say --force to replace it");
  }
  if (takes_streams(*facts) && written == Written::in_order) return std::nullopt;
  return refusal(path, fmt::format("is {}, expected a plain file", kind_of(*facts)),
                 "name a file that is not there yet");
}

}  // namespace

Mistakes objections_to_output(const fs::path& path, const OutputRules& rules, Written written) {
  Mistakes mistakes;
  if (auto one = objection(path, rules, written)) mistakes.add(std::move(*one));
  return mistakes;
}

void require_output_allowed(const fs::path& path, const OutputRules& rules, Written written) {
  Mistakes mistakes = objections_to_output(path, rules, written);
  if (mistakes.any()) throw UserError(std::move(mistakes));
}

fs::path resolved_path(const fs::path& path) {
  constexpr int most_links = 40;  // as many as the system follows
  fs::path place = path;
  std::error_code error;
  for (int link = 0; link < most_links; ++link) {
    const fs::path target = fs::read_symlink(place, error);
    if (error) break;
    place = place.parent_path() / target;
  }
  const fs::path folder = place.has_parent_path() ? place.parent_path() : fs::path(".");
  const fs::path real_folder = fs::canonical(folder, error);
  return error ? place : real_folder / place.filename();
}

void fail_to_write(const fs::path& path, const fs::path& place, int error) {
  std::error_code unknown;
  const fs::path folder = place.parent_path();
  const bool lacks_folder = error == ENOENT && !folder.empty() && !fs::exists(folder, unknown);
  throw WorldError(
      fmt::format("{}: cannot be written: {}{}", path.string(), system_words(error),
                  lacks_folder ? fmt::format("; make the folder {} first", folder.string()) : ""));
}

bool is_stream(const fs::path& path) {
  const auto facts = facts_of(path);
  return facts && (takes_streams(*facts) || (S_ISREG(facts->st_mode) && !has_a_name(path, *facts)));
}

bool is_standard_output(const fs::path& path) {
  const auto there = facts_of(path);
  struct stat ours{};
  return there && ::fstat(STDOUT_FILENO, &ours) == 0 && same_file(*there, ours);
}

}  // namespace somnus
