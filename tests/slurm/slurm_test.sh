#!/usr/bin/env bash
# slurm/somnus.sbatch, run for real on a private Slurm of two nodes:
#
#   slurm_test.sh SOMNUS SBATCH_SCRIPT CONFIG
#
# Exit code 77 (ctest: skipped) where this machine has no Slurm, or we are not root.
set -uo pipefail

somnus=$1 script=$2 config=$3
slow=0.05  # a run of half a minute
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

  # Slowed down to minutes, with a limit of one: the script's 60 s notice comes soon.
  submit --time=1 -- "$config" "$launcher-cut.h5" --speed 0.01
  code=$?
  ((code == 3)) || fail "$launcher: exit code $code after SIGTERM, expected 3"
  complete "$launcher-cut.h5" >/dev/null || fail "$launcher: the log is not readable after SIGTERM"
  echo "ok: $launcher, told of its time limit, leaves a log that opens"
done

export SOMNUS_LAUNCHER=srun
submit --array=1-4 -- "$config" 'array-{task}.h5' --set 'scheduler.policy={fifo|fair}' --seed '{1|2}' ||
  fail "the array: exit code $?, expected 0"
for element in 1 2 3 4; do
  [[ $(complete "array-$element.h5") == 1 ]] || fail "the array: log $element is not complete"
done
found=$(/usr/bin/python3 -c 'import h5py
for at in range(1, 5):
    with h5py.File(f"array-{at}.h5") as log:
        config = log.attrs["config"].decode()
        print("fair" if "policy = \"fair\"" in config else "fifo", log.attrs["seed"], end=";")')
[[ $found == "fifo 1;fair 1;fifo 2;fair 2;" ]] || fail "the array ran $found"
echo "ok: a job array runs all combinations, each into a log of its own"

# A host that is lost in mid run: its daemon is gone, and so are its ranks.
ranks_of() {
  local environment
  for environment in /proc/[0-9]*/environ; do
    grep -qz "^SLURMD_NODENAME=$1$" "$environment" 2>/dev/null || continue
    grep -qz "^SLURM_JOB_ID=$2$" "$environment" || continue
    [[ $(readlink "${environment%environ}exe") == "$somnus" ]] && basename "${environment%/environ}"
  done
}
job=$(sbatch --parsable --output="$folder/lost-%j.out" --time=10 "$script" "$config" lost.h5 \
  --speed "$slow") || fail "no job"
for ((tries = 0; tries < 300; ++tries)); do
  [[ -s lost.h5 && -n $(ranks_of n2 "$job") ]] && break
  sleep 0.2
done
sleep 2
ranks=$(ranks_of n2 "$job")
[[ -n $ranks ]] || fail "no rank runs on n2"
kill -KILL "$(<"$folder/slurmd-n2.pid")"
kill -KILL $ranks
sleep 1
slurmd -N n2
for ((tries = 0; tries < 900; ++tries)); do
  state=$(scontrol show job "$job" 2>/dev/null | grep -o 'JobState=[A-Z]*')
  [[ $state == JobState=COMPLETED || $state == JobState=FAILED ]] && break
  sleep 0.2
done
[[ $state == JobState=COMPLETED ]] || fail "after its host was lost the job ended as $state"
[[ $(complete lost.h5) == 1 ]] || fail "the log of the job that was started again is not complete"
complete lost.before-restart-1.h5 >/dev/null || fail "the log until the host was lost does not open"
echo "ok: a job that loses a host starts itself again, and both its logs open"
