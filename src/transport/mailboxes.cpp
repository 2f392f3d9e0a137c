#include "transport/mailboxes.hpp"

namespace somnus {

class Mailboxes::Box final : public Wire {
 public:
  Box(std::vector<Slot>& slots, int rank) : slots_(slots), rank_(rank) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return static_cast<int>(slots_.size()); }

  void send(int to, Bytes bytes) override {
    Slot& slot = slots_[static_cast<std::size_t>(to)];
    const std::scoped_lock lock(slot.mutex);
    slot.mail.emplace_back(rank_, std::move(bytes));
  }

  bool receive(int& from, Bytes& bytes) override {
    Slot& slot = slots_[static_cast<std::size_t>(rank_)];
    const std::scoped_lock lock(slot.mutex);
    if (slot.mail.empty()) return false;
    from = slot.mail.front().first;
    bytes = std::move(slot.mail.front().second);
    slot.mail.pop_front();
    return true;
  }

 private:
  std::vector<Slot>& slots_;
  int rank_;
};

Mailboxes::Mailboxes(int size) : slots_(static_cast<std::size_t>(size)) {}

std::unique_ptr<Wire> Mailboxes::wire(int rank) { return std::make_unique<Box>(slots_, rank); }

}  // namespace somnus
