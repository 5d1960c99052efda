/** The adapter of the C++ client for the conformance kit: sallyport::Client, on which the interface of the SDK rests. */
#include <sys/syscall.h>
#include <time.h>

#include <map>
#include <memory>
#include <vector>

#include <sallyport/client.hpp>
#include <sallyport/sallyport.h>

#include "../../c/tests/adapter.h"

namespace {

constexpr std::int64_t second_ns = 1000000000;
std::int64_t added_ns = 0;

} // namespace

/** Takes the place of the system's function, so that the kit advances the clock of the C++ headers and of the C library. */
extern "C" int clock_gettime(clockid_t clock, timespec *now) noexcept {
  const long code = syscall(SYS_clock_gettime, clock, now);
  if (code == 0 && clock == CLOCK_MONOTONIC) {
    const std::int64_t nanoseconds = now->tv_nsec + added_ns;
    now->tv_sec += nanoseconds / second_ns;
    now->tv_nsec = nanoseconds % second_ns;
  }
  return static_cast<int>(code);
}

namespace {

std::unique_ptr<sallyport::Client> client;
std::map<std::string, std::vector<sallyport::Subscription>> subscriptions;

sallyport::Client &made(sallyport::Options options = {}) {
  if (client != nullptr) return *client;
  if (options.application_id == 0) options.application_id = 1;
  client = std::make_unique<sallyport::Client>(options);
  client->on_state([](const sallyport::StateChange &change) {
    static const char *const names[] = {"offline", "connecting", "ready", "waiting", "closed"};
    adapter_state(names[static_cast<int>(change.state)], change.error.close_code, change.error ? change.error.message.c_str() : nullptr);
  });
  return *client;
}

/** A value of a request as text; empty if it is missing or null. */
std::string text_of(sallyport_json request, const char *key) {
  const std::unique_ptr<char, decltype(&std::free)> text(adapter_text(request, key), &std::free);
  return text == nullptr ? "" : text.get();
}

const char *kind_of(int code) {
  if (code > 0) return "refused";
  if (code == SALLYPORT_E_TIMEOUT) return "timeout";
  if (code == SALLYPORT_E_CLOSED) return "closed";
  return code == SALLYPORT_E_CONNECTION_LOST ? "lost" : "not-sent";
}

/** What prints the end of a request. */
sallyport::Client::AnswerCallback reported(sallyport_json request) {
  return [id = adapter_number(request, "id", 0)](const sallyport::Answer &answer) {
    const sallyport::Error &error = answer.error;
    if (answer) adapter_result(id, answer.data.json());
    else adapter_failure(id, kind_of(error.code), error.code, error.message.c_str(), static_cast<long>(error.retry_after_ms));
  };
}

void do_connect(sallyport_json request) {
  sallyport::Options options;
  int allows = 0;
  (void)sallyport_json_bool(sallyport_json_get(request, "allow_packaged_client"), &allows);
  options.application_id = std::strtoull(text_of(request, "application_id").c_str(), nullptr, 10);
  options.runtime_directory = text_of(request, "runtime_dir");
  options.allows_packaged_client = allows != 0;
  client.reset();
  made(options).connect(adapter_number(request, "timeout_ms", -1));
}

void do_call(sallyport_json request) {
  sallyport::CallOptions options;
  options.timeout_ms = adapter_number(request, "timeout_ms", 0);
  if (sallyport_json_type_of(sallyport_json_get(request, "key")) == SALLYPORT_JSON_STRING) options.key = text_of(request, "key");
  made().call(text_of(request, "command"), text_of(request, "args"), reported(request), options);
}

void do_activity(sallyport_json request) { made().set_activity(text_of(request, "activity"), reported(request)); }

std::string scopes_of(sallyport_json request) {
  std::vector<std::string> list;
  std::string scopes;
  (void)sallyport::read(sallyport_json_get(request, "scopes"), list);
  for (const std::string &one : list) scopes += (scopes.empty() ? "" : " ") + one;
  return scopes;
}

void do_sign_in(sallyport_json request) { made().ask_to_sign_in(scopes_of(request), reported(request)); }
void do_sign_in_if_needed(sallyport_json request) { made().sign_in(scopes_of(request), reported(request)); }
void do_sign_in_silently(sallyport_json request) { made().sign_in_silently(reported(request)); }
void do_sign_out(sallyport_json request) { made().sign_out(reported(request)); }

void do_subscribe(sallyport_json request) {
  const std::string name = text_of(request, "name");
  subscriptions[name].push_back(made().subscribe(name, text_of(request, "args"), [](const sallyport::Event &event) {
    adapter_dispatch(event.name.c_str(), event.data.json());
  }));
}

void do_unsubscribe(sallyport_json request) { subscriptions.erase(text_of(request, "name")); }

void do_advance(sallyport_json request) { added_ns += adapter_number(request, "ms", 0) * 1000000; }

void do_close(sallyport_json) {
  made().close();
  made().poll();
  (void)std::puts("{\"event\":\"closed\"}");
}

const adapter_action actions[] = {{"connect", do_connect},
                                  {"call", do_call},
                                  {"activity", do_activity},
                                  {"sign_in", do_sign_in},
                                  {"sign_in_silently", do_sign_in_silently},
                                  {"sign_in_if_needed", do_sign_in_if_needed},
                                  {"sign_out", do_sign_out},
                                  {"subscribe", do_subscribe},
                                  {"unsubscribe", do_unsubscribe},
                                  {"advance", do_advance},
                                  {"close", do_close},
                                  {nullptr, nullptr}};

void run_callbacks() {
  const timespec pause = {0, 500000};
  if (client != nullptr) client->poll(1);
  (void)nanosleep(&pause, nullptr);
}

} // namespace

int main() {
  adapter_run(actions, run_callbacks);
  subscriptions.clear();
  client.reset();
  return 0;
}
