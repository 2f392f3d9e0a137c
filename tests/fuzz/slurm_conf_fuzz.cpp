// Any text is a site or mistakes; the config of a site is one that is read.
#include "config/config.hpp"
#include "fuzz/target.hpp"
#include "slurm_conf/site.hpp"

namespace somnus::fuzz {

void read(std::string_view bytes) {
  const TextFile file = value_or_throw(TextFile::decode("slurm.conf", std::string(bytes)));
  const slurm_conf::Site site = value_or_throw(slurm_conf::site_of(file, ""));
  const auto settings = parse_settings(site.config, "site.toml", {});
  SOMNUS_CHECK(settings.has_value(), "what was made is refused: {}\n{}", settings.error().text(),
               site.config);
}

std::vector<Seed> seeds() {
  return {{"small", "NodeName=n[1-3] CPUs=4\n"},
          {"builtin",
           "SchedulerType=sched/builtin\nNodeName=a,b Sockets=2 CoresPerSocket=8\n"
           "PartitionName=all Nodes=ALL MaxTime=1-0\nOverTimeLimit=5\n"},
          {"priority",
           "PriorityType=priority/multifactor\nPriorityWeightAge=10\nPriorityWeightFairshare=2\n"
           "PriorityMaxAge=14-0\nPriorityDecayHalfLife=0\nPriorityCalcPeriod=1\nPriorityFavorSmall="
           "YES\n"
           "PriorityFlags=NO_FAIR_TREE,MAX_TRES\nFairShareDampeningFactor=2\n"
           "AccountingStorageType=accounting_storage/slurmdbd\nNodeName=n CPUs=1\n"},
          {"cycles",
           "SchedulerParameters=bf_interval=60,bf_window=2880,\\\nbf_resolution=1,defer\n"
           "NodeName=DEFAULT ThreadsPerCore=2 State=UP\nNodeName=r[0-1]n[01-10]x Weight=3\n"
           "NodeName=z State=DOWN Reason=\"a b\"\nPartitionName=p Nodes=r0n[01-02]x,y\n"
           "SelectTypeParameters=CR_Core_Memory\nInclude more\nPreemptType=preempt/qos\n"}};
}

}  // namespace somnus::fuzz
