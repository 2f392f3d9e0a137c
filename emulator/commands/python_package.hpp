// The Python package: some commands are carried out by it. It is beside an installed program, in
// the source tree that the program was built in, or installed for Python.
#pragma once

#include <string>
#include <vector>

namespace somnus {

/// From now on a Python that this process starts, such as an order of the user's, finds the package
/// where it is beside the program or in its source tree.
void let_python_find_package();

/// Runs `somnus.analysis WORDS...` in the place of this process, so it returns never; its help says
/// `called` as the program. SOMNUS names this program there, unless it is set. Throws WorldError:
/// there is no Python. What Python lacks, it says itself, and ends with exit code 3.
[[noreturn]] void hand_over_to_python(const std::string& called, std::vector<std::string> words);

}  // namespace somnus
