#include "policies/fifo.hpp"

#include "scheduler/presets.hpp"
#include "scheduler/rows.hpp"

namespace somnus {
namespace {

const Registered<Part> fifo_order = rows::order<Fifo>("fifo", "first come, first served",
                                                      "Spark; CFQ section V", Fifo::on_resources)
                                        .with_examples({{{"level", "stage"}}});
const Registered<Preset> fifo_preset = presets_of::spark("fifo", "Spark's FIFO", "CFQ section V");

}  // namespace
}  // namespace somnus
