/** The inside of a client: its application, its status, its sign-in, its callbacks and what it keeps of events. */
#ifndef SALLYPORT_SDK_DETAIL_CORE_HPP
#define SALLYPORT_SDK_DETAIL_CORE_HPP

#include "sallyport/sdk/activity.hpp"
#include "sallyport/sdk/detail/cache.hpp"
#include "sallyport/sdk/detail/connection.hpp"

namespace sdk {
namespace detail {

enum class ClientStatus : std::int32_t {
  Disconnected = 0,
  Connecting = 1,
  Connected = 2,
  Ready = 3,
  Reconnecting = 4,
  Disconnecting = 5,
  HttpWait = 6
};

enum class ClientError : std::int32_t { None = 0, ConnectionFailed = 1, UnexpectedClose = 2, ConnectionCanceled = 3 };

/** Callbacks that the game registered; empty ones are not called. */
struct Callbacks {
  std::function<void(ClientStatus, ClientError, std::int32_t)> status;
  std::function<void()> token_expired;
  std::function<void()> authorize_request;
  std::function<void(ActivityInvite)> invite_created;
  std::function<void(std::string)> join;
  std::function<void(std::uint64_t, std::string)> join_with_application;
  std::function<void(std::uint64_t)> message_created, message_updated;
  std::function<void(std::uint64_t, std::uint64_t)> message_deleted;
  std::function<void(std::uint64_t)> lobby_created, lobby_updated, lobby_deleted;
  std::function<void(std::uint64_t, std::uint64_t)> member_added, member_updated, member_removed;
  std::function<void(std::uint64_t, bool)> relationship_created, relationship_deleted;
  std::function<void(std::uint64_t)> user_updated;
};

struct LogCallback {
  std::function<void(std::string, LoggingSeverity)> callback;
  LoggingSeverity least;
};

/** An accepted invite. It ends when the answer and the join secret have come, whichever is first. */
struct PendingJoin {
  std::uint64_t number;
  std::uint64_t application;
  std::function<void(ClientResult, std::string)> callback;
  /** Far away until the answer has come. */
  Clock::time_point until = Clock::time_point::max();
  bool is_answered = false;
  std::optional<std::string> secret{};
};

/** Time after which a sign-in that the platform could not check is tried again. */
inline constexpr Milliseconds sign_in_pause{5000};

class Core : public ConnectionObserver {
public:
  explicit Core(ClientCreateOptions options) : options_(std::move(options)), connection(*this) {}
  virtual ~Core() { forget_token(); }

  void run() {
    if (sign_in_at_ && *sign_in_at_ <= Clock::now()) sign_in_with_grant();
    expire_joins();
    connection.run();
  }

  /** Sets the application and starts to search for the bridge. Another application ends the calls of the first one. */
  void use_application(std::uint64_t id) {
    if (id == 0 || id == application) return;
    if (application != 0) {
      log(LoggingSeverity::Info, "the application changed: the client connects again");
      leave();
    }
    application = id;
    open();
    if (timeout_ms != sallyport::limits::deadline_ms) send_timeout();
  }

  void connect() {
    if (wants_) return;
    wants_ = true;
    connection.subscribe(sallyport::events::current_user_update);
    open();
    load();
    update(ClientError::None, 0);
  }

  void disconnect() {
    if (!wants_ && !connection.is_open()) return;
    set_status(ClientStatus::Disconnecting, ClientError::None, 0);
    const std::string kept = token_;
    leave();
    token_ = kept;
    set_status(ClientStatus::Disconnected, ClientError::None, 0);
  }

  /** Makes a call with the arguments that `fill` writes. */
  template <class Fill> void call(const char *command, Fill fill, Decode decode, std::int64_t answer_ms = 0) {
    open();
    connection.call({command, json_object(fill), std::move(decode), timeout_ms, answer_ms});
  }

  void send_timeout() {
    call(
        sallyport::commands::set_http_request_timeout, [&](JsonWriter &json) { json.field("timeout_ms", timeout_ms); },
        [this](const Answer &answer) -> Task {
          if (!answer.result.Successful())
            log(LoggingSeverity::Warning, "the timeout was not set: " + answer.result.ToString());
          return nullptr;
        });
  }

  /** `activity` is empty to clear the presence. */
  void set_presence(std::optional<std::string> activity, Decode decode) {
    open();
    connection.call({sallyport::commands::set_activity, std::move(activity), std::move(decode), timeout_ms, 0, true});
  }

  void log(LoggingSeverity severity, const std::string &message) {
    for (const LogCallback &one : logs)
      if (severity >= one.least) connection.add([one, message, severity] { one.callback(message, severity); });
  }

  /** Calls `decode` once the bridge announced its user, or with the error if it is not there in time. */
  void when_connected(std::function<Task(const ClientResult &)> decode) {
    call(
        sallyport::commands::get_default_scopes, [](JsonWriter &) {},
        [decode](const Answer &answer) { return decode(answer.result); });
  }

  /** The call with which the game signs in. */
  void update_token(const std::string &token, std::function<void(const ClientResult &)> done) {
    call(
        sallyport::commands::update_token, [&](JsonWriter &json) { json.field("access_token", token); },
        [this, token, done](const Answer &answer) -> Task {
          if (answer.result.Successful()) {
            forget_token();
            token_ = token;
            remember_user(answer.data);
            load();
          }
          return [done, result = answer.result] {
            if (done) done(result);
          };
        });
  }

  void on_state(const sallyport_state &state) override;
  void on_account(sallyport_account account) override;
  void on_event(const std::string &event, sallyport_json data) override;

  ClientStatus status() const { return status_; }

  /** Ends everything; nothing calls back any more. */
  void drop() {
    connection.drop();
    const Callbacks callbacks_to_free = std::exchange(callbacks, {});
    const std::vector<LogCallback> logs_to_free = std::exchange(logs, {});
    const std::deque<PendingJoin> joins_to_free = std::exchange(joins, {});
  }

private:
  ClientCreateOptions options_;

public:
  Connection connection;
  Cache cache;
  Callbacks callbacks;
  std::vector<LogCallback> logs;
  std::deque<PendingJoin> joins;
  /** The user of READY: that of the desktop client, or the last who signed in; empty for the placeholder. */
  std::optional<UserHandle> announced_user;
  std::uint64_t application = 0;
  std::int64_t timeout_ms = sallyport::limits::deadline_ms;
  std::int32_t window_process = 0;

  /** Keeps an invite that is being accepted. Returns its number. */
  std::uint64_t begin_join(std::uint64_t invited, std::function<void(ClientResult, std::string)> callback) {
    joins.push_back({++last_join_, invited, std::move(callback)});
    return last_join_;
  }

  /** The answer to an accepted invite. Returns what is left to do. */
  Task answer_join(std::uint64_t number, const ClientResult &result) {
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

private:
  void open() {
    if (connection.is_open() || application == 0) return;
    if (!connection.open(application, options_))
      log(LoggingSeverity::Error, "the client could not be created; check its options");
  }

  void leave() {
    wants_ = signed_in_ = is_loaded_ = is_loading_ = false;
    sign_in_at_.reset();
    connection.close();
    cache = Cache{};
    forget_token();
  }

  /** Other users of the machine may read freed memory in a core file, so the token is overwritten. */
  void forget_token() {
    volatile char *bytes = token_.empty() ? nullptr : &token_[0];
    for (std::size_t i = 0; i < token_.size(); ++i) bytes[i] = 0;
    token_.clear();
  }

  void set_status(ClientStatus status, ClientError error, std::int32_t detail) {
    if (status == status_) return;
    status_ = status;
    connection.add([callback = callbacks.status, status, error, detail] {
      if (callback) callback(status, error, detail);
    });
  }

  void update(ClientError error, std::int32_t detail) {
    if (!wants_) return set_status(ClientStatus::Disconnected, error, detail);
    if (!connection.is_ready())
      return set_status(was_ready_ ? ClientStatus::Reconnecting : ClientStatus::Connecting, error, detail);
    if (!signed_in_) return set_status(was_ready_ ? ClientStatus::Reconnecting : ClientStatus::Connecting, error, detail);
    if (is_loaded_) was_ready_ = true;
    set_status(is_loaded_ ? ClientStatus::Ready : ClientStatus::Connected, error, detail);
  }

  void remember_user(sallyport_json data) {
    sallyport::records::Authentication authentication;
    if (!sallyport::records::read(data, authentication)) return;
    cache.user = UserHandle(authentication.user, StatusType::Online,
                            authentication.account_state.value_or("") == sallyport::account_state::provisional);
    scopes_ = std::move(authentication.scopes);
  }

  /** Whether the sign-in allows to read relationships: by their scope, or by one that includes it. */
  bool can_read_relationships() const {
    using namespace sallyport::scopes;
    for (const char *scope : {relationships_read, sdk_social_layer, sdk_social_layer_presence})
      if (std::find(scopes_.begin(), scopes_.end(), scope) != scopes_.end()) return true;
    return false;
  }

  /** Loads what the getters of a ready client return. */
  void load() {
    if (!wants_ || !signed_in_ || !connection.is_ready() || is_loaded_ || is_loading_) return;
    if (!can_read_relationships()) {
      is_loaded_ = true;
      return;
    }
    is_loading_ = true;
    connection.subscribe(sallyport::events::relationship_update);
    call(
        sallyport::commands::get_relationships, [](JsonWriter &) {},
        [this](const Answer &answer) -> Task {
          std::vector<sallyport::records::Relationship> all;
          is_loading_ = false;
          if (!signed_in_) return nullptr;
          if (answer.result.Successful()) cache.relationships.clear();
          else log(LoggingSeverity::Warning, "the relationships could not be loaded: " + answer.result.ToString());
          sallyport::read(sallyport_json_get(answer.data, "relationships"), all);
          for (const auto &one : all) cache.relationships.insert_or_assign(one.user.id, RelationshipHandle(one));
          is_loaded_ = true;
          update(ClientError::None, 0);
          return nullptr;
        });
  }

  /** Signs in again with the tokens that the bridge stored for this program, e.g. refreshed ones. */
  void sign_in_with_grant() {
    sign_in_at_.reset();
    if (!cache.user || signed_in_) return;
    const std::uint64_t user = cache.user->Id();
    call(
        sallyport::commands::authenticate, [&](JsonWriter &json) { json.field("user_id", Id{user}); },
        [this](const Answer &answer) -> Task {
          if (answer.result.Successful() || signed_in_) return nullptr;
          if (answer.result.Retryable()) {
            sign_in_at_ = Clock::now() + sign_in_pause;
            return nullptr;
          }
          log(LoggingSeverity::Warning, "the sign-in was refused: " + answer.result.ToString());
          return end_of_token();
        });
  }

  Task end_of_token() {
    wants_ = is_loaded_ = was_ready_ = false;
    forget_token();
    update(ClientError::ConnectionCanceled, 0);
    return [callback = callbacks.token_expired] {
      if (callback) callback();
    };
  }

  void expire_joins() {
    const auto now = Clock::now();
    for (auto join = joins.begin(); join != joins.end();) {
      if (join->until > now) {
        ++join;
        continue;
      }
      connection.add([callback = join->callback] {
        callback(failure(ErrorType::NetworkError, "no join secret came in time", true), "");
      });
      join = joins.erase(join);
    }
  }

  void on_lobby_event(const std::string &event, sallyport_json data);
  void on_message_event(const std::string &event, sallyport_json data);
  void on_join(sallyport_json data);
  void on_ready(sallyport_json data);
  void on_relationship(sallyport_json data);

  /** Calls back with what a callback of the game takes. */
  template <class Callback, class... Values> void notify(const Callback &callback, Values... values) {
    if (callback) connection.add([callback, values...] { callback(values...); });
  }

  ClientStatus status_ = ClientStatus::Disconnected;
  /** The game called Connect. */
  bool wants_ = false;
  std::uint64_t last_join_ = 0;
  bool signed_in_ = false;
  bool is_loading_ = false;
  bool is_loaded_ = false;
  bool was_ready_ = false;
  std::optional<Clock::time_point> sign_in_at_;
  std::string token_;
  std::vector<std::string> scopes_;
  /** Why there is no connection, so that the log has each reason once. */
  std::string outage_;
};

} // namespace detail
} // namespace sdk

#endif
