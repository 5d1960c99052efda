/** The life of a client: connection, sign-in, presence, and the list of all clients of the process. */
#include "core.hpp"

#include <algorithm>
#include <atomic>

#include "sallyport/sallyport.h"

namespace sallyport::sdk {
namespace detail {

namespace {

/** Time after which a sign-in that the platform could not check is tried again. */
constexpr Milliseconds sign_in_pause{5000};

/** Never destroyed, because a client may be destroyed after every other object of the program. */
struct Registry {
  /** Held for a few instructions; some compilers for Windows have no std::mutex. */
  std::atomic_flag lock = ATOMIC_FLAG_INIT;
  std::vector<std::weak_ptr<Core>> cores;

  static Registry &instance() {
    static Registry *const registry = new Registry;
    return *registry;
  }
};

class RegistryLock {
public:
  RegistryLock() {
    while (Registry::instance().lock.test_and_set(std::memory_order_acquire)) continue;
  }
  RegistryLock(const RegistryLock &) = delete;
  RegistryLock &operator=(const RegistryLock &) = delete;
  ~RegistryLock() { Registry::instance().lock.clear(std::memory_order_release); }
};

/** The clients that exist, in the order of their creation. */
std::vector<std::shared_ptr<Core>> all_cores() {
  const RegistryLock lock;
  auto &cores = Registry::instance().cores;
  std::vector<std::shared_ptr<Core>> all;
  cores.erase(std::remove_if(cores.begin(), cores.end(), [](const auto &one) { return one.expired(); }), cores.end());
  for (const auto &core : cores)
    if (auto one = core.lock()) all.push_back(std::move(one));
  return all;
}

} // namespace

void register_core(const std::shared_ptr<Core> &core) {
  const RegistryLock lock;
  Registry::instance().cores.push_back(core);
}

void Core::run() {
  tasks_.run([this] {
    if (sign_in_at_ && *sign_in_at_ <= Clock::now()) sign_in_with_grant();
    expire_joins();
    if (client_) client_->poll();
  });
}

void Core::drop() {
  is_dropped_ = true;
  subscriptions_.clear();
  client_.reset();
  tasks_.clear();
  const Callbacks callbacks_to_free = std::exchange(callbacks, {});
  const std::vector<LogCallback> logs_to_free = std::exchange(logs, {});
  const std::deque<PendingJoin> joins_to_free = std::exchange(joins, {});
}

void Core::use_application(std::uint64_t id) {
  if (id == 0 || id == application) return;
  if (application != 0) {
    log(LoggingSeverity::Info, "the application changed: the client connects again");
    leave();
  }
  application = id;
  open();
  if (timeout_ms != limits::deadline_ms) send_timeout();
}

void Core::connect() {
  if (wants_) return;
  wants_ = true;
  subscribe(events::current_user_update);
  open();
  load();
  update(Client::Error::None, 0);
}

void Core::disconnect() {
  if (!wants_ && !client_) return;
  set_status(Client::Status::Disconnecting, Client::Error::None, 0);
  const std::string kept = token_;
  leave();
  token_ = kept;
  set_status(Client::Status::Disconnected, Client::Error::None, 0);
}

void Core::log(LoggingSeverity severity, const std::string &message) {
  for (const LogCallback &one : logs)
    if (severity >= one.least) add([one, message, severity] { one.callback(message, severity); });
}

void Core::subscribe(const char *event) {
  Subscription &one = subscriptions_[event];
  if (!one && client_) one = client_->subscribe(event, [](const Event &) {});
}

void Core::unsubscribe(const char *event) { subscriptions_.erase(event); }

void Core::send(const char *command, std::optional<std::string> args, Decode decode, std::int64_t answer_ms) {
  open();
  const auto refuse = [&](const char *sentence, ErrorType type) {
    if (decode) add(decode({failure(type, sentence), Data{}}));
  };
  if (!args) return refuse("a text is not valid UTF-8, or too long", ErrorType::ValidationError);
  if (!client_) return refuse("the client has no application; call SetApplicationId first", ErrorType::ClientNotReady);
  CallOptions options;
  options.timeout_ms = answer_ms;
  options.wait_ms = std::max<std::int64_t>(timeout_ms, 1);
  options.needs_bridge = true;
  client_->call(
      command, std::move(*args),
      [this, decode = std::move(decode)](const Answer &answer) {
        if (decode) add(decode({result_of(answer), answer.data}));
      },
      options);
}

void Core::send_timeout() {
  call(
      commands::set_http_request_timeout, [&](JsonWriter &json) { json.field("timeout_ms", timeout_ms); },
      [this](const Reply &reply) -> Task {
        if (!reply.result.Successful()) log(LoggingSeverity::Warning, "the timeout was not set: " + reply.result.ToString());
        return nullptr;
      });
}

void Core::set_presence(std::optional<std::string> activity, Decode decode) {
  open();
  const auto refuse = [&](const char *sentence, ErrorType type) {
    if (decode) add(decode({failure(type, sentence), Data{}}));
  };
  if (!activity) return refuse("a text is not valid UTF-8, or too long", ErrorType::ValidationError);
  if (!client_) return refuse("the client has no application; call SetApplicationId first", ErrorType::ClientNotReady);
  client_->set_activity(std::move(*activity), [this, decode = std::move(decode)](const Answer &answer) {
    if (decode) add(decode({result_of(answer), answer.data}));
  });
}

void Core::when_connected(Decode decode) {
  open();
  if (!client_)
    return add(decode({failure(ErrorType::ClientNotReady, "the client has no application; call SetApplicationId first"), Data{}}));
  CallOptions options;
  options.wait_ms = std::max<std::int64_t>(timeout_ms, 1);
  client_->ping([this, decode = std::move(decode)](const Answer &answer) { add(decode({result_of(answer), answer.data})); }, options);
}

void Core::update_token(const std::string &token, Client::ResultCallback done) {
  call(
      commands::update_token, [&](JsonWriter &json) { json.field("access_token", token); },
      [this, token, done](const Reply &reply) -> Task {
        if (reply.result.Successful()) {
          forget_token();
          token_ = token;
          remember_user(reply.data);
          load();
        }
        return task(done, reply.result);
      });
}

void Core::sign_in_silently(Client::ResultCallback done) {
  call(
      commands::authenticate, [](JsonWriter &) {},
      [this, done](const Reply &reply) -> Task {
        if (reply.result.Successful()) {
          forget_token();
          remember_user(reply.data);
          load();
        }
        return task(done, reply.result);
      });
}

std::uint64_t Core::begin_join(std::uint64_t invited, Client::SecretCallback callback) {
  joins.push_back({++last_join_, invited, std::move(callback)});
  return last_join_;
}

Task Core::answer_join(std::uint64_t number, const ClientResult &result) {
  const auto found = std::find_if(joins.begin(), joins.end(), [&](const auto &join) { return join.number == number; });
  if (found == joins.end()) return nullptr;
  found->is_answered = true;
  found->until = Clock::now() + Milliseconds(timeout_ms);
  if (result.Successful() && !found->secret) return nullptr;
  const PendingJoin ended = std::move(*found);
  joins.erase(found);
  const std::string secret = result.Successful() ? ended.secret.value_or("") : "";
  return [callback = ended.callback, result, secret] { callback(result, secret); };
}

void Core::open() {
  if (client_ || application == 0 || is_dropped_) return;
  Options options;
  options.application_id = application;
  options.runtime_directory = options_.RuntimeDirectory().value_or("");
  options.game_version = options_.GameVersion().value_or("");
  options.requires_bridge = !options_.PresenceThroughPlatformClient();
  options.max_pending_calls = options.max_waiting_calls = options_.MaxPendingCalls();
  const std::string problem = sallyport::Client::check(options);
  if (!problem.empty()) return log(LoggingSeverity::Error, "the client could not be created: " + problem);
  client_.emplace(options);
  client_->on_state([this](const StateChange &change) { on_state(change); });
  client_->on_account([this](Account account) { on_account(account); });
  client_->on_event([this](const Event &event) { on_event(event); });
  for (auto &[event, subscription] : subscriptions_) subscription = client_->subscribe(event, [](const Event &) {});
  client_->connect();
}

void Core::leave() {
  wants_ = signed_in_ = is_loaded_ = false;
  loading_ = 0;
  sign_in_at_.reset();
  if (client_) {
    client_->close();
    /* What had no answer ends with Aborted, in the next `run`. */
    client_->poll();
    client_.reset();
  }
  for (auto &[event, subscription] : subscriptions_) subscription = Subscription{};
  cache = Cache{};
  forget_token();
}

void Core::forget_token() {
  volatile char *bytes = token_.empty() ? nullptr : &token_[0];
  for (std::size_t i = 0; i < token_.size(); ++i) bytes[i] = 0;
  token_.clear();
}

void Core::set_status(Client::Status status, Client::Error error, std::int32_t detail) {
  if (status == status_) return;
  status_ = status;
  add([callback = callbacks.status, status, error, detail] {
    if (callback) callback(status, error, detail);
  });
}

void Core::update(Client::Error error, std::int32_t detail) {
  using Status = Client::Status;
  if (!wants_) return set_status(Status::Disconnected, error, detail);
  if (!client_ || !client_->is_ready() || !signed_in_)
    return set_status(was_ready_ ? Status::Reconnecting : Status::Connecting, error, detail);
  if (is_loaded_) was_ready_ = true;
  set_status(is_loaded_ ? Status::Ready : Status::Connected, error, detail);
}

void Core::sign_in_with_grant() {
  sign_in_at_.reset();
  if (cache.user == nullptr || signed_in_) return;
  const std::uint64_t user = cache.user->id;
  call(
      commands::authenticate, [&](JsonWriter &json) { json.field("user_id", Id{user}); },
      [this](const Reply &reply) -> Task {
        if (reply.result.Successful() || signed_in_) return nullptr;
        if (reply.result.Retryable()) {
          sign_in_at_ = Clock::now() + sign_in_pause;
          return nullptr;
        }
        log(LoggingSeverity::Warning, "the sign-in was refused: " + reply.result.ToString());
        return end_of_token();
      });
}

Task Core::end_of_token() {
  wants_ = is_loaded_ = was_ready_ = false;
  forget_token();
  update(Client::Error::ConnectionCanceled, 0);
  return [callback = callbacks.token_expired] {
    if (callback) callback();
  };
}

void Core::expire_joins() {
  const auto now = Clock::now();
  for (auto join = joins.begin(); join != joins.end();) {
    if (join->until > now) {
      ++join;
      continue;
    }
    add([callback = join->callback] {
      callback(failure(ErrorType::NetworkError, "no join secret came in time", true), "");
    });
    join = joins.erase(join);
  }
}

} // namespace detail

void RunCallbacks() {
  for (const auto &core : detail::all_cores()) core->run();
}

} // namespace sallyport::sdk
