// `somnus report`: the page is made by the Python package.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace somnus {

inline constexpr const char* report_help =
    "one page on logs, to be opened in a browser without a network: faithful or not, who won, a "
    "timeline, why jobs waited";

struct ReportOptions {
  std::vector<std::string> logs;
  std::string output = "report.html";
  bool force = false;  // replace what is there
  bool quiet = false;
};

/// What its command line may say.
void describe(CLI::App& app, ReportOptions& options);

/// As hand_over_to_python().
int report(const ReportOptions& options);

}  // namespace somnus
