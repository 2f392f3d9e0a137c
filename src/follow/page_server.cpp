#include "follow/page_server.hpp"

#include <fmt/format.h>

#include <utility>
// Asio lacks some includes of its own.
#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>
#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>

namespace somnus {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::seconds most_per_reader{2};
constexpr std::chrono::milliseconds after_a_failure{100};
constexpr std::size_t longest_request = 8192;
constexpr std::size_t most_readers = 64;

std::string response(std::string_view status, std::string_view content_type,
                     std::string_view body) {
  return fmt::format(
      "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
      status, content_type, body.size(), body);
}

}  // namespace

class PageServer::Impl {
 public:
  Impl(std::uint16_t port, std::string path, std::string content_type)
      : path_(std::move(path)),
        content_type_(std::move(content_type)),
        acceptor_(context_, tcp::endpoint(asio::ip::address_v4::loopback(), port)),
        pause_(context_) {
    accept();
    thread_ = std::thread([this] { context_.run(); });
  }
  ~Impl() {
    context_.stop();
    thread_.join();
  }

  void show(std::string page) {
    const std::lock_guard lock(mutex_);
    page_ = std::move(page);
  }

 private:
  /// Makes the whole answer to a request that ends in an empty line.
  using Answer = std::function<std::string(std::string_view request)>;

  /// One request and its answer, all within most_per_reader.
  class Reader : public std::enable_shared_from_this<Reader> {
   public:
    explicit Reader(tcp::socket socket)
        : socket_(std::move(socket)), deadline_(socket_.get_executor(), most_per_reader) {}

    void serve(const Answer& answer) {
      deadline_.async_wait([self = shared_from_this()](error_code error) {
        if (!error) self->close();
      });
      asio::async_read_until(socket_, asio::dynamic_buffer(text_, longest_request), "\r\n\r\n",
                             [self = shared_from_this(), answer](error_code error, std::size_t) {
                               if (error) return self->close();
                               self->text_ = answer(self->text_);
                               self->say();
                             });
    }
    void close() {
      error_code ignored;
      deadline_.cancel(ignored);
      socket_.close(ignored);
    }
    [[nodiscard]] bool closed() const { return !socket_.is_open(); }

   private:
    void say() {
      asio::async_write(socket_, asio::buffer(text_),
                        [self = shared_from_this()](error_code, std::size_t) {
                          error_code ignored;
                          self->socket_.shutdown(tcp::socket::shutdown_both, ignored);
                          self->close();
                        });
    }

    tcp::socket socket_;
    asio::steady_timer deadline_;
    std::string text_;  // the request, then the answer
  };

  void accept() {
    acceptor_.async_accept([this](error_code error, tcp::socket socket) {
      if (error) return accept_later();
      admit(std::make_shared<Reader>(std::move(socket)));
      accept();
    });
  }
  /// As when there are too many open files.
  void accept_later() {
    pause_.expires_after(after_a_failure);
    pause_.async_wait([this](error_code) { accept(); });
  }
  /// In the place of the oldest, if there are too many.
  void admit(const std::shared_ptr<Reader>& reader) {
    readers_.remove_if([](const std::shared_ptr<Reader>& each) { return each->closed(); });
    if (readers_.size() >= most_readers) {
      readers_.front()->close();
      readers_.pop_front();
    }
    readers_.push_back(reader);
    reader->serve([this](std::string_view request) { return answer(request); });
  }

  /// "GET /metrics?x=1 HTTP/1.1" and more lines.
  std::string answer(std::string_view request) {
    const std::string_view method = request.substr(0, request.find(' '));
    request.remove_prefix(std::min(method.size() + 1, request.size()));
    const std::string_view path = request.substr(0, request.find_first_of(" ?\r\n"));
    if (method != "GET") return response("405 Method Not Allowed", "text/plain", "only GET\n");
    if (path != path_) return response("404 Not Found", "text/plain", "see " + path_ + "\n");
    const std::lock_guard lock(mutex_);
    return response("200 OK", content_type_, page_);
  }

  const std::string path_;
  const std::string content_type_;
  std::mutex mutex_;
  std::string page_;
  asio::io_context context_{1};
  tcp::acceptor acceptor_;
  asio::steady_timer pause_;
  std::list<std::shared_ptr<Reader>> readers_;  // the oldest first
  std::thread thread_;
};

PageServer::PageServer(std::uint16_t port, std::string path, std::string content_type) try
    : impl_(std::make_unique<Impl>(port, std::move(path), std::move(content_type))) {
} catch (const boost::system::system_error& error) {
  throw std::system_error(error.code().value(), std::generic_category());
}

PageServer::~PageServer() = default;

void PageServer::show(std::string page) { impl_->show(std::move(page)); }

}  // namespace somnus
