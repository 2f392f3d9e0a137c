#include "mpi/mpi_wire.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/mpi/exception.hpp>
#include <boost/mpi/request.hpp>
#include <chrono>
#include <cstdlib>
#include <list>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "transport/deadline.hpp"

namespace somnus {
namespace {

using namespace std::chrono_literals;

constexpr int tag = 0;
constexpr std::chrono::seconds usual_start_limit{60};
constexpr std::chrono::seconds timeout_at_end{10};
constexpr std::chrono::seconds timeout_at_abort{5};
// The others see rank 0 give up first, and what it says is better.
constexpr std::chrono::seconds extra_timeout_of_workers{3};

void expect_success(int code, const char* routine) {
  if (code != MPI_SUCCESS) throw boost::mpi::exception(routine, code);
}

// Neither sends nor receives wait: each packet is kept until MPI has done with it. A long message
// takes several exchanges between its ranks, so a receive could wait for one that is gone.
class MpiWire final : public Wire {
 public:
  [[nodiscard]] int rank() const override { return world_.rank(); }
  [[nodiscard]] int size() const override { return world_.size(); }

  void send(int to, Bytes bytes) override {
    release();
    Outgoing& out = outgoing_.emplace_back();
    out.bytes = std::move(bytes);
    out.request = world_.isend(to, tag, reinterpret_cast<const char*>(out.bytes.data()),
                               static_cast<int>(out.bytes.size()));
  }

  bool receive(int& from, Bytes& bytes) override {
    while (match()) {
    }
    for (auto in = incoming_.begin(); in != incoming_.end(); ++in) {
      if (is_behind_another(in)) continue;
      int done = 0;
      expect_success(MPI_Test(&in->request, &done, MPI_STATUS_IGNORE), "MPI_Test");
      if (done == 0) continue;
      from = in->from;
      bytes = std::move(in->bytes);
      incoming_.erase(in);
      return true;
    }
    release();
    return false;
  }

  /// Until what every rank has sent has left it; what still comes is dropped, for a long message
  /// leaves only if it is received. False if that takes too long.
  bool leave(std::chrono::seconds timeout) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point give_up = Clock::now() + timeout;
    MPI_Request all_done = MPI_REQUEST_NULL;
    bool done = false;
    for (int all = 0; all == 0;) {
      int from = 0;
      for (Bytes dropped; receive(from, dropped);) {
      }
      if (!done && outgoing_.empty()) {
        expect_success(MPI_Ibarrier(world_, &all_done), "MPI_Ibarrier");
        done = true;
      }
      if (done && incoming_.empty()) {
        expect_success(MPI_Test(&all_done, &all, MPI_STATUS_IGNORE), "MPI_Test");
      }
      if (all == 0 && Clock::now() > give_up) return false;
      if (all == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }
  [[nodiscard]] std::size_t unsent() const { return outgoing_.size(); }
  [[nodiscard]] std::size_t unreceived() const { return incoming_.size(); }

 private:
  struct Incoming {
    int from = 0;
    Bytes bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  /// Begins to receive the next message that has come; false if none has.
  bool match() {
    int found = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status{};
    expect_success(MPI_Improbe(MPI_ANY_SOURCE, tag, world_, &found, &message, &status),
                   "MPI_Improbe");
    if (found == 0) return false;
    int size = 0;
    expect_success(MPI_Get_count(&status, MPI_BYTE, &size), "MPI_Get_count");
    Incoming& in = incoming_.emplace_back();
    in.from = status.MPI_SOURCE;
    in.bytes.resize(static_cast<std::size_t>(size));
    expect_success(MPI_Imrecv(in.bytes.data(), size, MPI_BYTE, &message, &in.request),
                   "MPI_Imrecv");
    return true;
  }
  /// Packets of one sender are handed out in order.
  [[nodiscard]] bool is_behind_another(std::list<Incoming>::const_iterator in) const {
    return std::any_of(incoming_.begin(), in,
                       [&](const Incoming& before) { return before.from == in->from; });
  }

  struct Outgoing {
    Bytes bytes;
    boost::mpi::request request;
  };
  void release() {
    while (!outgoing_.empty() && outgoing_.front().request.test()) outgoing_.pop_front();
  }

  boost::mpi::communicator world_;
  std::list<Outgoing> outgoing_;
  std::list<Incoming> incoming_;  // matched, in the order in which they came
};

/// What suits packets of some ten thousand bytes, unless the environment says otherwise. Between
/// ranks of one host they go through memory that both see, faster than by a system call for each.
/// Open MPI 5 has another name for the limit than 4.
void suit_packets() {
  for (const char* const limit :
       {"OMPI_MCA_btl_vader_eager_limit", "OMPI_MCA_btl_sm_eager_limit"}) {
    setenv(limit, "65536", /*overwrite=*/0);
  }
}

/// Before MPI has said it itself.
bool is_first_rank() {
  const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
  return rank == nullptr || std::string_view(rank) == "0";
}

/// How many processes the launcher says that it started; 0: it does not say.
int ranks_of_launcher() {
  for (const char* const variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (const char* const ranks = std::getenv(variable)) return std::atoi(ranks);
  }
  return 0;
}

/// Ranks that another MPI's launcher started do not find each other: each is a world of its own.
void require_own_launcher(int ranks) {
  const int started = ranks_of_launcher();
  if (ranks > 1 || started <= 1) return;
  throw UserError(
      mistake({.key = "MPI",
               .what = fmt::format("{} ranks were started, and each finds itself alone: this "
                                   "program was built with {}, and the launcher is another MPI's",
                                   started, MpiWorld::library()),
               .hint = "start it by the mpirun of that MPI, first in the PATH; or --ranks 1 "
                       "emulates without MPI"})
          .value());
}

}  // namespace

std::chrono::seconds start_limit() {
  const char* const text = std::getenv(start_limit_variable);
  const int limit_s = text == nullptr ? 0 : std::atoi(text);
  return limit_s > 0 ? std::chrono::seconds(limit_s) : usual_start_limit;
}

class MpiWorld::Impl {
 public:
  Impl(int& argc, char**& argv)
      : environment_(argc, argv, boost::mpi::threading::funneled, /*abort_on_exception=*/false) {}

  boost::mpi::environment environment_;
  MpiWire wire_;
};

MpiWorld::MpiWorld(int& argc, char**& argv, Overdue overdue, Diagnose diagnose)
    : overdue_(std::move(overdue)) {
  const auto timeout = start_limit() + (is_first_rank() ? 0s : extra_timeout_of_workers);
  suit_packets();  // before there is another thread
  const Deadline deadline(timeout, [this, &diagnose] {
    const std::string known = diagnose();
    overdue_(
        fmt::format("the ranks have not all started within {} s{} ({} sets another limit)",
                    start_limit().count(),
                    known.empty() ? "; one may be stopped, or its host swaps or is cut off" : known,
                    start_limit_variable));
  });
  impl_ = std::make_unique<Impl>(argc, argv);
  require_own_launcher(wire().size());
}

MpiWorld::~MpiWorld() {
  MpiWire& wire = impl_->wire_;
  const int rank = wire.rank();
  const auto timeout = rank == 0 ? timeout_at_end : timeout_at_end + extra_timeout_of_workers;
  const auto began = std::chrono::steady_clock::now();
  std::string why;
  try {
    if (!wire.leave(timeout)) {
      why = fmt::format("{} messages unsent and {} half received here", wire.unsent(),
                        wire.unreceived());
    }
  } catch (const boost::mpi::exception& failure) {
    why = failure.what();
  }
  if (!why.empty()) overdue_(fmt::format("the ranks can not end together ({})", why));
  const auto left = timeout - (std::chrono::steady_clock::now() - began);
  const Deadline deadline(std::max<RealDuration>(left, std::chrono::seconds(1)), [this] {
    overdue_("the ranks can not end together; one of them, or mpirun, may be stopped");
  });
  impl_.reset();
}

Wire& MpiWorld::wire() { return impl_->wire_; }

void MpiWorld::abandon(int exit_code) {
  const Deadline deadline(timeout_at_abort, [this] {
    overdue_("mpirun does not end the ranks; this one ends by itself");
  });
  boost::mpi::environment::abort(exit_code);
  throw Bug("MPI_Abort came back");
}

std::string MpiWorld::library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string_view words(text.data(), static_cast<std::size_t>(length));
  return std::string(words.substr(0, words.find_first_of(",\n")));
}

bool MpiWorld::launched() {
  const char* const signs[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
  return std::ranges::any_of(signs, [](const char* sign) { return std::getenv(sign) != nullptr; });
}

}  // namespace somnus
