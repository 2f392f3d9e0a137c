#include "policies/fair_shares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace somnus {
namespace {

constexpr double no_factor = 0;  // each user has more
constexpr char between = '/';

std::string last_of(const std::string& path) { return path.substr(path.rfind(between) + 1); }

}  // namespace

std::vector<std::string> FairShares::errors(std::span<const std::string> accounts,
                                            const std::map<std::string, double>& shares) {
  std::vector<std::string> errors;
  std::map<std::string, std::string> places;  // path, by name
  for (const auto& [path, value] : shares) {
    for (std::size_t end = 0; end != std::string::npos;) {
      end = path.find(between, end + (end > 0 ? 1 : 0));
      const std::string above = path.substr(0, end);
      const std::string name = last_of(above);
      if (name.empty()) {
        errors.push_back(fmt::format(
            "expected names with '/' between, as \"physics/theory\", found '{}'", path));
        break;
      }
      const auto [place, is_new] = places.try_emplace(name, above);
      if (is_new || place->second == above) continue;
      errors.push_back(
          fmt::format("account '{}' has two places: '{}' and '{}'", name, place->second, above));
      break;
    }
  }
  if (shares.empty()) return errors;
  for (const std::string& account : accounts) {
    if (places.contains(account)) continue;
    const bool is_path = account.find(between) != std::string::npos;
    errors.push_back(fmt::format("the workload's account '{}' has no place here{}", account,
                                 is_path ? ", and none can be given: its name has a '/'" : ""));
  }
  return errors;
}

FairShares::FairShares(std::span<const std::string> accounts,
                       const std::map<std::string, double>& shares)
    : accounts_(1) {
  std::map<std::string, std::uint32_t> by_name;
  for (const auto& [path, value] : shares) {
    const std::uint32_t index = account_at(path);
    accounts_[index].shares = value;
  }
  for (const auto& [path, index] : paths_) by_name.emplace(last_of(path), index);
  for (const std::string& name : accounts) {
    const auto known = by_name.find(name);
    of_ids_.push_back(known != by_name.end() ? known->second : add_account(0));
  }
}

std::uint32_t FairShares::account_at(const std::string& path) {
  if (const auto known = paths_.find(path); known != paths_.end()) return known->second;
  const std::size_t end = path.rfind(between);
  const std::uint32_t above = end == std::string::npos ? 0 : account_at(path.substr(0, end));
  return paths_.emplace(path, add_account(above)).first->second;
}

std::uint32_t FairShares::add_account(std::uint32_t above) {
  const auto index = static_cast<std::uint32_t>(accounts_.size());
  accounts_.emplace_back().above = above;
  accounts_[above].accounts.push_back(index);
  return index;
}

std::uint32_t FairShares::add(AccountId account, double shares) {
  const auto index = static_cast<std::uint32_t>(users_.size());
  const std::uint32_t above = account.valid() ? of_ids_[account.index()] : 0;
  users_.push_back({.account = above, .shares = shares});
  accounts_[above].users.push_back(index);
  return index;
}

void FairShares::sum_up() {
  for (Account& account : accounts_) account.usage = account.shares_below = 0;
  for (const User& user : users_) {
    accounts_[user.account].usage += user.usage;
    accounts_[user.account].shares_below += user.shares;
  }
  for (std::size_t index = accounts_.size(); index-- > 1;) {
    Account& above = accounts_[accounts_[index].above];
    above.usage += accounts_[index].usage;
    above.shares_below += accounts_[index].shares;
  }
}

void FairShares::rank() {
  sum_up();
  placed_ = 0;
  const std::uint32_t root = 0;
  rank_below({&root, 1}, no_factor);
}

std::vector<FairShares::Sibling> FairShares::below(std::span<const std::uint32_t> accounts) const {
  std::vector<Sibling> siblings;
  // Of one account usage / shares is enough: parts have the same order. Shares have the mean 1, so
  // that a millionth is as much wherever it is.
  const Account& first = accounts_[accounts.front()];
  const auto count = static_cast<double>(first.users.size() + first.accounts.size());
  const double mean_share = first.shares_below / std::max(count, 1.0);
  for (const std::uint32_t of : accounts) {
    const Account& account = accounts_[of];
    const bool compares = accounts.size() > 1 && account.usage > 0 && first.usage > 0;
    const double scale = mean_share * (compares ? (account.shares_below / account.usage) /
                                                      (first.shares_below / first.usage)
                                                : 1);
    const auto add = [&](bool is_account, std::uint32_t index, double usage, double shares) {
      siblings.push_back({.level = std::round(usage / shares * scale * 1e6),
                          .is_account = is_account,
                          .index = index});
    };
    for (const std::uint32_t user : account.users) {
      add(false, user, users_[user].usage, users_[user].shares);
    }
    for (const std::uint32_t child : account.accounts) {
      add(true, child, accounts_[child].usage, accounts_[child].shares);
    }
  }
  std::ranges::sort(siblings, {}, [](const Sibling& one) {
    return std::tuple(one.level, one.is_account, one.index);
  });
  return siblings;
}

/// tied_factor: of a user that ties with these accounts, which the first below them have, too.
void FairShares::rank_below(std::span<const std::uint32_t> accounts, double tied_factor) {
  const std::vector<Sibling> siblings = below(accounts);
  const auto all = static_cast<double>(users_.size());
  for (auto at = siblings.begin(); at != siblings.end();) {
    const std::size_t before = placed_;
    const auto end =
        std::find_if(at, siblings.end(), [&](const Sibling& one) { return one.level > at->level; });
    const auto first_account =
        std::find_if(at, end, [](const Sibling& one) { return one.is_account; });
    if (first_account != at && tied_factor == no_factor) {
      tied_factor = (all - static_cast<double>(placed_)) / all;
    }
    for (; at != first_account; ++at, ++placed_) users_[at->index].factor = tied_factor;
    if (std::vector<std::uint32_t> tied; at != end) {
      for (; at != end; ++at) tied.push_back(at->index);
      rank_below(tied, tied_factor);
    }
    if (placed_ > before) tied_factor = no_factor;  // accounts may have nobody
  }
}

FairShares::Parts FairShares::parts(const Account& above, double shares, double usage) const {
  const double all = accounts_.front().usage;
  const double used = all > 0 ? usage / all : 0;
  const double among = shares / above.shares_below;
  const bool is_top = &above == &accounts_.front();
  return {.part = among * above.part,
          .effective = is_top ? used : used + (above.effective - used) * among};
}

void FairShares::weigh(double dampening) {
  sum_up();
  for (std::size_t index = 1; index < accounts_.size(); ++index) {
    Account& account = accounts_[index];
    const Parts of = parts(accounts_[account.above], account.shares, account.usage);
    account.part = of.part;
    account.effective = of.effective;
  }
  for (User& user : users_) {
    const Parts of = parts(accounts_[user.account], user.shares, user.usage);
    user.factor = std::exp2(-of.effective / of.part / dampening);
  }
}

}  // namespace somnus
