/**
 * The C++ client: every command and event by name, records with types, the sign-in. sdk.hpp has the interface of the platform's
 * SDK, which rests on it.
 *
 * Threads: use a client from one thread at a time; the library makes none.
 * Callbacks: run inside `poll` only. They may call everything; `poll` inside one does nothing. They may destroy the client, after
 *   which no callback of it runs.
 * Calls: a function with a callback calls it once, unless the client is destroyed before. On a bridge that honours keys, a call
 *   whose command takes one is sent again after a lost connection, and made once. Other calls end with E_CONNECTION_LOST, because
 *   the bridge may have executed them. That is retryable, but for a command that takes a key: read the state, then decide.
 * Offline: a presence that is set without a connection is kept; its callback runs once, when it is shown, refused or replaced.
 * Exceptions: the library throws none and works without them. One that a callback throws leaves `poll`; the callbacks behind it
 *   run the next time.
 */
#ifndef SALLYPORT_CLIENT_HPP
#define SALLYPORT_CLIENT_HPP

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sallyport/read.hpp"
#include "sallyport/write.hpp"

namespace sallyport {

struct Options {
  /** Required. */
  std::uint64_t application_id = 0;
  /** The only directory to search for sockets; empty: the discovery rule. Not used on Windows. */
  std::string runtime_directory;
  /** Name and version of the game, which the dashboard shows; empty: this library. */
  std::string game_version;
  /** The only slot to try; -1: all, ascending. */
  int slot = -1;
  /** Ignore servers that are not a Sallyport bridge, such as the platform's own client, which shows a presence too. */
  bool requires_bridge = false;
  /** Also use the platform's own client where contained programs can listen; see `allow_packaged_client` of the C library. */
  bool allows_packaged_client = false;
  /** Milliseconds to wait for a response; 0: 5,000 more than the daemon's own limit. */
  std::int64_t call_timeout_ms = 0;
  /** Calls that wait for a response at the same time, at most 4,096. */
  int max_pending_calls = 1024;
  /** Calls that wait for a connection at the same time. */
  int max_waiting_calls = 1024;
  /** At most 1,024. */
  int max_subscriptions = 128;
};

/** An error of the library (negative code, `sallyport_code`) or of the bridge (positive, `ErrorCode`). Code 0: none. */
struct Error {
  int code = 0;
  /** E.g. "INVALID_PERMISSIONS" or "E_TIMEOUT". */
  std::string name;
  /** A sentence for the developer. */
  std::string message;
  /** Whether to make the same call again: it may succeed later, and it happens once. */
  bool is_retryable = false;
  /** Milliseconds to wait, if the bridge named a time; else 0. */
  std::int64_t retry_after_ms = 0;
  /** The code of the server's CLOSE for E_SERVER_CLOSED; else 0. */
  int close_code = 0;
  explicit operator bool() const noexcept { return code != 0; }
};

namespace detail {
/** `read` of the records is found by its argument. */
template <class T> bool read_value(sallyport_json value, T &target) { return read(value, target); }
} // namespace detail

/** JSON with its text. */
class Data {
public:
  explicit Data(std::string text = {}) : text_(std::move(text)) {}
  /** Valid as long as this object; missing if there is no data. */
  sallyport_json json() const { return {text_.empty() ? nullptr : text_.data(), text_.size()}; }
  const std::string &text() const { return text_; }
  /** Reads a record of records.hpp, a text, a number or a list of those. False if the data is something else. */
  template <class T> bool read(T &target) const { return detail::read_value(json(), target); }
  /** The same for a part, e.g. `user.id`. */
  template <class T> bool read(const char *path, T &target) const {
    return detail::read_value(sallyport_json_at(json(), path), target);
  }
  template <class T> std::optional<T> as() const {
    std::optional<T> one(T{});
    if (!read(*one)) one.reset();
    return one;
  }

private:
  std::string text_;
};

/** How a call ended: with data, or with an error and its data. */
struct Answer {
  Error error;
  Data data;
  explicit operator bool() const noexcept { return error.code == 0; }
};

struct Event {
  std::string name;
  Data data;
};

enum class State : std::int32_t { Offline = 0, Connecting, Ready, Waiting, Closed };
enum class Outcome : std::int32_t { None = 0, Done, Failed };
enum class Account : std::int32_t { SignedOut = 0, SignedIn, Revoked };

/** As `sallyport_state` of the C library. */
struct StateChange {
  State state = State::Offline;
  /** In Waiting and Offline: why. */
  Error error;
  bool was_lost = false;
  std::int64_t delay_ms = 0;
  std::int64_t outage_ms = 0;
  Outcome sign_in = Outcome::None;
  Outcome presence = Outcome::None;
  int active_subscriptions = 0;
  int refused_subscriptions = 0;
};

struct CallOptions {
  /** Time for the response; 0: that of the client. */
  std::int64_t timeout_ms = 0;
  /** Time to wait for a connection; 0: without one the call fails at once. */
  std::int64_t wait_ms = 0;
  /** Wait for a bridge: the platform's own client is none. */
  bool needs_bridge = false;
  /**
   * A key that the game stored, so that it repeats this call after it was killed, within five minutes of the first call. Without it
   * the client makes one where it is needed. An empty text ends the call with E_ARGUMENT, because the game lost its key.
   */
  std::optional<std::string> key;
};

class ClientInside;

/** An event that the game listens to, across reconnects; ends with this object. */
class Subscription {
public:
  Subscription() = default;
  Subscription(std::weak_ptr<ClientInside> client, int id) : client_(std::move(client)), id_(id) {}
  Subscription(Subscription &&other) noexcept : client_(std::move(other.client_)), id_(std::exchange(other.id_, 0)) {}
  Subscription &operator=(Subscription &&other) noexcept;
  ~Subscription() { end(); }
  /** Ends it before. */
  void end();
  /** False if it could not be made, or has ended. */
  explicit operator bool() const noexcept { return id_ > 0; }
  /** Whether the server confirmed it on this connection. */
  bool is_active() const;
  /** The code of the last refusal, or 0. */
  int refusal() const;

private:
  std::weak_ptr<ClientInside> client_;
  int id_ = 0;
};

class Client {
public:
  using AnswerCallback = std::function<void(const Answer &)>;
  using EventCallback = std::function<void(const Event &)>;

  /** Empty if the options are valid; otherwise the sentence that says what to correct. */
  static std::string check(const Options &options);
  /** A new key for `CallOptions`: 32 hexadecimal digits. Empty if the system has no random source. */
  static std::string make_key();

  /** Converts to false if `check` refuses the options; every call then ends with an error. */
  explicit Client(const Options &options);
  Client(Client &&other) noexcept;
  Client &operator=(Client &&other) noexcept;
  ~Client();
  explicit operator bool() const noexcept;

  /** Starts to search for a server. `timeout_ms` limits the first search: 0 is one scan, negative is no limit. */
  void connect(std::int64_t timeout_ms = -1);
  /** Once per frame of the game: receives, sends, and runs callbacks. Waits up to `timeout_ms` for something to happen. */
  void poll(int timeout_ms = 0);
  /** Ends the connection for good. Pending calls end with E_CLOSED, in the next `poll`. */
  void close();

  State state() const;
  bool is_ready() const { return state() == State::Ready; }
  /** Whether the connected server is a Sallyport bridge. */
  bool is_bridge() const;
  Account account() const;
  /** 0 unless the client is ready and signed in. */
  std::uint64_t user_id() const;

  /** One callback each; an empty one is not called. `on_event` gets every event, also those without a subscription. */
  void on_state(std::function<void(const StateChange &)> callback);
  void on_account(std::function<void(Account)> callback);
  void on_event(EventCallback callback);

  /** `args` is a JSON object, or empty for none. */
  void call(const std::string &command, std::string args, AnswerCallback callback, CallOptions options = {});
  void call(const std::string &command, AnswerCallback callback) { call(command, std::string{}, std::move(callback)); }
  /** `fill(JsonWriter &)` writes the arguments. */
  template <class Fill, class = std::enable_if_t<std::is_invocable_v<Fill &, JsonWriter &>>>
  void call(const std::string &command, Fill fill, AnswerCallback callback, CallOptions options = {}) {
    send(command, json_object(std::move(fill)), std::move(callback), options);
  }
  /** Without data; also answered by servers that are no bridge. */
  void ping(AnswerCallback callback, CallOptions options = {});

  /** `activity` is a JSON object. Kept for later connections. */
  void set_activity(std::string activity, AnswerCallback callback = nullptr);
  void clear_activity(AnswerCallback callback = nullptr);

  /** `args` is a JSON object, or empty for none. Possible before `connect`. */
  [[nodiscard]] Subscription subscribe(const std::string &event, const std::string &args, EventCallback callback);
  [[nodiscard]] Subscription subscribe(const std::string &event, EventCallback callback) {
    return subscribe(event, std::string{}, std::move(callback));
  }

  /** Signs in silently; asks the player only for INVALID_TOKEN, which means that nothing valid is stored. */
  void sign_in(const std::string &scopes, AnswerCallback callback);
  /** With the stored grant of this program; INVALID_TOKEN if there is none. */
  void sign_in_silently(AnswerCallback callback);
  /** Asks the player, also if a grant is stored. */
  void ask_to_sign_in(const std::string &scopes, AnswerCallback callback);
  /** The bridge forgets the tokens of this program. */
  void sign_out(AnswerCallback callback);

private:
  void send(const std::string &command, std::optional<std::string> args, AnswerCallback callback, const CallOptions &options);

  std::shared_ptr<ClientInside> inside_;
};

} // namespace sallyport

#endif
