/**
 * The adapter of the C++ client for the conformance kit. Sign-in and presence use the functions of the SDK. Commands and events
 * that it has no function for go to the inside of the client, as those functions do.
 */
#include <sys/syscall.h>
#include <time.h>

#include <set>

#include <sallyport/sdk.hpp>

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

/** The inside of a client, which prints states and events. */
class PrintingCore final : public sdk::detail::Core {
public:
  using Core::Core;
  std::set<std::string> printed_events;

  void on_state(const sallyport_state &state) override {
    static const char *const names[] = {"offline", "connecting", "ready", "waiting", "closed"};
    Core::on_state(state);
    adapter_state(names[state.name], state.error == nullptr ? 0 : state.error->close_code,
                  state.error == nullptr ? nullptr : state.error->message);
  }

  void on_event(const std::string &event, sallyport_json data) override {
    Core::on_event(event, data);
    if (printed_events.count(event) > 0) adapter_dispatch(event.c_str(), data);
  }
};

class PrintingClient final : public sdk::Client {
public:
  explicit PrintingClient(sdk::ClientCreateOptions options) : Client(std::make_shared<PrintingCore>(std::move(options))) {}
  PrintingCore &core() { return static_cast<PrintingCore &>(*core_); }
};

std::unique_ptr<PrintingClient> client;

PrintingClient &made() {
  if (client == nullptr) client = std::make_unique<PrintingClient>(sdk::ClientCreateOptions{});
  return *client;
}

/** A value of a request as text; nothing if it is missing or null. */
std::optional<std::string> text_of(sallyport_json request, const char *key) {
  const std::unique_ptr<char, decltype(&std::free)> text(adapter_text(request, key), &std::free);
  return text == nullptr ? std::nullopt : std::optional<std::string>(text.get());
}

/** A request that ends with a result. */
struct Pending {
  long id;
  bool was_ready;
};

Pending pending_of(sallyport_json request) { return {adapter_number(request, "id", 0), made().core().connection.is_ready()}; }

const char *kind_of(const Pending &pending, const sdk::ClientResult &result) {
  if (result.ErrorCode() > 0 || result.Type() == sdk::ErrorType::AuthorizationFailed) return "refused";
  if (result.Type() == sdk::ErrorType::Aborted) return "closed";
  if (!pending.was_ready || result.Type() != sdk::ErrorType::NetworkError) return "not-sent";
  return made().core().connection.is_ready() ? "timeout" : "lost";
}

void report(const Pending &pending, const sdk::ClientResult &result, sallyport_json data = {nullptr, 0}) {
  if (result.Successful()) return adapter_result(pending.id, data);
  adapter_failure(pending.id, kind_of(pending, result), result.ErrorCode(), result.Error().c_str(),
                  static_cast<long>(result.RetryAfter() * 1000.0f));
}

sdk::detail::Decode reported(const Pending &pending) {
  return [pending](const sdk::detail::Answer &answer) -> sdk::detail::Task {
    report(pending, answer.result, answer.data);
    return nullptr;
  };
}

void do_connect(sallyport_json request) {
  sdk::ClientCreateOptions options;
  if (const auto directory = text_of(request, "runtime_dir")) options.SetRuntimeDirectory(*directory);
  client = std::make_unique<PrintingClient>(options);
  client->SetApplicationId(std::strtoull(text_of(request, "application_id").value_or("0").c_str(), nullptr, 10));
  /* The kit expects a call without a connection to fail at once; this client would wait for one. */
  client->core().timeout_ms = 0;
}

void make_call(const Pending &pending, std::string command, std::string args, std::int64_t timeout_ms) {
  made().core().connection.call({std::move(command), std::move(args), reported(pending), 0, timeout_ms});
}

void do_call(sallyport_json request) {
  make_call(pending_of(request), *text_of(request, "command"), text_of(request, "args").value_or(""),
            adapter_number(request, "timeout_ms", 0));
}

void do_activity(sallyport_json request) {
  const Pending pending = pending_of(request);
  const sallyport_json value = sallyport_json_get(request, "activity");
  /* ClearRichPresence has no callback. */
  if (sallyport_json_type_of(value) != SALLYPORT_JSON_OBJECT) return made().core().set_presence(std::string{}, reported(pending));
  sdk::Activity activity;
  activity.SetDetails(text_of(value, "details"));
  activity.SetState(text_of(value, "state"));
  made().UpdateRichPresence(activity, [pending](sdk::ClientResult result) { report(pending, result); });
}

/** The account as the answer to the sign-in names it. */
void report_account(const Pending &pending) {
  const auto &user = made().core().cache.user;
  const auto text = sdk::detail::json_object([&](auto &json) {
    json.object("user", [&](auto &part) { part.field("id", sdk::detail::Id{user ? user->Id() : 0}); });
  });
  report(pending, sdk::detail::success(), {text->data(), text->size()});
}

void do_sign_in(sallyport_json request) {
  const Pending pending = pending_of(request);
  sallyport_json_iterator iterator = sallyport_json_iterate(sallyport_json_get(request, "scopes"));
  sallyport_json scope;
  std::string scopes;
  while (sallyport_json_next(&iterator, nullptr, &scope)) {
    char one[64];
    if (sallyport_json_string(scope, one, sizeof one, nullptr)) scopes += (scopes.empty() ? "" : " ") + std::string(one);
  }
  const auto verifier = made().CreateAuthorizationCodeVerifier();
  sdk::AuthorizationArgs args;
  args.SetScopes(scopes);
  args.SetCodeChallenge(verifier.Challenge());
  made().Authorize(args, [=](sdk::ClientResult result, std::string code, std::string redirect) {
    if (!result.Successful()) return report(pending, result);
    made().GetToken(0, code, verifier.Verifier(), redirect, [=](sdk::ClientResult got, std::string token, auto, auto type, auto, auto) {
      if (!got.Successful()) return report(pending, got);
      made().UpdateToken(type, token, [=](sdk::ClientResult updated) {
        if (updated.Successful()) report_account(pending);
        else report(pending, updated);
      });
    });
  });
}

void do_sign_in_silently(sallyport_json request) { make_call(pending_of(request), sallyport::commands::authenticate, "", 0); }

void do_subscribe(sallyport_json request) {
  const std::string name = *text_of(request, "name");
  made().core().printed_events.insert(name);
  made().core().connection.subscribe(name);
}

void do_unsubscribe(sallyport_json request) { made().core().connection.unsubscribe(*text_of(request, "name")); }

void do_advance(sallyport_json request) { added_ns += adapter_number(request, "ms", 0) * 1000000; }

void do_close(sallyport_json) {
  made().Disconnect();
  (void)std::puts("{\"event\":\"closed\"}");
}

const adapter_action actions[] = {{"connect", do_connect},
                                  {"call", do_call},
                                  {"activity", do_activity},
                                  {"sign_in", do_sign_in},
                                  {"sign_in_silently", do_sign_in_silently},
                                  {"subscribe", do_subscribe},
                                  {"unsubscribe", do_unsubscribe},
                                  {"advance", do_advance},
                                  {"close", do_close},
                                  {nullptr, nullptr}};

void run_callbacks() {
  const timespec pause = {0, 500000};
  sdk::RunCallbacks();
  (void)nanosleep(&pause, nullptr);
}

} // namespace

int main() {
  adapter_run(actions, run_callbacks);
  client.reset();
  return 0;
}
