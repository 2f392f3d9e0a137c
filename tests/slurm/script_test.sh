#!/usr/bin/env bash
# slurm/somnus.sbatch without Slurm: what it decides by itself. srun and somnus are stand-ins that
# write down how they were called.
#
#   script_test.sh SBATCH_SCRIPT
set -uo pipefail

script=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
mkdir bin
export PATH=$folder/bin:$PATH CALLS=$folder/calls SLURM_JOB_ID=7 SLURM_NTASKS=4
unset SOMNUS SOMNUS_LAUNCHER SOMNUS_MPI SLURM_RESTART_COUNT

stand_in() {
  printf '#!/bin/bash\necho %s "$@" >> "$CALLS"\n%s\n' "$1" "$2" > "bin/$1"
  chmod +x "bin/$1"
}
stand_in srun 'exit "${SRUN_EXITS:-0}"'
stand_in mpirun ''
stand_in scancel ''
stand_in somnus ''

# expect CODE CALLS SENTENCE: after `run_script ARGUMENT...`.
run_script() {
  rm -f calls
  bash "$script" "$@" > output 2>&1
  code=$?
}
expect() {
  if [[ $code != "$1" || $(cat calls 2>/dev/null) != "$2" ]]; then
    printf 'FAILED: %s\nexit code %s, expected %s\ncalls:\n%s\nexpected:\n%s\noutput:\n%s\n' \
      "$3" "$code" "$1" "$(cat calls 2>/dev/null)" "$2" "$(cat output)"
    exit 1
  fi
  echo "ok: $3"
}

run_script
expect 2 "" "without a config it says how it is used"

SLURM_JOB_ID='' run_script a.toml
expect 2 "" "outside of a job it refuses"

SOMNUS=/nowhere/somnus run_script a.toml
expect 2 "" "without the program it refuses"

SOMNUS_LAUNCHER=rsh run_script a.toml
expect 2 "" "an unknown launcher is refused"

run_script a.toml
expect 0 "srun --mpi=pmix --wait=60 somnus run a.toml --log somnus-7.h5" \
  "the log is named after the job, and a good run needs no recovery"

SOMNUS_MPI=pmi2 run_script a.toml "b c.h5" --speed 20
expect 0 "srun --mpi=pmi2 --wait=60 somnus run a.toml --log b c.h5 --speed 20" \
  "log and further options are passed on"

SOMNUS_LAUNCHER=mpirun run_script a.toml b.h5
expect 0 "mpirun -n 4 --bind-to none --mca odls_base_sigkill_timeout 15 \
somnus run a.toml --log b.h5" "mpirun starts all ranks of the job, and is patient at the end"

touch cut.h5
SRUN_EXITS=4 run_script a.toml cut.h5
expect 4 "srun --mpi=pmix --wait=60 somnus run a.toml --log cut.h5
somnus recover cut.h5" "after a failure the log is recovered and the exit code is somnus's"

SRUN_EXITS=137 run_script a.toml
expect 3 "srun --mpi=pmix --wait=60 somnus run a.toml --log somnus-7.h5" \
  "a killed rank is a failure of the world"

SLURM_RESTART_COUNT=1 run_script a.toml cut.h5
expect 0 "somnus recover cut.h5
srun --mpi=pmix --wait=60 somnus run a.toml --log cut.h5" \
  "a requeued job recovers the log so far"
[[ -f cut.before-restart-1.h5 && ! -f cut.h5 ]] || { echo "FAILED: it was not set aside"; exit 1; }
echo "ok: and sets it aside"
