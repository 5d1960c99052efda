/**
 * sallyport::Client over the client of the C library. The callbacks of the C library only copy; those of the game run later, from
 * `poll`, with no frame of the C library on the stack: they may call everything, destroy the client and throw.
 */
#include "sallyport/client.hpp"

#include <chrono>
#include <deque>
#include <map>

#include "copies.hpp"
#include "tasks.hpp"

namespace sallyport {

using Clock = std::chrono::steady_clock;

/** Makes a call of the C library with this callback. Returns its code. */
using Start = std::function<int(sallyport_client *client, sallyport_result_fn answered, void *user)>;

class ClientInside : public std::enable_shared_from_this<ClientInside> {
public:
  explicit ClientInside(const Options &options) : most_waiting_(static_cast<std::size_t>(options.max_waiting_calls)) {
    OwnOptions with(options);
    with.own.user = this;
    with.own.on_state = [](sallyport_client *, const sallyport_state *state, void *user) noexcept {
      self(user).add([inside = &self(user), change = change_of(*state)] { inside->report(inside->on_state, change); });
    };
    with.own.on_account = [](sallyport_client *, sallyport_account account, void *user) noexcept {
      const auto now = static_cast<Account>(account);
      self(user).add([inside = &self(user), now] { inside->report(inside->on_account, now); });
    };
    with.own.on_event = [](sallyport_client *, const char *event, sallyport_json data, void *user) noexcept {
      if (!self(user).on_event) return;
      self(user).add([inside = &self(user), one = Event{event, data_of(data)}] { inside->report(inside->on_event, one); });
    };
    client_ = sallyport_create(&with.own);
    if (client_ == nullptr) refused_ = Client::check(options);
  }
  ClientInside(const ClientInside &) = delete;
  ClientInside &operator=(const ClientInside &) = delete;
  ~ClientInside() { drop(); }

  sallyport_client *client() const { return client_; }

  /** Ends everything; nothing calls back any more. */
  void drop() {
    is_dropped_ = true;
    if (client_ != nullptr) sallyport_destroy(std::exchange(client_, nullptr));
    /* What they hold may use this object again. */
    const auto waiting = std::exchange(waiting_, {});
    const auto listeners = std::exchange(listeners_, {});
    tasks_.clear();
  }

  void close() {
    if (client_ != nullptr) (void)sallyport_close(client_);
    for (auto &call : std::exchange(waiting_, {})) end(call.callback, own_error(SALLYPORT_E_CLOSED, "the client was closed"));
  }

  void poll(int timeout_ms) {
    tasks_.run([&] {
      if (client_ != nullptr) (void)sallyport_poll(client_, tasks_.is_empty() ? timeout_ms : 0);
      send_waiting();
    });
  }

  /** Makes the call now, or when there is a connection. */
  void call(Start start, Client::AnswerCallback callback, const CallOptions &options) {
    if (is_dropped_) return;
    if (client_ == nullptr) return end(callback, own_error(SALLYPORT_E_ARGUMENT, refused_));
    if (options.wait_ms <= 0 || can_send(options)) {
      if (options.needs_bridge && is_ready() && !can_send(options)) return end(callback, no_bridge());
      return send(start, std::move(callback));
    }
    if (waiting_.size() >= most_waiting_)
      return end(callback, own_error(SALLYPORT_E_LIMIT, "too many calls wait for a connection; see max_waiting_calls", true));
    waiting_.push_back({std::move(start), std::move(callback), options, Clock::now() + std::chrono::milliseconds(options.wait_ms)});
  }

  void end(const Client::AnswerCallback &callback, Error error) {
    if (callback) add([callback, answer = Answer{std::move(error), Data{}}] { callback(answer); });
  }

  int subscribe(const std::string &event, const std::string &args, Client::EventCallback callback) {
    if (client_ == nullptr) return 0;
    const int id = sallyport_subscribe(
        client_, event.c_str(), args.empty() ? nullptr : args.c_str(),
        [](sallyport_client *, const char *name, sallyport_json data, void *user) noexcept {
          const auto *listener = static_cast<const Listener *>(user);
          const int of = listener->id;
          ClientInside *const inside = listener->inside;
          inside->add([inside, of, one = Event{name, data_of(data)}] { inside->deliver(of, one); });
        },
        prepared(std::move(callback)));
    if (id <= 0) {
      prepared_.reset();
      return 0;
    }
    prepared_->id = id;
    listeners_[id] = std::move(prepared_);
    return id;
  }

  void unsubscribe(int id) {
    if (client_ != nullptr) (void)sallyport_unsubscribe(client_, id);
    const auto found = listeners_.find(id);
    if (found == listeners_.end()) return;
    /* What the callback holds may use this object. */
    const auto ended = std::move(found->second);
    listeners_.erase(found);
  }

  std::function<void(const StateChange &)> on_state;
  std::function<void(Account)> on_account;
  Client::EventCallback on_event;

private:
  struct Listener {
    ClientInside *inside;
    int id;
    Client::EventCallback callback;
  };
  struct Waiting {
    Start start;
    Client::AnswerCallback callback;
    CallOptions options;
    Clock::time_point until;
  };
  struct Sent {
    ClientInside *inside;
    Client::AnswerCallback callback;
  };

  static ClientInside &self(void *user) { return *static_cast<ClientInside *>(user); }
  static Error no_bridge() {
    return own_error(SALLYPORT_E_NOT_READY, "the server is no Sallyport bridge; start the daemon with: sallyport run", true);
  }

  void add(Task task) {
    if (!is_dropped_) tasks_.add(std::move(task));
  }

  /** Calls back with a copy of the callback, which may be replaced meanwhile. */
  template <class Callback, class Value> static void report(const Callback &callback, const Value &value) {
    if (const Callback now = callback) now(value);
  }

  void deliver(int id, const Event &event) {
    const auto found = listeners_.find(id);
    if (found != listeners_.end()) report(found->second->callback, event);
  }

  void *prepared(Client::EventCallback callback) {
    prepared_ = std::make_unique<Listener>(Listener{this, 0, std::move(callback)});
    return prepared_.get();
  }

  bool is_ready() const { return client_ != nullptr && sallyport_get_state(client_)->name == SALLYPORT_READY; }
  bool can_send(const CallOptions &options) const {
    return is_ready() && (!options.needs_bridge || sallyport_server_is_bridge(client_) != 0);
  }

  void send(const Start &start, Client::AnswerCallback callback) {
    auto sent = std::make_unique<Sent>(Sent{this, std::move(callback)});
    const sallyport_result_fn answered = [](sallyport_client *, const sallyport_error *error, sallyport_json data,
                                            void *user) noexcept {
      const std::unique_ptr<Sent> done(static_cast<Sent *>(user));
      if (!done->callback) return;
      done->inside->add([callback = std::move(done->callback), answer = Answer{error_of(error), data_of(data)}] { callback(answer); });
    };
    const int code = start(client_, answered, sent.get());
    if (code == SALLYPORT_OK || code == SALLYPORT_DEFERRED) {
      (void)sent.release();
      return;
    }
    end(sent->callback, error_of(sallyport_last_error(client_)));
  }

  void send_waiting() {
    if (waiting_.empty()) return;
    const Clock::time_point now = Clock::now();
    for (auto &call : std::exchange(waiting_, {})) {
      if (can_send(call.options)) send(call.start, std::move(call.callback));
      else if (call.until > now) waiting_.push_back(std::move(call));
      else if (is_ready()) end(call.callback, no_bridge());
      else end(call.callback, own_error(SALLYPORT_E_NOT_READY, "no bridge in time; start the daemon with: sallyport run", true));
    }
  }

  std::size_t most_waiting_;
  sallyport_client *client_ = nullptr;
  /** Why there is no client. */
  std::string refused_;
  bool is_dropped_ = false;
  std::deque<Waiting> waiting_;
  std::map<int, std::unique_ptr<Listener>> listeners_;
  std::unique_ptr<Listener> prepared_;
  TaskQueue tasks_;
};

Subscription &Subscription::operator=(Subscription &&other) noexcept {
  if (this == &other) return *this;
  end();
  client_ = std::move(other.client_);
  id_ = std::exchange(other.id_, 0);
  return *this;
}

void Subscription::end() {
  const auto client = client_.lock();
  const int id = std::exchange(id_, 0);
  if (client != nullptr && id > 0) client->unsubscribe(id);
}

bool Subscription::is_active() const {
  const auto client = client_.lock();
  return client != nullptr && client->client() != nullptr &&
         sallyport_get_subscription(client->client(), id_, nullptr) == SALLYPORT_SUBSCRIPTION_ACTIVE;
}

int Subscription::refusal() const {
  const auto client = client_.lock();
  int code = 0;
  if (client != nullptr && client->client() != nullptr) (void)sallyport_get_subscription(client->client(), id_, &code);
  return code;
}

std::string Client::check(const Options &options) {
  if (options.max_waiting_calls <= 0) return "max_waiting_calls must be positive";
  const OwnOptions with(options);
  const char *const problem = sallyport_check_options(&with.own);
  return problem == nullptr ? std::string{} : problem;
}

std::string Client::make_key() {
  char key[SALLYPORT_KEY_SIZE];
  return sallyport_key_create(key) == SALLYPORT_OK ? key : std::string{};
}

Client::Client(const Options &options) : inside_(std::make_shared<ClientInside>(options)) {}
Client::Client(Client &&other) noexcept = default;

Client &Client::operator=(Client &&other) noexcept {
  if (this == &other) return *this;
  if (inside_ != nullptr) inside_->drop();
  inside_ = std::move(other.inside_);
  return *this;
}

/* A callback that runs keeps the inside alive until it returns. */
Client::~Client() {
  if (inside_ != nullptr) inside_->drop();
}

Client::operator bool() const noexcept { return inside_ != nullptr && inside_->client() != nullptr; }

void Client::connect(std::int64_t timeout_ms) {
  if (*this) (void)sallyport_connect(inside_->client(), timeout_ms);
}

void Client::poll(int timeout_ms) {
  if (const auto inside = inside_) inside->poll(timeout_ms);
}

void Client::close() {
  if (*this) inside_->close();
}

State Client::state() const { return *this ? static_cast<State>(sallyport_get_state(inside_->client())->name) : State::Closed; }
bool Client::is_bridge() const { return *this && sallyport_server_is_bridge(inside_->client()) != 0; }
Account Client::account() const {
  return *this ? static_cast<Account>(sallyport_get_account(inside_->client())) : Account::SignedOut;
}
std::uint64_t Client::user_id() const { return *this ? sallyport_user_id(inside_->client()) : 0; }

void Client::on_state(std::function<void(const StateChange &)> callback) {
  if (inside_ != nullptr) inside_->on_state = std::move(callback);
}
void Client::on_account(std::function<void(Account)> callback) {
  if (inside_ != nullptr) inside_->on_account = std::move(callback);
}
void Client::on_event(EventCallback callback) {
  if (inside_ != nullptr) inside_->on_event = std::move(callback);
}

void Client::call(const std::string &command, std::string args, AnswerCallback callback, CallOptions options) {
  send(command, std::move(args), std::move(callback), options);
}

void Client::send(const std::string &command, std::optional<std::string> args, AnswerCallback callback,
                  const CallOptions &options) {
  if (inside_ == nullptr) return;
  if (!args) return inside_->end(callback, own_error(SALLYPORT_E_ARGUMENT, "a text is not valid UTF-8, or too long"));
  const auto start = [command, args = std::move(*args), key = options.key,
                      limit = options.timeout_ms](sallyport_client *client, sallyport_result_fn answered, void *user) {
    return sallyport_call_keyed(client, command.c_str(), args.empty() ? nullptr : args.c_str(), key ? key->c_str() : nullptr, limit,
                                answered, user);
  };
  inside_->call(start, std::move(callback), options);
}

void Client::ping(AnswerCallback callback, CallOptions options) {
  if (inside_ != nullptr) inside_->call(sallyport_ping, std::move(callback), options);
}

void Client::set_activity(std::string activity, AnswerCallback callback) {
  if (inside_ == nullptr) return;
  const auto start = [activity = std::move(activity)](sallyport_client *client, sallyport_result_fn answered, void *user) {
    return sallyport_set_activity(client, activity.empty() ? nullptr : activity.c_str(), answered, user);
  };
  inside_->call(start, std::move(callback), {});
}

void Client::clear_activity(AnswerCallback callback) { set_activity(std::string{}, std::move(callback)); }

Subscription Client::subscribe(const std::string &event, const std::string &args, EventCallback callback) {
  if (inside_ == nullptr) return Subscription{};
  return Subscription(inside_, inside_->subscribe(event, args, std::move(callback)));
}

void Client::sign_in(const std::string &scopes, AnswerCallback callback) {
  const auto start = [scopes](sallyport_client *client, sallyport_result_fn answered, void *user) {
    return sallyport_sign_in(client, scopes.c_str(), answered, user);
  };
  if (inside_ != nullptr) inside_->call(start, std::move(callback), {});
}

void Client::sign_in_silently(AnswerCallback callback) {
  if (inside_ != nullptr) inside_->call(sallyport_sign_in_silently, std::move(callback), {});
}

void Client::ask_to_sign_in(const std::string &scopes, AnswerCallback callback) {
  const auto start = [scopes](sallyport_client *client, sallyport_result_fn answered, void *user) {
    return sallyport_ask_to_sign_in(client, scopes.c_str(), answered, user);
  };
  if (inside_ != nullptr) inside_->call(start, std::move(callback), {});
}

void Client::sign_out(AnswerCallback callback) {
  if (inside_ != nullptr) inside_->call(sallyport_sign_out, std::move(callback), {});
}

} // namespace sallyport
