// must not compile: 'class somnus::JobsView' has no member named 'catalogue'
#include "scheduler/ranking.hpp"

somnus::Time peek(const somnus::Unit& unit) { return unit.jobs().catalogue().jobs.back().submit; }
