#!/usr/bin/env bash
# slurm/somnus.sbatch, run for real on a private Slurm of two nodes:
#
#   slurm_test.sh SOMNUS SBATCH_SCRIPT CONFIG
#
# Exit code 77 (ctest: skipped) where this machine has no Slurm, or we are not root.
set -uo pipefail

somnus=$1 script=$2 config=$3
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
