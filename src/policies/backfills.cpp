#include "policies/backfills.hpp"

#include "scheduler/presets.hpp"
#include "scheduler/rows.hpp"

namespace somnus {
namespace {

const Registered<Part> first_fit = rows::backfill<FirstFit>(
    "first-fit", "others that fit start before it, however long it waits", "Spark, YARN");
const Registered<Part> none =
    rows::backfill<NoBackfill>("none", "nobody starts before it", "FCFS; Slurm's sched/builtin");
const Registered<Part> easy = rows::backfill<Easy>(
    "easy", "others start before it if that does not delay its reservation", "Lifka 1995");
const Registered<Part> conservative = rows::backfill<Conservative>(
    "conservative", "others start before it if that delays nobody's reservation",
    "Mu'alem and Feitelson 2001");
const Registered<Part> slurm = rows::backfill<SlurmCycles>(
    "slurm", "cycles in which others start on nodes that nobody before them has reserved",
    "Slurm 22.05's sched/backfill");

const Registered<Preset> fcfs =
    presets_of::batch("fcfs", "none", "first come, first served: who does not fit is waited for",
                      "Slurm's sched/builtin");
const Registered<Preset> easy_preset = presets_of::batch(
    "easy", "easy", "EASY backfilling: the first that does not fit is not delayed", "Lifka 1995");
const Registered<Preset> conservative_preset =
    presets_of::batch("conservative", "conservative", "conservative backfilling: nobody is delayed",
                      "Mu'alem and Feitelson 2001");
const Registered<Preset> slurm_builtin = presets_of::batch(
    "slurm-builtin", "none", "Slurm's first in, first out: who does not fit is waited for",
    "Slurm 22.05's sched/builtin");
const Registered<Preset> slurm_backfill = presets_of::batch(
    "slurm-backfill", "slurm", "Slurm's quick passes and backfill cycles over a FIFO",
    "Slurm 22.05's sched/backfill");

}  // namespace
}  // namespace somnus
