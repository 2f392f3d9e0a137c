// must not compile: 'class somnus::Asking' has no member named 'picture'
#include "policy/policy.hpp"

somnus::Picture peek(somnus::Asking& asking) { return asking.picture(); }
