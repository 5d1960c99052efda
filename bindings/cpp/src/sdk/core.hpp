/** The inside of a client: its application, its status, its sign-in, its callbacks and what it keeps of events. */
#ifndef SALLYPORT_SDK_CORE_HPP
#define SALLYPORT_SDK_CORE_HPP

#include <chrono>

#include "answer.hpp"
#include "cache.hpp"
#include "sallyport/protocol.hpp"
#include "sallyport/sdk/client.hpp"

namespace sallyport::sdk::detail {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

/** Callbacks that the game registered; empty ones are not called. */
struct Callbacks {
  std::function<void(Client::Status, Client::Error, std::int32_t)> status;
  std::function<void()> token_expired;
  std::function<void()> authorize_request;
  std::function<void(std::string, std::string)> device_code;
  std::function<void()> device_screen_closed;
  std::function<void(ActivityInvite)> invite_created, invite_updated;
  std::function<void(std::string)> join;
  std::function<void(std::uint64_t, std::string)> join_with_application;
  std::function<void(std::uint64_t)> message_created, message_updated;
  std::function<void(std::uint64_t, std::uint64_t)> message_deleted;
  std::function<void(std::uint64_t)> lobby_created, lobby_updated, lobby_deleted;
  std::function<void(std::uint64_t, std::uint64_t)> member_added, member_updated, member_removed;
  std::function<void(std::uint64_t, bool)> relationship_created, relationship_deleted;
  std::function<void(std::uint64_t)> user_updated, groups_updated;
};

struct LogCallback {
  std::function<void(std::string, LoggingSeverity)> callback;
  LoggingSeverity least;
};

/** An accepted invite. It ends when the answer and the join secret have come, whichever is first. */
struct PendingJoin {
  std::uint64_t number;
  std::uint64_t application;
  Client::SecretCallback callback;
  /** Far away until the answer has come. */
  Clock::time_point until = Clock::time_point::max();
  bool is_answered = false;
  std::optional<std::string> secret{};
};

class Core {
public:
  explicit Core(ClientCreateOptions options) : options_(std::move(options)) {}
  Core(const Core &) = delete;
  Core &operator=(const Core &) = delete;
  ~Core() { forget_token(); }

  void run();
  /** Ends everything; nothing calls back any more. */
  void drop();

  /** Sets the application and starts to search for the bridge. Another application ends the calls of the first one. */
  void use_application(std::uint64_t id);
  void connect();
  void disconnect();
  Client::Status status() const { return status_; }
  bool is_signed_in() const { return signed_in_; }
  sallyport::Client *base() { return client_ ? &*client_ : nullptr; }

  /** A task for `run`. */
  void add(Task task) {
    if (!is_dropped_) tasks_.add(std::move(task));
  }
  void log(LoggingSeverity severity, const std::string &message);
  void subscribe(const char *event);
  void unsubscribe(const char *event);

  /** Makes a call with the arguments that `fill` writes. `answer_ms` limits the time for the answer; 0: that of the client. */
  template <class Fill> void call(const char *command, Fill fill, Decode decode, std::int64_t answer_ms = 0) {
    send(command, json_object(fill), std::move(decode), answer_ms);
  }
  void send(const char *command, std::optional<std::string> args, Decode decode, std::int64_t answer_ms);
  void send_timeout();
  /** `activity` is empty to clear the presence. */
  void set_presence(std::optional<std::string> activity, Decode decode);
  /** Calls `decode` once a server announced its user, or with the error if there is none in time. */
  void when_connected(Decode decode);

  /** The call with which the game signs in. */
  void update_token(const std::string &token, Client::ResultCallback done);
  void sign_in_silently(Client::ResultCallback done);
  bool is_own_token(const std::string &token) const { return signed_in_ && !token_.empty() && token == token_; }

  /** Keeps an invite that is being accepted. Returns its number. */
  std::uint64_t begin_join(std::uint64_t invited, Client::SecretCallback callback);
  /** The answer to an accepted invite. Returns what is left to do. */
  Task answer_join(std::uint64_t number, const ClientResult &result);

  Cache cache;
  Callbacks callbacks;
  std::vector<LogCallback> logs;
  std::deque<PendingJoin> joins;
  /** The user of READY: that of the desktop client, or the last who signed in; null for the placeholder. */
  User announced_user;
  std::uint64_t application = 0;
  std::int64_t timeout_ms = limits::deadline_ms;
  std::int32_t window_process = 0;
  /** Of the device authorization that runs. */
  std::shared_ptr<Client::TokenExchangeCallback> device;

private:
  void open();
  void leave();
  /** Other users of the machine may read freed memory in a core file, so the token is overwritten. */
  void forget_token();
  void set_status(Client::Status status, Client::Error error, std::int32_t detail);
  void update(Client::Error error, std::int32_t detail);
  void remember_user(const Data &data);
  bool can_read_relationships() const;
  /** Loads what the getters of a ready client return. */
  void load();
  void load_game_relationships();
  void loaded();
  void sign_in_with_grant();
  Task end_of_token();
  void expire_joins();

  void on_state(const StateChange &change);
  void on_account(Account account);
  void on_event(const Event &event);
  void on_lobby_event(const Event &event);
  void on_message_event(const Event &event);
  void on_join(const Data &data);
  void on_ready(const Data &data);
  void on_relationship(const Data &data);
  void on_game_relationship(const Data &data);
  void keep_game_relationship(sallyport_json json);

  /** Calls back with what a callback of the game takes. */
  template <class Callback, class... Values> void notify(const Callback &callback, Values... values) {
    if (callback) add([callback, values...] { callback(values...); });
  }

  ClientCreateOptions options_;
  std::optional<sallyport::Client> client_;
  /** By event; empty ones are made with the connection. */
  std::map<std::string, Subscription> subscriptions_;
  TaskQueue tasks_;
  bool is_dropped_ = false;
  Client::Status status_ = Client::Status::Disconnected;
  /** The game called Connect. */
  bool wants_ = false;
  std::uint64_t last_join_ = 0;
  bool signed_in_ = false;
  /** Lists that are being loaded. */
  int loading_ = 0;
  bool is_loaded_ = false;
  bool was_ready_ = false;
  std::optional<Clock::time_point> sign_in_at_;
  std::string token_;
  std::vector<std::string> scopes_;
  /** Why there is no connection, so that the log has each reason once. */
  std::string outage_;
};

void register_core(const std::shared_ptr<Core> &core);

/** The task for a callback with values after the result. */
template <class Callback, class... Values> Task task(const Callback &callback, const ClientResult &result, Values... values) {
  if (!callback) return nullptr;
  return [callback, result, values...] { callback(result, values...); };
}

/** Ends a call that this client does not make, in the next RunCallbacks; at once without a client. */
template <class Callback, class... Values>
void end(Core *core, const Callback &callback, const ClientResult &result, Values... values) {
  if (core != nullptr) return core->add(task(callback, result, values...));
  if (callback) callback(failure(ErrorType::ClientDestroyed, "the client is uninitialized"), values...);
}

/** Makes a call whose answer has nothing for the callback but the result. */
template <class Fill> void call(Core *core, const char *command, Fill fill, const Client::ResultCallback &callback) {
  if (core == nullptr) return end(core, callback, ClientResult{});
  core->call(command, fill, [callback](const Reply &reply) { return task(callback, reply.result); });
}

/** Registers a callback and subscribes its events. An empty callback keeps the subscriptions, which others may use. */
template <class Callback>
void set(Core *core, Callback Callbacks::*member, Callback callback, std::initializer_list<const char *> events) {
  if (core == nullptr) return;
  if (callback)
    for (const char *event : events) core->subscribe(event);
  core->callbacks.*member = std::move(callback);
}

} // namespace sallyport::sdk::detail

#endif
