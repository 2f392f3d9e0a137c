#include "mpi/mpi_wire.hpp"

#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/mpi/request.hpp>
#include <cstdlib>
#include <list>

namespace somnus {
namespace {

constexpr int tag = 0;

// Sends without waiting: each packet is kept until MPI has done with it.
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
    const auto status = world_.iprobe(boost::mpi::any_source, tag);
    if (!status) {
      release();
      return false;
    }
    from = status->source();
    const int size = status->count<char>().get();
    bytes.resize(static_cast<std::size_t>(size));
    world_.recv(from, tag, reinterpret_cast<char*>(bytes.data()), size);
    return true;
  }

  /// Waits until everything has left.
  void drain() {
    while (!outgoing_.empty()) release();
  }

 private:
  struct Outgoing {
    Bytes bytes;
    boost::mpi::request request;
  };
  void release() {
    while (!outgoing_.empty() && outgoing_.front().request.test()) outgoing_.pop_front();
  }

  boost::mpi::communicator world_;
  std::list<Outgoing> outgoing_;
};

}  // namespace

class MpiWorld::Impl {
 public:
  Impl(int& argc, char**& argv)
      : environment_(argc, argv, boost::mpi::threading::funneled, /*abort_on_exception=*/false) {}

  boost::mpi::environment environment_;
  MpiWire wire_;
};

MpiWorld::MpiWorld(int& argc, char**& argv) : impl_(std::make_unique<Impl>(argc, argv)) {}

MpiWorld::~MpiWorld() { impl_->wire_.drain(); }

Wire& MpiWorld::wire() { return impl_->wire_; }

int MpiWorld::ranks_on_this_host() const {
  const boost::mpi::communicator world;
  const std::string host = boost::mpi::environment::processor_name();
  std::vector<std::string> hosts;
  boost::mpi::all_gather(world, host, hosts);
  return static_cast<int>(std::ranges::count(hosts, host));
}

void MpiWorld::abandon(int exit_code) {
  boost::mpi::environment::abort(exit_code);
  throw Bug("MPI_Abort came back");
}

bool MpiWorld::launched() {
  const char* const signs[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
  return std::ranges::any_of(signs, [](const char* sign) { return std::getenv(sign) != nullptr; });
}

}  // namespace somnus
