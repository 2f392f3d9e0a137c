// must not compile: cannot convert 'somnus::TrueDuration' to 'double'
#include "scheduler/policy.hpp"

somnus::Event leak(somnus::TrueDuration truth) {
  return somnus::StageEstimated{somnus::StageId(0U), somnus::Estimate{truth}};
}
