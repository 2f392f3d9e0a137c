// What the program says of itself: pages of help, and what is made of them for man and
// docs/reference.md.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace somnus {

/// Pages of help whose lines fit 80 columns.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

/// The commands that are in no other, in their order.
[[nodiscard]] std::vector<const CLI::App*> commands_of(const CLI::App& app);

/// Of the command of those words ("workload", "make"), or of the program. Throws UserError: there
/// is none.
[[nodiscard]] std::string help_of(const CLI::App& app, const std::vector<std::string>& words);
/// A page for man(1).
[[nodiscard]] std::string manual(const CLI::App& app);
/// All commands, config keys, generators and formats, in Markdown.
[[nodiscard]] std::string reference(const CLI::App& app);

}  // namespace somnus
