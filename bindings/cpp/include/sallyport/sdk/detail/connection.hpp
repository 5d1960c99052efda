/**
 * The connection of a client: the client of the C library, calls that wait for it, and tasks for RunCallbacks.
 *
 * The callbacks of the C library only decode. Callbacks of the game run later, from `run`, with no frame of the C library on
 * the stack: they may call everything, destroy the client and throw.
 */
#ifndef SALLYPORT_SDK_DETAIL_CONNECTION_HPP
#define SALLYPORT_SDK_DETAIL_CONNECTION_HPP

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "sallyport/sdk/authorization.hpp"
#include "sallyport/sdk/detail/answer.hpp"
#include "sallyport/sdk/detail/json.hpp"

namespace sdk {
namespace detail {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

/** What the owner of a connection hears, inside the C library. */
class ConnectionObserver {
public:
  virtual void on_state(const sallyport_state &state) = 0;
  virtual void on_account(sallyport_account account) = 0;
  virtual void on_event(const std::string &event, sallyport_json data) = 0;

protected:
  ~ConnectionObserver() = default;
};

/** A call. `wait_ms` limits the time for a connection, `answer_ms` that for the answer (0: the rule of the C library). */
struct Call {
  std::string command;
  /** Nothing: the arguments have a text that is not UTF-8, or are too large. */
  std::optional<std::string> args;
  Decode decode;
  std::int64_t wait_ms;
  std::int64_t answer_ms = 0;
  /** `args` is the activity itself, which the C library remembers. */
  bool is_presence = false;
};

class Connection {
public:
  /** Calls that wait for a connection or for an answer. */
  static constexpr std::size_t most_calls = 256;

  explicit Connection(ConnectionObserver &observer) : observer_(observer) {}
  Connection(const Connection &) = delete;
  Connection &operator=(const Connection &) = delete;
  ~Connection() { drop(); }

  bool is_open() const { return client_ != nullptr; }
  bool is_ready() const { return client_ != nullptr && sallyport_get_state(client_)->name == SALLYPORT_READY; }
  bool is_signed_in() const { return sallyport_get_account(client_) == SALLYPORT_SIGNED_IN; }

  /** Starts to search for the bridge. Returns false if the options are not valid. */
  bool open(std::uint64_t application, const ClientCreateOptions &options) {
    const std::string id = std::to_string(application);
    const std::optional<std::string> directory = options.RuntimeDirectory();
    const std::optional<std::string> version = options.GameVersion();
    sallyport_options own;
    sallyport_options_init(&own, sizeof own);
    own.application_id = id.c_str();
    own.runtime_dir = directory ? directory->c_str() : nullptr;
    own.sdk_version = version ? version->c_str() : "sallyport-cpp/" SALLYPORT_VERSION;
    own.require_bridge = 1;
    own.max_pending_calls = static_cast<int>(most_calls);
    own.user = this;
    own.on_state = [](sallyport_client *, const sallyport_state *state, void *user) noexcept {
      self(user).observe([&](ConnectionObserver &observer) { observer.on_state(*state); });
    };
    own.on_account = [](sallyport_client *, sallyport_account account, void *user) noexcept {
      self(user).observe([&](ConnectionObserver &observer) { observer.on_account(account); });
    };
    own.on_event = [](sallyport_client *, const char *event, sallyport_json data, void *user) noexcept {
      self(user).observe([&](ConnectionObserver &observer) { observer.on_event(event, data); });
    };
    client_ = sallyport_create(&own);
    if (client_ == nullptr) return false;
    for (auto &[event, id_of_event] : subscriptions_) id_of_event = subscribed(event);
    (void)sallyport_connect(client_, -1);
    return true;
  }

  /** Ends the connection; each call that has no answer ends with Aborted, in the next `run`. */
  void close() {
    if (client_ != nullptr) sallyport_destroy(std::exchange(client_, nullptr));
    for (auto &call : std::exchange(waiting_, {})) settle(call, failure(ErrorType::Aborted, "the client disconnected", true));
    for (auto &[event, id] : subscriptions_) id = 0;
  }

  /** Ends everything; nothing calls back any more. */
  void drop() {
    is_dropped_ = true;
    if (client_ != nullptr) sallyport_destroy(std::exchange(client_, nullptr));
    /* What they hold may call this object again. */
    const auto waiting = std::exchange(waiting_, {});
    const auto tasks = std::exchange(tasks_, {});
  }

  void add(Task task) {
    if (task && !is_dropped_) tasks_.push_back(std::move(task));
  }

  /** Makes the call, now or when the bridge is there. */
  void call(Call one) {
    if (is_dropped_) return;
    if (!one.args) return settle(one, failure(ErrorType::ValidationError, "a text is not valid UTF-8, or too long"));
    if (client_ == nullptr)
      return settle(one, failure(ErrorType::ClientNotReady, "the client has no application; call SetApplicationId first"));
    if (is_ready()) return send(std::move(one));
    if (waiting_.size() >= most_calls)
      return settle(one, failure(ErrorType::NetworkError, "too many calls wait for the bridge", true));
    if (one.is_presence) replace_presence();
    waiting_.push_back({std::move(one), Clock::now()});
    waiting_.back().until += Milliseconds(waiting_.back().wait_ms);
  }

  void subscribe(const std::string &event) {
    const auto [entry, is_new] = subscriptions_.emplace(event, 0);
    if (is_new && client_ != nullptr) entry->second = subscribed(event);
  }

  void unsubscribe(const std::string &event) {
    const auto entry = subscriptions_.find(event);
    if (entry == subscriptions_.end()) return;
    if (client_ != nullptr && entry->second > 0) (void)sallyport_unsubscribe(client_, entry->second);
    subscriptions_.erase(entry);
  }

  /** Receives and sends, then runs the tasks that are there now; tasks that they add run the next time. */
  void run() {
    if (is_running_) return;
    is_running_ = true;
    const auto ended = [this](void *) { is_running_ = false; };
    const std::unique_ptr<void, decltype(ended)> guard(this, ended);
    if (client_ != nullptr) (void)sallyport_poll(client_, 0);
    send_waiting();
    for (std::size_t left = tasks_.size(); left > 0 && !tasks_.empty(); --left) {
      const Task task = std::move(tasks_.front());
      tasks_.pop_front();
      task();
    }
  }

private:
  struct WaitingCall : Call {
    WaitingCall(Call call, Clock::time_point end) : Call(std::move(call)), until(end) {}
    Clock::time_point until;
  };
  struct SentCall {
    Connection *connection;
    Decode decode;
  };

  static Connection &self(void *user) { return *static_cast<Connection *>(user); }

  template <class Use> void observe(Use use) {
    if (!is_dropped_) use(observer_);
  }

  void settle(const Call &call, const ClientResult &result) {
    if (call.decode) add(call.decode({result, {nullptr, 0}}));
  }

  int subscribed(const std::string &event) {
    const auto ignore = [](sallyport_client *, const char *, sallyport_json, void *) {};
    return sallyport_subscribe(client_, event.c_str(), nullptr, ignore, nullptr);
  }

  void send(Call one) {
    auto sent = std::make_unique<SentCall>(SentCall{this, std::move(one.decode)});
    const char *args = one.args->empty() ? nullptr : one.args->c_str();
    const sallyport_result_fn answered = [](sallyport_client *, const sallyport_error *error, sallyport_json data,
                                            void *user) noexcept {
      const std::unique_ptr<SentCall> done(static_cast<SentCall *>(user));
      Connection &connection = *done->connection;
      if (done->decode && !connection.is_dropped_) connection.add(done->decode({result_of(error, data), data}));
    };
    const int code = one.is_presence
                         ? sallyport_set_activity(client_, args, answered, sent.get())
                         : sallyport_call_within(client_, one.command.c_str(), args, one.answer_ms, answered, sent.get());
    if (code == SALLYPORT_OK) {
      (void)sent.release();
      return;
    }
    one.decode = std::move(sent->decode);
    settle(one, result_of(sallyport_last_error(client_), {nullptr, 0}));
  }

  /** A newer presence waits: neither an older one that waits nor the one that the C library remembers is shown before it. */
  void replace_presence() {
    const auto is_older = [this](const WaitingCall &call) {
      if (call.is_presence) settle(call, failure(ErrorType::Aborted, "a newer presence replaced this one"));
      return call.is_presence;
    };
    waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(), is_older), waiting_.end());
    (void)sallyport_clear_activity(client_, nullptr, nullptr);
  }

  void expire(const WaitingCall &call) {
    /* The C library shows it when the bridge is there. */
    if (call.is_presence)
      (void)sallyport_set_activity(client_, call.args->empty() ? nullptr : call.args->c_str(), nullptr, nullptr);
    settle(call, failure(ErrorType::NetworkError, "no bridge in time; is the daemon running?", true));
  }

  void send_waiting() {
    const bool can_send = is_ready();
    const Clock::time_point now = Clock::now();
    for (auto &call : std::exchange(waiting_, {})) {
      if (can_send) send(std::move(call));
      else if (call.until <= now) expire(call);
      else waiting_.push_back(std::move(call));
    }
  }

  ConnectionObserver &observer_;
  sallyport_client *client_ = nullptr;
  bool is_dropped_ = false;
  bool is_running_ = false;
  std::deque<WaitingCall> waiting_;
  std::deque<Task> tasks_;
  /** Ids of the C library, by event; 0 without a connection. */
  std::map<std::string, int> subscriptions_;
};

} // namespace detail
} // namespace sdk

#endif
