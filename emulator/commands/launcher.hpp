// `somnus run` on a laptop: starts itself under mpirun on this machine.
#pragma once

#include <array>
#include <string>

namespace somnus {

/// Where a rank finds its number: mpirun sets the first, srun with PMIx the second.
inline constexpr std::array rank_variables = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};

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
/// Says why, if there is something to say, and ends the process as it is, with that code.
[[noreturn]] void end_at_once(int code, const std::string& why);

/// Throws UserError if srun has started several of us that know nothing of each other, as its step
/// has no PMI that this MPI supports: each would be a run of its own. For who has found itself
/// alone.
void refuse_tasks_without_pmi();

/// Runs `argv` again under `mpirun -np ranks` and waits for it. When asked to stop it lets the
/// ranks end gracefully; asked again it ends them at once. mpirun ends with this process. Returns
/// the exit code of the program. If a rank or mpirun was killed or did not answer, says on stderr
/// which one, or throws a WorldError with that and what to do about `log` (may be empty) if rank 0
/// did not live to say anything.
[[nodiscard]] int run_under_mpirun(int ranks, int argc, char** argv, const std::string& log);

}  // namespace somnus
