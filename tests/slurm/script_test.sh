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
unset SOMNUS SOMNUS_LAUNCHER SOMNUS_MPI SOMNUS_RANKS SOMNUS_RESTARTS SLURM_RESTART_COUNT
unset SLURM_JOB_CPUS_PER_NODE SLURM_JOB_NUM_NODES
unset SLURM_ARRAY_JOB_ID SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_MIN

stand_in() {
  printf '#!/bin/bash\necho %s "$@" >> "$CALLS"\n%s\n' "$1" "$2" > "bin/$1"
  chmod +x "bin/$1"
}
stand_in srun 'exit "${SRUN_EXITS:-0}"'
stand_in mpirun ''
stand_in scancel ''
stand_in scontrol ''
# somnus_says COMPLETE FINISHED ARRIVED ACTIVE TIME: of whatever log, as `somnus recover --json` does;
# a run of it finishes a task more, if $MORE says so.
somnus_says() {
  printf '"was_complete": %s\n"finished_tasks": %s\n"arrived_jobs": %s\n"active_jobs": %s\n"time_s": %s\n' \
    "$@" > figures
  stand_in somnus 'sed "s/^.*$/    &,/; \$s/,\$//" figures'
}
somnus_says false 3 2 1 4.5

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
expect 0 "mpirun -n 4 --bind-to none somnus run a.toml --log b.h5" "mpirun starts all ranks of the job"

touch cut.h5
SRUN_EXITS=4 run_script a.toml cut.h5
expect 4 "srun --mpi=pmix --wait=60 somnus run a.toml --log cut.h5
somnus recover --json cut.h5" "after a failure the log is recovered and the exit code is somnus's"

SRUN_EXITS=137 run_script a.toml
expect 3 "srun --mpi=pmix --wait=60 somnus run a.toml --log somnus-7.h5" \
  "a killed rank is a failure of the world"

SLURM_RESTART_COUNT=1 run_script a.toml cut.h5
expect 0 "somnus recover --json cut.h5
srun --mpi=pmix --wait=60 somnus run --resume cut.h5" "a requeued job goes on"

SLURM_RESTART_COUNT=1 run_script a.toml cut.h5 --speed 20 -q
expect 0 "somnus recover --json cut.h5
srun --mpi=pmix --wait=60 somnus run --resume cut.h5 -q" \
  "with the config that its log has, and printing as asked"

SLURM_RESTART_COUNT=1 run_script a.toml none.h5 --speed 20
expect 0 "srun --mpi=pmix --wait=60 somnus run a.toml --log none.h5 --speed 20" \
  "one that had no log yet begins anew"

run_script --resume cut.h5
expect 0 "somnus recover --json cut.h5
srun --mpi=pmix --wait=60 somnus run --resume cut.h5" "a new job goes on, on request"

somnus_says true 3 2 0 4.5
SLURM_RESTART_COUNT=1 run_script a.toml cut.h5
expect 0 "somnus recover --json cut.h5" "a run that has come to its end does not go on"
somnus_says false 3 2 1 4.5

SLURM_JOB_CPUS_PER_NODE="64(x2),3" SLURM_JOB_NUM_NODES=3 run_script a.toml b.h5
expect 0 "srun --mpi=pmix --wait=60 --ntasks=9 --overcommit --ntasks-per-node=3 \
somnus run a.toml --log b.h5" "where hosts have more processors than tasks there is a rank a processor"

SOMNUS_LAUNCHER=mpirun SLURM_JOB_CPUS_PER_NODE="64(x2)" SLURM_JOB_NUM_NODES=2 \
  run_script a.toml b.h5
expect 0 "mpirun -n 10 --bind-to none --oversubscribe \
--map-by node somnus run a.toml --log b.h5" "at most five a host"

SOMNUS_RANKS=4 SLURM_JOB_CPUS_PER_NODE="64(x2)" SLURM_JOB_NUM_NODES=2 run_script a.toml b.h5
expect 0 "srun --mpi=pmix --wait=60 somnus run a.toml --log b.h5" "or as many as are asked for"

SOMNUS_RANKS=many run_script a.toml
expect 2 "" "which must be a number"

# expect_said SENTENCE: it stands in the output.
expect_said() {
  grep -qF "$1" output || { printf 'FAILED: nothing is said of "%s"\n' "$1" && cat output && exit 1; }
}
finish_a_task='sed -i "/finished/s/[0-9]/9/" figures'
pass_time='sed -i "/time/s/[0-9]/9/" figures'
resumed="somnus recover --json cut.h5
srun --mpi=pmix --wait=60 somnus run --resume cut.h5"

# The launcher signals its parent, the script, that time is running out, and gets a signal to end.
stand_in srun "$finish_a_task; "'kill -USR1 $PPID; sleep 0.2; exit 3'
run_script a.toml cut.h5
expect 3 "srun --mpi=pmix --wait=60 somnus run a.toml --log cut.h5
scancel --signal=TERM 7
somnus recover --json cut.h5
scontrol requeue 7" "out of time it ends the ranks and requeues the job"

somnus_says false 3 2 1 4.5
SOMNUS_RESTARTS=2 SLURM_RESTART_COUNT=2 run_script a.toml cut.h5
expect 3 "$resumed
scancel --signal=TERM 7
somnus recover --json cut.h5" "but not for ever"
expect_said "after 2 restarts"

stand_in srun "$finish_a_task; exit 137"
somnus_says false 3 2 1 4.5
run_script a.toml cut.h5
expect 3 "srun --mpi=pmix --wait=60 somnus run a.toml --log cut.h5
somnus recover --json cut.h5
scontrol requeue 7" "when the world failed in mid run it requeues the job"

somnus_says false 3 2 1 4.5
SLURM_RESTART_COUNT=1 run_script a.toml cut.h5
expect 3 "$resumed
somnus recover --json cut.h5
scontrol requeue 7" "again if a task has finished, be the file as long as it was"

stand_in srun "$pass_time; exit 137"
somnus_says false 3 2 1 4.5
SLURM_RESTART_COUNT=1 run_script a.toml cut.h5
expect 3 "$resumed
somnus recover --json cut.h5" "but not where it came no further, and what runs would start again"
expect_said "no task has finished and no job has come"

somnus_says false 3 2 0 4.5
SLURM_RESTART_COUNT=1 run_script a.toml cut.h5
expect 3 "$resumed
somnus recover --json cut.h5
scontrol requeue 7" "and it is further if it waits for the next job"

somnus_says false 3 2 1 4.5
stand_in srun 'kill -TERM $PPID; sleep 0.2; exit 3'
run_script a.toml cut.h5
expect 3 "srun --mpi=pmix --wait=60 somnus run a.toml --log cut.h5
scancel --signal=TERM 7
somnus recover --json cut.h5" "and one that is cancelled is not requeued"

stand_in srun ''
export SLURM_ARRAY_JOB_ID=5 SLURM_ARRAY_TASK_ID=4
run_script a.toml
expect 0 "srun --mpi=pmix --wait=60 somnus run a.toml --log somnus-5-4.h5" \
  "each element of an array has a log of its own"

run_script a.toml 'x-{task}.h5' --set 'scheduler.policy={fair|cfq|fifo}' --seed '{7|8}'
expect 0 "srun --mpi=pmix --wait=60 somnus run a.toml --log x-4.h5 --set scheduler.policy=cfq --seed 8" \
  "lists are gone through in all combinations, the first fastest"

SLURM_ARRAY_TASK_ID=2 run_script a.toml 'x-{task}.h5' --label '{a|b|}'
expect 0 "srun --mpi=pmix --wait=60 somnus run a.toml --log x-2.h5 --label " \
  "the last value of a list may be empty"

run_script a.toml 'x-{task}.h5' --set 'cluster.resources={ cpu = 4 }'
expect 0 "srun --mpi=pmix --wait=60 somnus run a.toml --log x-4.h5 --set cluster.resources={ cpu = 4 }" \
  "an inline table is none"

run_script a.toml x.h5
expect 2 "" "one log for all elements is refused"

SLURM_ARRAY_TASK_ID=6 run_script a.toml 'x-{task}.h5' --set 'scheduler.policy={fair|cfq|fifo}' --seed '{7|8}'
expect 2 "" "an element beyond the last combination is refused"
