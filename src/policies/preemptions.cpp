#include "policies/preemptions.hpp"

#include "scheduler/rows.hpp"

namespace somnus {
namespace {

const Registered<Part> none =
    rows::preemption<NoPreemption>("none", "who runs, runs to its end", "FCFS, Spark, YARN");
const Registered<Part> requeue = rows::preemption<Requeue>(
    "requeue", "those of later tiers give up their slots, and start again from their beginning",
    "Slurm's PreemptMode=REQUEUE");
const Registered<Part> suspend = rows::preemption<Suspend>(
    "suspend", "those of later tiers give up their slots, and go on later from where they stopped",
    "Tiresias' jobs with checkpoints");

}  // namespace
}  // namespace somnus
