#!/usr/bin/env bash
# The schedulers slurm-builtin and slurm-backfill beside the real ones, on the same sleeps:
#
#   schedulers_test.sh SOMNUS MEASURE_COSTS
#
# For each of sched/builtin and sched/backfill: a private Slurm of two nodes of 32 CPUs, its own costs
# measured with a few sleeps, 60 jobs of 1 to 6 s recorded, the same simulated and emulated. Exit code
# 77 (ctest: skipped) where this machine has no Slurm, or we are not root.
set -uo pipefail

somnus=$1 measure=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/private_slurm.sh"

missing=$(slurm_missing; /usr/bin/python3 -c "import h5py, numpy, pandas" 2>&1 | tail -n 1)
if [[ -n $missing ]]; then
  echo "skipped: a private Slurm needs $(tr "\n" " " <<< "$missing")"
  exit 77
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

folder=$(mktemp -d /tmp/somnus-slurm.XXXXXX)
chmod 755 "$folder"  # munge is another user
running=
finish() {
  local code=$?
  [[ -z $running ]] || slurm_stop "$running"
  if ((code != 0)); then tail -n 15 "$folder"/*/slurm*.log; fi
  rm -rf "$folder"
  exit "$code"
}
trap finish EXIT

for scheduler in builtin backfill; do
  cycles="sched_min_interval=0,batch_sched_delay=0,sched_interval=1"
  [[ $scheduler == builtin ]] || cycles+=",bf_interval=1,bf_resolution=1"
  running=$folder/$scheduler
  mkdir "$running"
  slurm_start "$running" 32 "SchedulerType=sched/$scheduler
SchedulerParameters=$cycles
PriorityType=priority/basic" || exit 1
  timeout 400 "$measure" --jobs 40 --keep "$running/costs" > "$running/costs.toml" || exit 1
  cat "$running/costs.toml"
  timeout 400 /usr/bin/python3 -B "$here/schedulers.py" record "$running" 60 || exit 1
  slurm_stop "$running"
  running=
  timeout 400 /usr/bin/python3 -B "$here/schedulers.py" compare "$folder/$scheduler" "$scheduler" "$somnus" || exit 1
done
