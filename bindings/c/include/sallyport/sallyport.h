/**
 * The C client of a Sallyport bridge. One client is one connection of one application; it restores its state after
 * every reconnect.
 *
 * Threads: the library makes none and locks nothing. Use a client from one thread at a time.
 * Time: everything happens in `sallyport_poll`, once per frame of the game. It does not block with a timeout of 0.
 * Memory: only the allocator of the options. After the client is ready, calls and events of a usual size allocate nothing.
 * Callbacks: run inside `sallyport_poll`, `sallyport_close` and `sallyport_destroy` only. They may call every function of
 *   their client; `sallyport_poll` then returns SALLYPORT_E_REENTRANT, and `sallyport_destroy` takes effect when the
 *   outermost function of the library returns. After `sallyport_close` has returned there are no callbacks.
 * Errors: a function returns SALLYPORT_OK or a negative code of `sallyport_code`; `sallyport_last_error` has the sentence.
 *   A function with a callback that returns SALLYPORT_OK calls it exactly once; with a negative code never.
 * Writes: on a bridge that honours keys, a call of SALLYPORT_KEYED_COMMANDS waits after a broken connection, until its timeout. The
 *   next connection sends it again, if the same user is signed in and the call is at most five minutes old, or else ends it. The
 *   bridge makes it once. Other calls end with the connection.
 * Offline: a presence that is set without a connection is kept: SALLYPORT_DEFERRED, and its callback runs once it is shown.
 * Texts are UTF-8 and end with a zero. JSON values that a callback gets are valid until it returns.
 */
#ifndef SALLYPORT_H
#define SALLYPORT_H

#include "sallyport/export.h"
#include "sallyport/json.h"
#include "sallyport/protocol.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SALLYPORT_VERSION "0.1.0"

typedef struct sallyport_client sallyport_client;

/** Codes of this library. Codes of the server are positive: `sallyport_error_code` of protocol.h. */
typedef enum sallyport_code {
  SALLYPORT_OK = 0,
  SALLYPORT_DEFERRED = 1,           /* no error: the presence is kept, and its callback runs when it is shown, refused or replaced */
  SALLYPORT_E_ARGUMENT = -1,        /* a null pointer or an invalid value */
  SALLYPORT_E_STATE = -2,           /* not possible in this state, e.g. a second connect */
  SALLYPORT_E_REENTRANT = -3,       /* not possible inside a callback */
  SALLYPORT_E_MEMORY = -4,          /* the allocator returned null */
  SALLYPORT_E_LIMIT = -5,           /* too many pending calls or subscriptions, or the server reads too slowly */
  SALLYPORT_E_TOO_LARGE = -6,       /* the call is larger than this server accepts */
  SALLYPORT_E_JSON = -7,            /* the arguments are no JSON object */
  SALLYPORT_E_NOT_READY = -8,       /* no connection; nothing was sent */
  SALLYPORT_E_CONNECTION_LOST = -9, /* the connection ended before the response; the server may have executed the call */
  SALLYPORT_E_TIMEOUT = -10,        /* no response in time; the server may still execute the call */
  SALLYPORT_E_NO_SERVER = -11,      /* no usable server was found */
  SALLYPORT_E_FOREIGN_SERVER = -12, /* a server may belong to another user or to a contained program */
  SALLYPORT_E_SERVER_CLOSED = -13,  /* the server closed with `close_code` */
  SALLYPORT_E_PROTOCOL = -14,       /* the server broke the rules of frames or JSON */
  SALLYPORT_E_CLOSED = -15,         /* the client was closed */
  SALLYPORT_E_SYSTEM = -16,         /* the system refused, e.g. it has no random source */
  SALLYPORT_E_REPLACED = -17        /* the game set a newer presence before this one was shown */
} sallyport_code;

typedef struct sallyport_error {
  /** `sizeof(sallyport_error)` of the library. Fields beyond it do not exist: the game was built with a newer header. */
  size_t size;
  /** A `sallyport_code`, or a positive code of the server. */
  int code;
  /** E.g. "INVALID_PERMISSIONS" or "E_TIMEOUT"; UNKNOWN_ERROR for a code that the table does not have. */
  const char *name;
  /** A sentence for the developer, at most 511 bytes. */
  const char *message;
  /**
   * Whether to make the same call again: it may succeed later, and it happens once. 0 for a call of SALLYPORT_KEYED_COMMANDS that
   * ended with SALLYPORT_E_CONNECTION_LOST or SALLYPORT_E_TIMEOUT: it may have taken effect. Read the state, then decide.
   */
  int is_retryable;
  /** Milliseconds to wait, if the server named a time; otherwise 0. */
  int64_t retry_after_ms;
  /** The code of the server's CLOSE for SALLYPORT_E_SERVER_CLOSED; otherwise 0. */
  int close_code;
} sallyport_error;

typedef enum sallyport_state_name {
  SALLYPORT_OFFLINE = 0, /* before connect, or the search ended */
  SALLYPORT_CONNECTING,  /* searching for a server, or restoring the state */
  SALLYPORT_READY,
  SALLYPORT_WAITING, /* for the next attempt */
  SALLYPORT_CLOSED
} sallyport_state_name;

typedef enum sallyport_outcome { SALLYPORT_NONE = 0, SALLYPORT_DONE, SALLYPORT_FAILED } sallyport_outcome;

typedef struct sallyport_state {
  /** `sizeof(sallyport_state)` of the library, as in `sallyport_error`. */
  size_t size;
  sallyport_state_name name;
  /** In SALLYPORT_WAITING and SALLYPORT_OFFLINE: why; null if there is no reason. Valid until the callback returns. */
  const sallyport_error *error;
  /** In SALLYPORT_WAITING: whether a connection was lost, instead of no server found. */
  int was_lost;
  /** In SALLYPORT_WAITING: milliseconds until the next attempt. */
  int64_t delay_ms;
  /** In SALLYPORT_READY: milliseconds since the outage or the search began. */
  int64_t outage_ms;
  /** In SALLYPORT_READY: what was restored. Others may still be pending. */
  sallyport_outcome sign_in;
  sallyport_outcome presence;
  int active_subscriptions;
  int refused_subscriptions;
} sallyport_state;

typedef enum sallyport_account {
  SALLYPORT_SIGNED_OUT = 0,
  SALLYPORT_SIGNED_IN,
  SALLYPORT_REVOKED /* the player or the platform revoked the permission */
} sallyport_account;

typedef void (*sallyport_state_fn)(sallyport_client *client, const sallyport_state *state, void *user);
typedef void (*sallyport_account_fn)(sallyport_client *client, sallyport_account account, void *user);
/** `error` is null on success; `data` is then the response, otherwise the data of the error, or missing. */
typedef void (*sallyport_result_fn)(sallyport_client *client, const sallyport_error *error, sallyport_json data, void *user);
typedef void (*sallyport_event_fn)(sallyport_client *client, const char *event, sallyport_json data, void *user);

/** `allocate(user, null, 0, size)` allocates, `(user, block, old, new)` resizes, `(user, block, old, 0)` frees. */
typedef void *(*sallyport_allocate_fn)(void *user, void *block, size_t old_size, size_t new_size);

typedef struct sallyport_options {
  /** `sizeof(sallyport_options)`; set by `sallyport_options_init`. */
  size_t size;
  /** The application's id: a whole number of 64 bits as decimal text, not 0 and without leading zeros. Required. */
  const char *application_id;
  /** The only directory to search for sockets; null: the discovery rule. Not used on Windows. */
  const char *runtime_dir;
  /** The only slot to try; -1 (default): all, ascending. */
  int slot;
  /** First part of the socket's name; null: "discord-ipc". */
  const char *ipc_prefix;
  /** Name and version of the game, shown to the user of the daemon; null: this library. */
  const char *sdk_version;
  /** Ignore servers that are not a Sallyport bridge. Default 0. */
  int require_bridge;
  /** Reconnect after a loss. Default 1. */
  int reconnect;
  /** Milliseconds to wait for a response; 0: 5,000 more than the daemon's own limit. */
  int64_t call_timeout_ms;
  /** Longest waits between attempts in milliseconds: in the first minute (default 500), and later (default 5,000). */
  int64_t early_cap_ms;
  int64_t cap_ms;
  /** Calls of the game that wait for a response at the same time. Default 64, at most 4,096. */
  int max_pending_calls;
  /** Subscriptions. Default 32, at most 1,024. */
  int max_subscriptions;
  /** Frames that one poll processes; more wait for the next one. Default 64. */
  int max_frames_per_poll;
  /** Null: realloc and free of the C library. */
  sallyport_allocate_fn allocate;
  void *allocate_user;
  /** Milliseconds of a monotonic clock, and a number in [0, 1); null: those of the system. */
  int64_t (*now_ms)(void *user);
  double (*random)(void *user);
  void *environment_user;
  sallyport_state_fn on_state;
  sallyport_account_fn on_account;
  /** Every event, also those that come without a subscription (READY, ERROR, TOKEN_REVOKED). */
  sallyport_event_fn on_event;
  /** User pointer of these three. */
  void *user;
  /** Whether reports wait for `sallyport_next_report`; the three above are then not called. Default 0. */
  int queue_reports;
  /**
   * Also use the platform's own client where it is installed as a Flatpak or Snap. Contained programs can listen there too,
   * and then get the presence and the tokens of the game. Default 0. No effect with `require_bridge`.
   */
  int allow_packaged_client;
} sallyport_options;

/** Sets the defaults. `size` is `sizeof(sallyport_options)`; no more is written. */
SALLYPORT_API void sallyport_options_init(sallyport_options *options, size_t size);

/** Null if the options are valid; otherwise the sentence that says which one is not, and what it takes. */
SALLYPORT_API const char *sallyport_check_options(const sallyport_options *options);

/** Copies the options. Returns null for options that `sallyport_check_options` refuses, and without memory. */
SALLYPORT_API sallyport_client *sallyport_create(const sallyport_options *options);

/** Closes and frees the client. Null does nothing. Inside a callback it takes effect when the outermost call returns. */
SALLYPORT_API void sallyport_destroy(sallyport_client *client);

/**
 * Starts to search for a server. `timeout_ms` limits the first search: 0 is one scan, negative is no limit. A client that
 * was connected once searches until it is closed. SALLYPORT_E_STATE if it is connected or connecting.
 */
SALLYPORT_API int sallyport_connect(sallyport_client *client, int64_t timeout_ms);

/**
 * Receives, sends, calls back. Waits up to `timeout_ms` for something to happen; 0 returns at once. Returns the number of
 * processed frames, or a negative code.
 */
SALLYPORT_API int sallyport_poll(sallyport_client *client, int timeout_ms);

/** Ends the connection. Pending calls get SALLYPORT_E_CLOSED before this returns; later there are no callbacks. */
SALLYPORT_API int sallyport_close(sallyport_client *client);

/** The current state; valid until the next call of the library. Null for a null client. */
SALLYPORT_API const sallyport_state *sallyport_get_state(const sallyport_client *client);
SALLYPORT_API sallyport_account sallyport_get_account(const sallyport_client *client);
/** Id of the signed-in user; 0 while signed out or disconnected. */
SALLYPORT_API uint64_t sallyport_user_id(const sallyport_client *client);
/** Path of the connected server; "" without one. */
SALLYPORT_API const char *sallyport_server_path(const sallyport_client *client);
/** Whether the connected server is a Sallyport bridge. */
SALLYPORT_API int sallyport_server_is_bridge(const sallyport_client *client);
/** The last error that a function returned; code 0 at first. Valid until the next call of the library. */
SALLYPORT_API const sallyport_error *sallyport_last_error(const sallyport_client *client);
/** Name of a code of the library or of the server; "UNKNOWN_ERROR" for others. */
SALLYPORT_API const char *sallyport_error_name(int code);

/** Id of this process: `pid` of SET_ACTIVITY and of the commands of invites. */
SALLYPORT_API uint32_t sallyport_process_id(void);

/**
 * Makes one call. `args` is a JSON object, or null for none. `on_result` may be null. Not for SUBSCRIBE and UNSUBSCRIBE,
 * which have their own functions. The client remembers the last presence (SET_ACTIVITY), sign-in and timeout.
 */
SALLYPORT_API int sallyport_call(sallyport_client *client, const char *command, const char *args,
                                 sallyport_result_fn on_result, void *user);
/** The same with its own timeout; 0: the default. */
SALLYPORT_API int sallyport_call_within(sallyport_client *client, const char *command, const char *args, int64_t timeout_ms,
                                        sallyport_result_fn on_result, void *user);

/** Room for the key of a call with its zero. */
#define SALLYPORT_KEY_SIZE 33

/** Makes the key of one call: 32 hexadecimal digits of the random source of the system. SALLYPORT_E_SYSTEM without one. */
SALLYPORT_API int sallyport_key_create(char key[SALLYPORT_KEY_SIZE]);
/**
 * A call with the key that the game stored, so that a game that was killed can repeat its write: the bridge then returns the first
 * result, for the same program, application, user, command and arguments. Repeat it within five minutes of the first call: the
 * bridge keeps it for ten, and after a broken connection the client repeats it for five more. `key` null: as
 * `sallyport_call_within`, whose calls get a key by themselves. SALLYPORT_E_ARGUMENT for a key of another form and for a command
 * that takes none, SALLYPORT_E_STATE for a server that honours no keys: nothing was sent. After SALLYPORT_ERROR_UNKNOWN_OUTCOME
 * read the state of what the call changes, instead of repeating it.
 */
SALLYPORT_API int sallyport_call_keyed(sallyport_client *client, const char *command, const char *args, const char *key,
                                       int64_t timeout_ms, sallyport_result_fn on_result, void *user);

/**
 * Sets the presence of this process; `activity` is a JSON object, null clears it. Without a connection it returns
 * SALLYPORT_DEFERRED: the client keeps the presence, and `on_result` runs once, when it was shown at the next connection, or was
 * refused. A newer presence that is set before ends it with SALLYPORT_E_REPLACED, closing the client with SALLYPORT_E_CLOSED.
 */
SALLYPORT_API int sallyport_set_activity(sallyport_client *client, const char *activity, sallyport_result_fn on_result,
                                         void *user);
SALLYPORT_API int sallyport_clear_activity(sallyport_client *client, sallyport_result_fn on_result, void *user);

/** Sends a PING; the PONG ends it. `data` is missing. */
SALLYPORT_API int sallyport_ping(sallyport_client *client, sallyport_result_fn on_result, void *user);

typedef enum sallyport_subscription_status {
  SALLYPORT_SUBSCRIPTION_CLOSED = 0, /* unknown or removed */
  SALLYPORT_SUBSCRIPTION_WAITING,    /* not confirmed on this connection */
  SALLYPORT_SUBSCRIPTION_ACTIVE,
  SALLYPORT_SUBSCRIPTION_REFUSED /* retried after a sign-in or reconnect; after a transient error also periodically */
} sallyport_subscription_status;

/**
 * Calls `on_event` for an event, across reconnects. `args` is a JSON object or null. Possible before connect. Returns a
 * positive id, or a negative code. AUTHORIZE_REQUEST is restored first after a reconnect.
 */
SALLYPORT_API int sallyport_subscribe(sallyport_client *client, const char *event, const char *args,
                                      sallyport_event_fn on_event, void *user);
/** Removes a subscription; an unknown id gives SALLYPORT_E_ARGUMENT. Its callback is not called any more. */
SALLYPORT_API int sallyport_unsubscribe(sallyport_client *client, int subscription);
/** `*code` (may be null) is the code of the last refusal, or 0. */
SALLYPORT_API sallyport_subscription_status sallyport_get_subscription(const sallyport_client *client, int subscription,
                                                                       int *code);

typedef enum sallyport_report_kind {
  SALLYPORT_REPORT_NONE = 0,
  SALLYPORT_REPORT_STATE,
  SALLYPORT_REPORT_ACCOUNT,
  SALLYPORT_REPORT_RESULT,
  SALLYPORT_REPORT_EVENT
} sallyport_report_kind;

/** What a callback would get. Pointers are valid until the next function with this client. */
typedef struct sallyport_report {
  /** `sizeof(sallyport_report)`; set it before `sallyport_next_report`, which writes no more. */
  size_t size;
  sallyport_report_kind kind;
  /** Of a result or an event: the user pointer of the call or subscription. */
  void *user;
  /** Of a state; otherwise null. */
  const sallyport_state *state;
  /** Of an account. */
  sallyport_account account;
  /** Of a result that failed; otherwise null. */
  const sallyport_error *error;
  /** Of a result or an event; missing if there is none. */
  sallyport_json data;
} sallyport_report;

/**
 * For languages whose functions C must not call: create a client with `queue_reports`, and give these two as callbacks. A report
 * then waits until the game takes it. While one waits, `sallyport_poll` does nothing; otherwise it processes one frame.
 */
SALLYPORT_API void sallyport_queue_result(sallyport_client *client, const sallyport_error *error, sallyport_json data, void *user);
SALLYPORT_API void sallyport_queue_event(sallyport_client *client, const char *event, sallyport_json data, void *user);
/** Takes the oldest report. Returns 1, or 0 if none waits or `size` is not set. */
SALLYPORT_API int sallyport_next_report(sallyport_client *client, sallyport_report *report);

/** Room for a verifier or challenge with its zero. */
#define SALLYPORT_PKCE_SIZE 129

/** Proof key of one authorization (RFC 7636). Send `challenge` with AUTHORIZE (S256), `verifier` with GET_TOKEN. */
typedef struct sallyport_pkce {
  char verifier[SALLYPORT_PKCE_SIZE];
  char challenge[SALLYPORT_PKCE_SIZE];
} sallyport_pkce;

SALLYPORT_API int sallyport_pkce_create(sallyport_pkce *pkce);
/** The challenge of a verifier of 43 to 128 characters. */
SALLYPORT_API int sallyport_pkce_challenge(const char *verifier, char challenge[SALLYPORT_PKCE_SIZE]);

/**
 * Signs in silently; asks the player only for INVALID_TOKEN, which means that nothing valid is stored. A rate limit, an
 * unreachable platform and a refusal end it without a question. `scopes` are separated by spaces, e.g.
 * SALLYPORT_DEFAULT_PRESENCE_SCOPES. `data` is the response to AUTHENTICATE. One sign-in at a time: SALLYPORT_E_STATE while
 * another one runs.
 */
SALLYPORT_API int sallyport_sign_in(sallyport_client *client, const char *scopes, sallyport_result_fn on_result, void *user);
/** Signs in with the stored grant of this program. INVALID_TOKEN if there is none. */
SALLYPORT_API int sallyport_sign_in_silently(sallyport_client *client, sallyport_result_fn on_result, void *user);
/** Asks the player, also if a grant is stored: AUTHORIZE with a proof key, GET_TOKEN, AUTHENTICATE. One at a time, as above. */
SALLYPORT_API int sallyport_ask_to_sign_in(sallyport_client *client, const char *scopes, sallyport_result_fn on_result,
                                           void *user);
/** Signs out: the bridge forgets the tokens of this program, so that the next sign-in asks the player. `data` is missing. */
SALLYPORT_API int sallyport_sign_out(sallyport_client *client, sallyport_result_fn on_result, void *user);

#ifdef __cplusplus
}
#endif
#endif
