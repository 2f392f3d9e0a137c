#include "policies/batch_orders.hpp"

#include "scheduler/rows.hpp"

namespace somnus {
namespace {

const Registered<Part> shortest_limit = rows::order<ShortestLimit>(
    "shortest-limit", "the least time limit first", "Tsafrir et al. 2007");
const Registered<Part> wfp3 =
    rows::order<Wfp3>("wfp3", "the most (wait / limit)^3 x width first", "Tang et al. 2009");
const Registered<Part> unicef = rows::order<Unicef>(
    "unicef", "the most wait / (log2(width) x limit) first", "Tang et al. 2009");
const Registered<Part> f1 =
    rows::order<F1>("f1", "the least log10(limit) x width + 870 log10(submit) first",
                    "Carastan-Santos and de Camargo 2017");

}  // namespace
}  // namespace somnus
