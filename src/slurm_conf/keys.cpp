#include "slurm_conf/keys.hpp"

#include "text/words.hpp"

namespace somnus::slurm_conf {
namespace {

/// How Slurm itself runs: keys, and beginnings of keys.
constexpr std::string_view of_slurm_itself =
    "AcctGatherEnergyType AcctGatherFilesystemType AcctGatherInterconnectType "
    "AcctGatherNodeFreq AcctGatherProfileType AllowSpecResourcesUsage BackupAddr "
    "BackupController BcastExclude BcastParameters CliFilterPlugins "
    "ClusterName CommunicationParameters ControlAddr ControlMachine "
    "CoreSpecPlugin CpuFreqDef CpuFreqGovernors CryptoType DefaultStorageType "
    "DependencyParameters DisableRootJobs EioTimeout EpilogMsgTime "
    "ExtSensorsFreq ExtSensorsType FederationParameters FirstJobId GetEnvTimeout GpuFreqDef "
    "GresTypes GroupUpdateForce GroupUpdateTime HashPlugin HealthCheckInterval "
    "HealthCheckNodeState HealthCheckProgram InactiveLimit InteractiveStepOptions "
    "JobContainerType JobCredentialPrivateKey JobCredentialPublicCertificate JobFileAppend "
    "JobRequeue JobSubmitPlugins KeepAliveTime KillOnBadExit KillWait LaunchParameters "
    "LaunchType LogTimeFormat MailDomain MailProg MaxArraySize MaxBatchRequeue MaxDBDMsgs "
    "MaxJobCount MaxJobId MaxNodeCount MaxStepCount MaxTasksPerNode "
    "MessageTimeout MinJobAge MpiDefault MpiParams NodeFeaturesPlugins PluginDir "
    "PlugStackConfig PrEpParameters PrEpPlugins PrioritySiteFactorParameters "
    "PrivateData RebootProgram ResvEpilog ResvProlog ReturnToService "
    "SallocDefaultCommand SbcastParameters ScronParameters SwitchType TaskPluginParam "
    "TreeWidth UnkillableStepProgram UnkillableStepTimeout UsePAM VSizeFactor WaitTime "
    "X11Parameters AccountingStoreFlags BatchStartTimeout PropagatePrioProcess ReconfigFlags "
    "SwitchParameters TCPTimeout TrackWCKey";
constexpr std::string_view of_slurm_itself_begin =
    "AccountingStorage Auth Cred DebugFlags Epilog JobAcctGather JobComp Mail Proctrack "
    "Prolog PropagateR RoutePlugin Slurmctld Slurmd SlurmSched SlurmUser Srun StateSave "
    "TaskEpilog TaskPlugin TaskProlog TmpFS";

constexpr std::string_view read_later =
    "AccountingStorageType FairShareDampeningFactor OverTimeLimit PreemptMode PreemptType "
    "PriorityCalcPeriod PriorityDecayHalfLife PriorityFavorSmall PriorityFlags PriorityMaxAge "
    "PriorityType PriorityUsageResetPeriod PriorityWeightAge PriorityWeightAssoc "
    "PriorityWeightFairshare PriorityWeightJobSize PriorityWeightPartition PriorityWeightQOS "
    "PriorityWeightTRES SchedulerParameters SchedulerType SelectType SelectTypeParameters";

constexpr std::string_view of_nodes =
    "BcastAddr Boards CoresPerSocket CPUs NodeAddr NodeHostname Port Procs RealMemory Reason "
    "Sockets SocketsPerBoard State ThreadsPerCore TmpDisk";
constexpr std::string_view of_partitions =
    "AllowAccounts AllowAllocNodes AllowGroups Alternate Default DenyAccounts Hidden MaxTime Nodes "
    "PreemptMode PriorityJobFactor PriorityTier RootOnly";

/// Calls is(word) until it holds.
template <class Is>
bool any_word(std::string_view words, Is&& is) {
  Words each(words);
  for (std::string_view word = each.next(); !word.empty(); word = each.next()) {
    if (is(word)) return true;
  }
  return false;
}
bool is_among(std::string_view key, std::string_view keys) {
  return any_word(keys, [&](std::string_view one) { return same_word(one, key); });
}

}  // namespace

bool matters_not(std::string_view key) {
  if (is_read_later(key) || is_among(key, "AccountingStorageEnforce")) return false;
  return is_among(key, of_slurm_itself) ||
         any_word(of_slurm_itself_begin,
                  [&](std::string_view one) { return same_word(one, key.substr(0, one.size())); });
}

bool is_read_later(std::string_view key) { return is_among(key, read_later); }

const char* why_missing_of_node(std::string_view key) {
  if (same_word(key, "Gres")) return "slots alone count: what a job asks for of these is not seen";
  if (same_word(key, "Weight")) return "of equally good nodes the first is taken";
  return is_among(key, of_nodes) ? nullptr : "no config of Somnus says this";
}

const char* why_missing_of_partition(const Setting& setting) {
  const bool is_unlimited = is_among(setting.value, "INFINITE NONE UNLIMITED");
  if (setting.is("MaxTime") && !is_unlimited && !seconds_of(setting.value)) return "no time";
  if (setting.is("DefaultTime") && !is_unlimited) {
    return "sacct says it of jobs that asked for none; another workload has to say it";
  }
  const bool says_nothing =
      (is_unlimited && is_among(setting.key, "DefaultTime MaxNodes")) ||
      (is_among(setting.value, "NO UP") && is_among(setting.key, "OverSubscribe Shared State"));
  return says_nothing || is_among(setting.key, of_partitions) ? nullptr
                                                              : "no config of Somnus says this";
}

}  // namespace somnus::slurm_conf
