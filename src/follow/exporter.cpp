#include "follow/exporter.hpp"

#include <fmt/format.h>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "base/error.hpp"
#include "follow/page_server.hpp"
#include "print/printable.hpp"

namespace somnus {

class Exporter::Gauges {
 public:
  explicit Gauges(std::uint16_t port)
      : server_(port, "/metrics", "text/plain; version=0.0.4; charset=utf-8") {}

  void show(const View& view) {
    const Labels run = {{"label", as_utf8(view.label)}, {"workload", as_utf8(view.workload)}};
    set("complete", "1: the run has come to its end", run, view.complete ? 1 : 0);
    set("speed", "emulated seconds per real second", run, view.speed);
    set_all("", run, view.cluster);
    for (const GroupView& user : view.users) {
      set_all("user_", with(run, "user", user.name), user);
    }
    for (const GroupView& queue : view.queues) {
      set_all("queue_", with(run, "queue", queue.name), queue);
    }
    server_.show(prometheus::TextSerializer().Serialize(registry_->Collect()));
  }

 private:
  using Labels = prometheus::Labels;

  static Labels with(Labels labels, const char* name, const std::string& value) {
    labels[name] = as_utf8(value);
    return labels;
  }

  template <class Figures>
  void set_all(const char* prefix, const Labels& labels, const Figures& figures) {
    for_each_field<Figures>([&](const auto& figure) {
      const bool share = std::string_view(figure.unit) == "%";
      const std::string name = fmt::format("{}{}{}", prefix, figure.name, share ? "_percent" : "");
      set(name, figure.meaning, labels, figures.*figure.member);
    });
  }

  void set(const std::string& name, const std::string& meaning, const Labels& labels,
           double value) {
    prometheus::BuildGauge()
        .Name("somnus_" + name)
        .Help(meaning)
        .Register(*registry_)
        .Add(labels)
        .Set(value);
  }

  std::shared_ptr<prometheus::Registry> registry_ =
      std::make_shared<prometheus::Registry>(prometheus::Registry::InsertBehavior::Merge);
  PageServer server_;
};

Exporter::Exporter(std::uint16_t port) {
  try {
    gauges_ = std::make_unique<Gauges>(port);
  } catch (const std::system_error& error) {
    throw WorldError(
        fmt::format("127.0.0.1:{}: nothing can be served there: {}", port, error.what()));
  }
}

Exporter::~Exporter() = default;

void Exporter::show(const View& view) { gauges_->show(view); }

}  // namespace somnus
