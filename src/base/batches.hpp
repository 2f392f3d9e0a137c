// One vector for each type of a list.
#pragma once

#include <cstddef>
#include <tuple>
#include <vector>

#include "base/type_list.hpp"

namespace somnus {

template <class List>
class Batches;

template <class... Types>
class Batches<TypeList<Types...>> {
 public:
  template <class T>
  [[nodiscard]] std::vector<T>& get() {
    return std::get<std::vector<T>>(vectors_);
  }
  template <class T>
  [[nodiscard]] const std::vector<T>& get() const {
    return std::get<std::vector<T>>(vectors_);
  }
  template <class T>
  void put(const T& one) {
    get<T>().push_back(one);
  }
  /// Behind what is there.
  void append(const Batches& other) { (append(other.get<Types>()), ...); }
  /// The same, and nothing is left of the other.
  void take(Batches& other) { (take(get<Types>(), other.get<Types>()), ...); }

  [[nodiscard]] bool empty() const { return (get<Types>().empty() && ...); }
  /// Of all vectors together.
  [[nodiscard]] std::size_t size() const { return (get<Types>().size() + ... + 0); }
  void clear() { (get<Types>().clear(), ...); }

  /// Calls visit(vector) for each type, in order of the list.
  template <class Visit>
  void for_each(Visit&& visit) {
    (visit(get<Types>()), ...);
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    (visit(get<Types>()), ...);
  }
  /// Calls visit(one) for each one, type by type in order of the list.
  template <class Visit>
  void for_each_one(Visit&& visit) const {
    (visit_each(get<Types>(), visit), ...);
  }

 private:
  // Most are empty, and a call to find that out costs more than to look.
  template <class T, class Visit>
  [[gnu::always_inline]] static void visit_each(const std::vector<T>& all, Visit& visit) {
    for (const T& one : all) visit(one);
  }
  template <class T>
  static void take(std::vector<T>& here, std::vector<T>& other) {
    if (other.empty()) return;
    if (here.empty()) return here.swap(other);
    here.insert(here.end(), other.begin(), other.end());
    other.clear();
  }
  template <class T>
  void append(const std::vector<T>& other) {
    if (!other.empty()) get<T>().insert(get<T>().end(), other.begin(), other.end());
  }

  std::tuple<std::vector<Types>...> vectors_;
};

}  // namespace somnus
