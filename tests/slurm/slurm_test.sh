#!/usr/bin/env bash
# slurm/somnus.sbatch, run for real on a private Slurm of two nodes:
#
#   slurm_test.sh SOMNUS SBATCH_SCRIPT CONFIG
#
# Exit code 77 (ctest: skipped) where this machine has no Slurm, or we are not root.
set -uo pipefail

somnus=$1 script=$2 config=$3
experiment_script=$(dirname "$script")/experiment.sbatch
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/private_slurm.sh"

missing=$(slurm_missing)
if [[ -n $missing ]]; then
  echo "skipped: a private Slurm needs $(tr "\n" " " <<< "$missing")"
  exit 77
fi

folder=$(mktemp -d /tmp/somnus-slurm.XXXXXX)
finish() {
  local code=$?
  slurm_stop "$folder"
  if ((code != 0)); then tail -n 15 "$folder"/slurm*.log; fi
  rm -rf "$folder"
  exit "$code"
}
trap finish EXIT

# Both "hosts" have one name, so Open MPI's shared-memory files of the two would collide: TCP only,
# and only here, whatever other networks this machine has.
export OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo
export SOMNUS=$somnus OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

fail() {
  echo "FAILED: $*"
  cat "$folder"/*.out 2>/dev/null
  exit 1
}

# submit [sbatch option...] -- ARGUMENT...: waits for the job; its exit code.
submit() {
  local options=()
  while [[ $1 != -- ]]; do options+=("$1") && shift; done
  sbatch --quiet --wait --output="$folder/%j.out" --job-name=test --time=5 "${options[@]}" \
    "$script" "${@:2}"
}

# begin [sbatch option...] -- ARGUMENT...: the number of the job, which goes on.
begin() {
  local options=()
  while [[ $1 != -- ]]; do options+=("$1") && shift; done
  sbatch --parsable --output="$folder/%j.out" --job-name=test "${options[@]}" "$script" "${@:2}"
}

# wait_until SECONDS SENTENCE COMMAND...
wait_until() {
  local end=$((SECONDS + $1)) what=$2
  until "${@:3}"; do
    ((SECONDS < end)) || { squeue --long && fail "$launcher: waited in vain until $what"; }
    sleep 0.5
  done
}
restarted() { [[ $(squeue --noheader --job="$1" --Format=RestartCnt 2>/dev/null) =~ [1-9] ]]; }
restarted_twice() { [[ $(squeue --noheader --job="$1" --Format=RestartCnt 2>/dev/null) =~ 2 ]]; }
is_gone() { [[ -z $(squeue --noheader --job="$1" 2>/dev/null) ]]; }

# has_rows LOG TABLE: also while it is written.
has_rows() {
  [[ -f $1 ]] && HDF5_USE_FILE_LOCKING=FALSE /usr/bin/python3 -c '
import h5py, sys
with h5py.File(sys.argv[1], libver="latest", swmr=True) as file:
    sys.exit(not (sys.argv[2] in file and len(file[sys.argv[2]])))' "$1" "$2" 2>/dev/null
}

# Of a log that may be written: how many tasks have finished.
finished() {
  HDF5_USE_FILE_LOCKING=FALSE /usr/bin/python3 -c '
import h5py, sys
with h5py.File(sys.argv[1], libver="latest", swmr=True) as file:
    print((file["tasks"]["outcome"] == 0).sum())' "$1" 2>/dev/null || echo 0
}
finished_more_than() { (($(finished "$2") > $1)); }

# The log's root attribute `complete`; fails if the log cannot be opened.
complete() {
  /usr/bin/python3 -c 'import h5py, sys; print(int(h5py.File(sys.argv[1]).attrs["complete"]))' "$1"
}

slurm_start "$folder" || exit 1
cd "$folder" || exit 1

for launcher in srun mpirun; do
  export SOMNUS_LAUNCHER=$launcher

  submit -- "$config" "$launcher.h5" || fail "$launcher: exit code $?, expected 0"
  [[ $(complete "$launcher.h5") == 1 ]] || fail "$launcher: the log is not complete"
  echo "ok: $launcher runs a config on two nodes and leaves a complete log"

  submit -- nowhere.toml none.h5
  code=$?
  ((code == 2)) || fail "$launcher: exit code $code for a config that is not there, expected 2"
  echo "ok: $launcher passes on the exit code of a user's mistake"

  log=$launcher-cut.h5
  job=$(begin --time=5 -- "$config" "$log" --speed 0.1)
  wait_until 60 "its first tasks have ended" has_rows "$log" tasks
  scancel --signal=USR1 --batch "$job"  # what Slurm does before the time limit
  wait_until 60 "it is requeued" restarted "$job"
  [[ $(complete "$log") == 0 ]] || fail "$launcher: the log of a job out of time is complete"
  echo "ok: $launcher, signalled that its time is over, leaves a log that opens, and is requeued"

  # Its few rows go into chunks that are there: the file grows no longer.
  before=$(finished "$log")
  wait_until 60 "it has finished more tasks" finished_more_than "$before" "$log"
  scancel --signal=USR1 --batch "$job"
  wait_until 60 "it is requeued again, as it has come further" restarted_twice "$job"
  echo "ok: $launcher goes on as often as it has come further, however long its log's file is"

  wait_until 120 "it has gone on to its end" is_gone "$job"
  [[ $(complete "$log") == 1 ]] || fail "$launcher: the log is not complete after the restart"
  has_rows "$log" resumes || fail "$launcher: the job began anew"
  "$somnus" check "$log" > check.txt || fail "$launcher: check: $(cat check.txt)"
  "$somnus" replay "$log" > replay.txt || fail "$launcher: replay: $(cat replay.txt)"
  echo "ok: $launcher goes on after the restart, and the log is that of one run"

  job=$(begin --time=5 -- "$config" "$launcher-ended.h5" --speed 0.1)
  wait_until 60 "its first tasks have ended" has_rows "$launcher-ended.h5" tasks
  scancel "$job"
  wait_until 60 "it has ended" is_gone "$job"
  [[ $(complete "$launcher-ended.h5") == 0 ]] || fail "$launcher: cancelled, its log is complete"
  echo "ok: $launcher, cancelled, leaves a log that opens, and is not requeued"
done

export SOMNUS_LAUNCHER=srun
rm -f ./*.out
began=$SECONDS
SOMNUS_MPI=none submit -- "$config" alone.h5
code=$?
((code == 2)) || fail "without a PMI: exit code $code, expected 2"
((SECONDS < began + 30)) || fail "without a PMI: it took $((SECONDS - began)) s"
[[ $(cat ./*.out | grep -c "tasks that know nothing of each other.*--mpi=pmix") == 1 ]] ||
  fail "without a PMI: it is not said, or not once, what to do"
[[ ! -e alone.h5 ]] || fail "without a PMI: a log of a run that never began"
echo "ok: without a PMI (SOMNUS_MPI=none) the tasks of a step are refused at once"
submit --array=1-4 -- "$config" 'array-{task}.h5' --set 'scheduler.policy={fifo|fair}' \
  --seed '{1|2}' || fail "the array: exit code $?, expected 0"
for element in 1 2 3 4; do
  [[ $(complete "array-$element.h5") == 1 ]] || fail "the array: log $element is not complete"
done
found=$(/usr/bin/python3 -c 'import h5py
for at in range(1, 5):
    with h5py.File(f"array-{at}.h5") as log:
        print(log.attrs["label"].decode(), log.attrs["seed"], end=";")')
[[ $found == "fifo 1;fair 1;fifo 2;fair 2;" ]] || fail "the array ran $found"
echo "ok: a job array runs all combinations, each into a log of its own"

printf '[experiment]\nconfig = "%s"\nseeds = 3\n[axes]\npolicy = ["fifo", "fair"]\n' "$config" > e.toml
script=$experiment_script submit --array=3-5 -- e.toml out ||
  fail "the experiment: exit code $?, expected 0"
"$somnus" experiment e.toml -o alone -q || fail "the experiment alone: exit code $?"
cmp alone/results.csv out/results.csv || fail "the array's table is another"
echo "ok: an experiment is a job array, and its table that of one process"

# A host that is lost in mid run: its daemon is gone, and so are its ranks.
ranks_of() {
  local environment
  for environment in /proc/[0-9]*/environ; do
    grep -qz "^SLURMD_NODENAME=$1$" "$environment" 2>/dev/null || continue
    grep -qz "^SLURM_JOB_ID=$2$" "$environment" || continue
    [[ $(readlink "${environment%environ}exe") == "$somnus" ]] || continue
    basename "${environment%/environ}"
  done
}
job=$(begin --time=10 -- "$config" lost.h5 --speed 0.1)
wait_until 60 "its first tasks have ended" has_rows lost.h5 tasks
mapfile -t ranks < <(ranks_of n2 "$job")
((${#ranks[@]} > 0)) || fail "no rank runs on n2"
kill -KILL "$(<"$folder/slurmd-n2.pid")" "${ranks[@]}"
sleep 1
slurmd -N n2
wait_until 60 "the job that lost a host is requeued" restarted "$job"
wait_until 200 "it has gone on to its end" is_gone "$job"
[[ $(complete lost.h5) == 1 ]] || fail "the log is not complete after a host was lost"
has_rows lost.h5 resumes || fail "the job that lost a host began anew"
"$somnus" check lost.h5 > check.txt || fail "check: $(cat check.txt)"
echo "ok: a job that loses a host is requeued and goes on, and its log is that of one run"

# Slowed down to minutes, with a limit of one: Slurm's own notice comes soon.
SOMNUS_LAUNCHER=srun job=$(begin --time=1 -- "$config" limit.h5 --speed 0.01)
wait_until 90 "it is requeued at its time limit" restarted "$job"
scancel "$job"
echo "ok: at the time limit Slurm signals the job, which is requeued"
