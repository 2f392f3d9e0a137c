# A private Slurm on this machine: one controller, two node daemons ("n1", "n2", both here), its
# own munge, its own ports; everything in one folder, nothing of the system's is touched. Sourced
# by *_test.sh; root only (slurmd starts job steps as their users).
#
#   slurm_missing          prints what this machine lacks, or nothing
#   slurm_start FOLDER [CPUS [LINES]]
#                          returns when both nodes, of so many CPUs (2), are idle; exports SLURM_CONF,
#                          to which LINES have been added
#   slurm_stop FOLDER      ends all that slurm_start began, by their pid files

slurm_missing() {
  local program
  ((EUID == 0)) || echo "root"
  for program in slurmctld slurmd sbatch srun munged mungekey runuser mpirun; do
    command -v "$program" >/dev/null || echo "$program"
  done
}

# Ports that were free a moment ago.
free_ports() {
  /usr/bin/python3 - "$1" <<'PYTHON'
import socket, sys
held = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
print(*(each.getsockname()[1] for each in held))
PYTHON
}

slurm_start() {
  local folder=$1 cpus=${2:-2} lines=${3:-} host node
  host=$(hostname -s)
  local ports
  read -ra ports < <(free_ports 3)
  mkdir -p "$folder"/{munge,state}
  chmod 755 "$folder"
  # Each daemon thinks it has the host for itself: own spool and temporary folders keep them apart.
  for node in n1 n2; do mkdir -p "$folder"/{spool,tmp}/$node; done
  cat > "$folder/slurm.conf" <<CONF
ClusterName=private
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket,cred_expire=5
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=5
MpiDefault=pmix
MailProg=/bin/true
StateSaveLocation=$folder/state
SlurmctldPidFile=$folder/slurmctld.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmdLogFile=$folder/slurmd-%n.log
SlurmdSpoolDir=$folder/spool/%n
TmpFS=$folder/tmp/%n
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[1]} CPUs=$cpus
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[2]} CPUs=$cpus
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
$lines
CONF
  chown -R munge: "$folder/munge"
  runuser -u munge -- mungekey --create --keyfile="$folder/munge/key" || return 1
  runuser -u munge -- munged --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
    --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" \
    --seed-file="$folder/munge/seed" || return 1
  export SLURM_CONF=$folder/slurm.conf
  slurmctld
  slurmd -N n1
  slurmd -N n2
  local tries
  for ((tries = 0; tries < 150; ++tries)); do
    [[ $(sinfo --noheader --Node --format=%T 2>/dev/null | grep -cx idle) == 2 ]] && return
    sleep 0.2
  done
  echo "the private Slurm's nodes are not idle after 30 s:"
  sinfo --Node --long || true
  tail -n 20 "$folder"/*.log
  return 1
}

slurm_stop() {
  local folder=$1 file pid tries
  [[ -f $folder/slurmctld.pid ]] && scancel --user=root --full --signal=KILL 2>/dev/null
  for file in "$folder"/slurmd-n?.pid "$folder/slurmctld.pid" "$folder/munge/pid"; do
    [[ -f $file ]] || continue
    pid=$(<"$file")
    kill "$pid" 2>/dev/null || continue
    for ((tries = 0; tries < 200; ++tries)); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.1
    done
    kill -KILL "$pid" 2>/dev/null
  done
}
