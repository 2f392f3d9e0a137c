// Fair share among users of a tree of accounts (policies.md 9.5; Slurm's documentation, "Fair Tree
// Fairshare Algorithm" and "Classic Fairshare Algorithm").
//
//     root --- physics (10) --- theory (3) --- ann
//          |                \-- bob
//          \-- chemistry (5) --- eve, ann
//
// A user is below an account, or below the root where a job names none; who submits for two
// accounts is two users. What users have used counts for each account above them. Siblings are what
// is directly below one account.
//
// rank(): siblings go in order of usage / shares, the least first, and all below an account goes
// where it does. Accounts that tie are as one: what is below them are siblings, each in order of
// (its part of its account's usage) / (its part of its account's shares). Users that tie have the
// better place, and a user that ties with accounts shares the place of the first below them. Of n
// users the first has the factor 1, the next (n - 1) / n and so on.
//
// weigh(): 2^-(E / S / dampening). S is the part of the shares among siblings, times the S of the
// account above. E is U, the part of all usage, below the root, and elsewhere U + (E of the account
// above - U) x the part of the shares among siblings.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/ids.hpp"

namespace somnus {

class FairShares {
 public:
  struct User {
    std::uint32_t account = 0;  // that it is below
    double shares = 1;
    double usage = 0;   // slot-seconds
    double factor = 1;  // of the last computation, 1 before any
  };

  FairShares() : accounts_(1) {}
  /// accounts: names, by AccountId. shares: of paths such as "physics/theory"; who is on a path and
  /// has none has 1. There must be no errors().
  FairShares(std::span<const std::string> accounts, const std::map<std::string, double>& shares);
  /// What cannot be meant: an account in two places, or one of the workload that has no place.
  [[nodiscard]] static std::vector<std::string> errors(std::span<const std::string> accounts,
                                                       const std::map<std::string, double>& shares);

  /// A user of that account, or of none; its place in users().
  std::uint32_t add(AccountId account, double shares);
  [[nodiscard]] std::vector<User>& users() { return users_; }
  [[nodiscard]] const std::vector<User>& users() const { return users_; }

  void rank();
  void weigh(double dampening);

 private:
  struct Account {
    std::uint32_t above = 0;  // of the root itself
    double shares = 1;
    double usage = 0;         // of all users below it
    double shares_below = 0;  // of siblings directly below it
    double part = 1;          // S
    double effective = 1;     // E
    std::vector<std::uint32_t> accounts;
    std::vector<std::uint32_t> users;
  };
  /// A user or an account, among its siblings.
  struct Sibling {
    double level;
    bool is_account;
    std::uint32_t index;
  };
  std::uint32_t account_at(const std::string& path);
  std::uint32_t add_account(std::uint32_t above);
  void sum_up();
  [[nodiscard]] std::vector<Sibling> below(std::span<const std::uint32_t> accounts) const;
  void rank_below(std::span<const std::uint32_t> accounts, double tied_factor);
  /// Of a user or an account with this usage below that one: its S and E.
  struct Parts {
    double part;
    double effective;
  };
  [[nodiscard]] Parts parts(const Account& above, double shares, double usage) const;

  std::vector<Account> accounts_;               // the root first, none before those above it
  std::map<std::string, std::uint32_t> paths_;  // of accounts_
  std::vector<std::uint32_t> of_ids_;           // in accounts_, by AccountId
  std::vector<User> users_;
  std::size_t placed_ = 0;  // in rank()
};

}  // namespace somnus
