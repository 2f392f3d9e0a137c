#include "emulator/commands/processes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>

#include "emulator/commands/launcher.hpp"
#include "runtime/membership.hpp"
#include "text/contents.hpp"

namespace somnus {
namespace {

namespace fs = std::filesystem;

/// Of the process or thread, which may end at any moment: then nothing.
std::string told_by(const fs::path& file) { return contents_of(file).value_or(""); }

std::optional<int> number_in_environment(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? std::nullopt : std::optional(std::atoi(text));
}

std::string limit_in_words(int resource, rlim_t plenty, rlim_t unit, const char* option) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur >= plenty) return "";
  return fmt::format("ulimit {} {}", option, limit.rlim_cur / unit);
}

/// Where all ranks are on this host. Rank 0 gives up first, then the others.
std::vector<std::string> missing_ranks(const std::set<int>& there) {
  const auto here = number_in_environment("OMPI_COMM_WORLD_LOCAL_SIZE");
  std::vector<std::string> missing;
  if (!here || here != number_in_environment("OMPI_COMM_WORLD_SIZE")) return missing;
  if (!first_rank()) {
    if (!there.contains(0)) missing.emplace_back("rank 0 has ended");
    return missing;
  }
  for (int rank = 1; rank < *here; ++rank) {
    if (!there.contains(rank)) missing.push_back(fmt::format("rank {} is not there", rank));
  }
  return missing;
}

}  // namespace

// "17 (a name) S 16 ...": the state and the parent. The name may have parentheses, too.
std::optional<ProcessFacts> facts_of(pid_t process) {
  const std::string text = told_by(fmt::format("/proc/{}/stat", process));
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream rest(text.substr(name_end + 1));
  char state = 0;
  ProcessFacts facts;
  if (!(rest >> state >> facts.parent)) return std::nullopt;
  constexpr std::string_view ended = "ZXx";
  if (ended.find(state) != std::string_view::npos) return std::nullopt;
  facts.stopped = state == 'T' || state == 't';
  return facts;
}

std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> children;
  std::error_code error;
  for (const auto& thread : fs::directory_iterator(fmt::format("/proc/{}/task", process), error)) {
    std::istringstream numbers(told_by(thread.path() / "children"));
    for (pid_t child = 0; numbers >> child;) children.push_back(child);
  }
  return children;
}

std::optional<int> rank_of(pid_t process) {
  std::istringstream environment(told_by(fmt::format("/proc/{}/environ", process)));
  for (std::string word; std::getline(environment, word, '\0');) {
    for (const std::string_view variable : rank_variables) {
      if (!word.starts_with(variable) || word.size() <= variable.size()) continue;
      if (word[variable.size()] == '=') return std::atoi(word.c_str() + variable.size() + 1);
    }
  }
  return std::nullopt;
}

std::string what_hinders_the_start() {
  std::vector<std::string> hindrances;
  const pid_t starter = getppid();
  if (const auto facts = facts_of(starter); facts && facts->stopped) {
    hindrances.push_back(fmt::format("who started them (process {}) is stopped", starter));
  }
  std::set<int> there;
  for (const pid_t child : children_of(starter)) {
    const std::optional<int> rank = rank_of(child);
    if (!rank) continue;
    there.insert(*rank);
    if (const auto facts = facts_of(child); facts && facts->stopped) {
      hindrances.push_back(
          fmt::format("rank {} (host {}, process {}) is stopped", *rank, this_host(), child));
    }
  }
  if (!there.empty()) std::ranges::move(missing_ranks(there), std::back_inserter(hindrances));
  return fmt::format("{}{}{}", hindrances.empty() ? "" : ": ", fmt::join(hindrances, ", "),
                     hint_at_low_limits());
}

std::string hint_at_low_limits() {
  constexpr rlim_t many_files = 64;
  constexpr rlim_t large_file = 64 << 20;
  constexpr rlim_t unit_of_ulimit = 1024;
  std::vector<std::string> low = {limit_in_words(RLIMIT_NOFILE, many_files, 1, "-n"),
                                  limit_in_words(RLIMIT_FSIZE, large_file, unit_of_ulimit, "-f")};
  std::erase(low, "");
  if (low.empty()) return "";
  return fmt::format("; the limits of this shell may be why ({})", fmt::join(low, ", "));
}

}  // namespace somnus
