#include "scheduler/wrong_key.hpp"

namespace somnus {
namespace {

std::string in_words(const Unit& unit) {
  return fmt::format("{} {}", name_of(unit.level()), unit.index());
}

}  // namespace

void refuse_nan(const char* order, const Unit& unit, const std::string& key) {
  throw WrongKey(order, fmt::format("gave {} a key that is no number at {} s: {}", in_words(unit),
                                    in_seconds(unit.now()), key));
}

void refuse_stale(const char* order, const Unit& unit, const std::string& kept,
                  const std::string& given) {
  throw WrongKey(
      order, fmt::format("has {} at the key {}, but at {} s key() gives {}: `moves` lacks an event "
                         "that moves keys, or moved() was not called for the job",
                         in_words(unit), kept, in_seconds(unit.now()), given));
}

}  // namespace somnus
