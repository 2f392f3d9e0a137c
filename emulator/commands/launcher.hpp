// `somnus run` on a laptop: starts itself under mpirun on this machine.
#pragma once

#include <string>

namespace somnus {

/// As many ranks as this machine carries well: rank 0 and a worker for each further core, at least
/// one and at most four workers.
[[nodiscard]] int ranks_for_this_machine();

/// Not so for ranks 1 and up of an MPI job: what all would say, they leave to rank 0.
[[nodiscard]] bool first_rank();
/// Returns at once on the first rank, elsewhere after half a second: mpirun ends all ranks at the
/// first that fails, and rank 0 should have said why by then.
void let_first_rank_speak();

/// What main() has to return: the code, unless run_under_mpirun() has started us as rank 0 and
/// gets it another way.
[[nodiscard]] int leave(int code);
/// Tells run_under_mpirun() the code, if it has started us as rank 0; whether it has been told.
bool tell_code(int code);
/// run_under_mpirun() has started us, and its process is gone.
[[nodiscard]] bool launcher_is_gone();
/// Says why, if there is something to say, and ends the process as it is, with that code.
[[noreturn]] void end_at_once(int code, const std::string& why);

/// Runs `argv` again under `mpirun -np ranks` and waits for it. When asked to stop it lets the
/// ranks end gracefully; asked again it ends them at once. mpirun dies with this process. Returns
/// the exit code: the program's own, or 3 if a rank or mpirun was killed; says so on stderr then,
/// with what to do about `log` (may be empty).
[[nodiscard]] int run_under_mpirun(int ranks, int argc, char** argv, const std::string& log);

}  // namespace somnus
