/** The client inside: what its parts share. Each function names the file that has it. */
#ifndef SALLY_CLIENT_H
#define SALLY_CLIENT_H

#include "connection.h"
#include "crypto.h"

/** Connections tried at the same time: three that shake hands, and one other server in reserve. */
#define SALLY_ATTEMPTS 4
#define SALLY_NEVER INT64_MAX
#define SALLY_LOST "the connection was lost before the response"
#define SALLY_NAME_SIZE 64
#define SALLY_EVENT_SIZE (SALLYPORT_LIMIT_EVENT_NAME_CHARACTERS + 1)

typedef enum sally_attempt_stage { SALLY_UNUSED = 0, SALLY_HANDSHAKE, SALLY_RESERVE } sally_attempt_stage;

typedef struct sally_attempt {
  sally_connection connection;
  sally_attempt_stage stage;
  int has_contract;
  int has_call_keys;
  int may_be_contained;
  int candidate;
  int64_t deadline_ms;
} sally_attempt;

typedef struct sally_search {
  sally_attempt attempts[SALLY_ATTEMPTS];
  sally_candidate candidates[SALLY_MAX_CANDIDATES];
  /** Time of the last handshake with a server there that is no bridge; 0: none. */
  int64_t others_at_ms[SALLY_MAX_CANDIDATES];
  int count;
  int next;
  int64_t next_at_ms;
  int accepts_others;
  int saw_other;
  sally_reason reason;
} sally_search;

struct sally_call;
typedef struct sallyport_client sally_client;

/** Ends a call inside the library, before the callback of the game. */
typedef void (*sally_settle_fn)(sally_client *client, const struct sally_call *call, const sallyport_error *error,
                                sallyport_json data);

typedef struct sally_call {
  uint64_t nonce; /* 0: free */
  int64_t deadline_ms;
  sally_settle_fn settle;
  sallyport_result_fn on_result;
  void *user;
  int64_t tag; /* of `settle` */
  int is_own;  /* of the library, not counted for the game */
  int is_ping; /* answered by a PONG, not by a response */
  int is_deferred; /* a presence that no server has yet; `tag` is that of the presence */
  int changes_account; /* signs in or out */
  int takes_key; /* a repeat without its key could have another effect */
  const char *key; /* of `sally_send`; null: none */
} sally_call;

/** What is kept of the call in the same place of the table until it ends, if it has a key. */
typedef struct sally_kept {
  /** The frame up to its nonce; empty: no key. Its memory stays for the next call. */
  sally_buffer text;
  /** Who made it: sent again for the same user only. */
  uint64_t user_id;
  int64_t until_ms;
  /** The connection broke; the next one repeats it. */
  int is_waiting;
} sally_kept;

typedef enum sally_entry_status { SALLY_UNSENT = 0, SALLY_SENT, SALLY_ACTIVE, SALLY_REFUSED } sally_entry_status;

typedef struct sally_entry {
  int id; /* 0: free */
  int serial;
  char event[SALLY_EVENT_SIZE];
  sally_buffer args; /* empty: none */
  sally_entry_status status;
  int is_automatic;
  int was_active;
  int code;
  int is_retryable;
  sallyport_event_fn on_event;
  void *user;
} sally_entry;

typedef enum sally_credential { SALLY_NO_CREDENTIAL = 0, SALLY_GRANT, SALLY_TOKEN } sally_credential;

/** What every connection should have, besides subscriptions. */
typedef struct sally_desired {
  sally_credential credential;
  uint64_t user_id;
  sally_buffer token;
  /** The token of the last AUTHENTICATE that has no response yet, and the tag of that call. */
  sally_buffer candidate;
  int64_t candidate_tag;
  /** Arguments of the last SET_ACTIVITY, and of the one before; empty: cleared. */
  sally_buffer presence;
  sally_buffer previous;
  int64_t presence_tag;
  int is_presence_unsent;
  /** Set without a connection, and no server has judged it yet. */
  int is_presence_kept;
  int64_t call_timeout_ms;
} sally_desired;

typedef enum sally_restore_step { SALLY_IDLE = 0, SALLY_SIGN_IN, SALLY_FIRST, SALLY_REST } sally_restore_step;

typedef struct sally_sign_in {
  int is_active;
  sallyport_pkce pkce;
  /** Arguments of AUTHORIZE. */
  sally_buffer authorize;
  sallyport_result_fn on_result;
  void *user;
} sally_sign_in;

/** A report whose texts are in the buffer of the queue. */
typedef struct sally_queued {
  sallyport_report_kind kind;
  void *user;
  sallyport_state state;
  sallyport_account account;
  /** Code 0 if there is none. */
  sallyport_error error;
  size_t data_length;
  size_t data_at;
  size_t message_at;
} sally_queued;

typedef struct sally_queue {
  sally_queued *items; /* null: reports are callbacks */
  int capacity;
  int first;
  int count;
  sally_buffer text;
  /** Where the data of the last event is, which several subscriptions share. */
  const char *shared;
  size_t shared_at;
} sally_queue;

struct sallyport_client {
  sally_memory memory;
  sallyport_options options;
  char application_id[24];
  char runtime_dir[SALLY_PATH_SIZE];
  char prefix[SALLY_NAME_SIZE];
  char sdk_version[SALLY_NAME_SIZE];
  /** Functions of the library on the stack that may run callbacks. */
  int depth;
  int is_destroyed;
  uint64_t random;

  sallyport_state state;
  sallyport_error state_error;
  char state_message[SALLY_MESSAGE_SIZE];
  sallyport_error last_error;
  char last_message[SALLY_MESSAGE_SIZE];
  sallyport_account account;
  sallyport_account shown_account;
  uint64_t user_id;

  int is_finding;
  int attempt;
  int64_t since_ms;
  int64_t give_up_at_ms;
  int64_t ready_at_ms;
  int64_t retry_at_ms;
  int was_bridge;
  sally_search search;

  sally_connection connection;
  int is_connected;
  /** A call that signs in or out has ended without a response: the server may still do it, until the connection ends. */
  int is_user_uncertain;
  int is_bridge;
  int has_contract;
  int has_call_keys;
  char server_path[SALLY_PATH_SIZE];

  sally_call *calls;
  sally_kept *kept;
  int waiting_calls;
  int call_count;
  int game_calls;
  uint64_t generation;
  int64_t next_deadline_ms;

  sally_entry *entries;
  int serial;
  int resubscribe_attempt;
  int64_t resubscribe_at_ms;

  sally_desired desired;
  /** The arguments of SET_ACTIVITY while they are put together. */
  sally_buffer scratch;
  int64_t tag;
  sally_restore_step restore_step;
  int64_t restore_until_ms;
  int sign_in_attempt;
  int64_t sign_in_at_ms;
  int is_presence_restoring;
  sally_sign_in sign_in;
  sally_queue queue;
};

/* errors.c */
int sally_fail(sally_client *client, int code, const char *sentence);
sallyport_error sally_error_of(int code, const char *message);
/** Reads the data of an ERROR response; the sentence goes to `message`. */
sallyport_error sally_error_of_data(sallyport_json data, char message[SALLY_MESSAGE_SIZE]);

/* client.c */
int64_t sally_now(const sally_client *client);
double sally_random(sally_client *client);
/** Sets the state, its reason (may be null) and nothing else; `sally_notify_state` calls back. */
void sally_set_state(sally_client *client, sallyport_state_name name, const sally_reason *reason);
void sally_notify_state(sally_client *client);
/** Sets the account; `sally_notify_account` calls back if it changed since the last time. */
void sally_set_account(sally_client *client, sallyport_account account);
void sally_notify_account(sally_client *client);
/** Enters and leaves a function that may run callbacks; leaving the outermost one frees a destroyed client. */
void sally_enter(sally_client *client);
void sally_leave(sally_client *client);

/* queue.c */
/** Makes the queue and takes the callbacks of the options, if they ask for it. Returns 0 without memory. */
int sally_queue_open(sally_client *client);
void sally_queue_free(sally_client *client);
/** Forgets the texts of the reports that the game took. Returns 0 if a report waits. */
int sally_queue_restart(sally_client *client);
/** The data of the last event moves or ends. */
void sally_queue_end_frame(sally_client *client);

/* machine.c */
/** Milliseconds before an attempt; doubles up to the cap, the upper half is random. */
int64_t sally_backoff(int attempt, int64_t first_ms, int64_t cap_ms, double random);
void sally_start_finding(sally_client *client);
/** The search or the connection failed. */
void sally_connection_failed(sally_client *client, const sally_reason *reason);
/** Processes frames, timers and the search once. Returns the number of frames. */
int sally_step(sally_client *client);
/** Milliseconds until something must happen, at most `limit_ms`. */
int sally_until_next(const sally_client *client, int limit_ms);

/* search.c */
void sally_search_start(sally_client *client);
/** Returns 1 when `client->connection` has a READY to read, 0 while it searches, -1 with `search.reason` at the end. */
int sally_search_step(sally_client *client);
void sally_search_end(sally_client *client);

/* messages.c */
void sally_receive_frame(sally_client *client, const sally_frame *frame, sally_reason *reason);
void sally_deliver_event(sally_client *client, const char *event, sallyport_json data);

/* calls.c */
int64_t sally_default_timeout(const sally_client *client);
/** Sends a call on the current connection. `args` is checked JSON or missing. */
int sally_send(sally_client *client, const char *command, sallyport_json args, const char *event, int64_t timeout_ms,
               const sally_call *call);
/** Never reused, so that a response to a call of an earlier connection matches no later one. `place` is that in the table. */
uint64_t sally_next_nonce(sally_client *client, int place);
/** Whether the call with this nonce waits for a PONG. */
int sally_is_ping(const sally_client *client, uint64_t nonce);
void sally_settle(sally_client *client, uint64_t nonce, const sallyport_error *error, sallyport_json data);
/** Ends the call in this place with an error of this library. One that may have taken effect is not retryable. */
void sally_end_call(sally_client *client, int place, int code, const char *sentence);
void sally_expire_calls(sally_client *client, int64_t now_ms);
/**
 * Ends the calls that wait for a response. After a loss those with a key wait for the next connection, and a deferred presence
 * too.
 */
void sally_reject_calls(sally_client *client, int code, const char *sentence);
/** Keeps the callback of a presence that is sent later, and ends that of the one before. Returns 0 without room. */
int sally_defer_call(sally_client *client, const sally_call *call);
/** Ends the deferred presence with this tag, if there is one. */
void sally_settle_deferred(sally_client *client, int64_t tag, const sallyport_error *error, sallyport_json data);

/* keys.c */
int sally_takes_key(const char *command);
/** Refuses a key of the game (may be null) that has another form, or whose command takes none. */
int sally_judge_key(sally_client *client, const char *command, const char *key);
/** The key of a call on this connection: the one that is `given`, a new one if the call takes one, or "" for none. */
int sally_key_of_call(sally_client *client, int takes_key, const char *given, char key[SALLYPORT_KEY_SIZE]);
/** Keeps the frame of a call with a key, up to its nonce. Returns 0 without memory. */
int sally_keep_call(sally_client *client, int place, const char *frame, size_t length);
/** The call in this place has ended. */
void sally_forget_kept(sally_client *client, int place);
/** After a loss: whether the call in this place waits for the next connection. */
int sally_wait_with_key(sally_client *client, int place);
/** Sends the waiting calls of the user again, as many as the server reads, in the order in which they were made. */
void sally_repeat_calls(sally_client *client);
/** Ends the waiting calls that are never sent again. */
void sally_end_unrepeated(sally_client *client);
void sally_kept_free(sally_client *client);

/* sign_in.c */
void sally_sign_in_free(sally_client *client);

/* session.c */
/** The part of a call of the game that changes the desired state. */
int sally_call_of_game(sally_client *client, const char *command, sallyport_json args, const char *key, int64_t timeout_ms,
                       sallyport_result_fn on_result, void *user);
void sally_signed_in(sally_client *client);
void sally_signed_out(sally_client *client, sallyport_account account);
void sally_desired_free(sally_client *client);
/** Reads `user.id` of a response into the client. */
void sally_note_user(sally_client *client, sallyport_json data);

/* subscriptions.c */
void sally_subscribe_unsent(sally_client *client, int is_first_only);
int sally_has_sent_entries(const sally_client *client, int is_first_only);
void sally_count_entries(const sally_client *client, int *active, int *refused);
void sally_reset_entries(sally_client *client);
void sally_requeue_refused(sally_client *client, int only_transient);
void sally_schedule_resubscribe(sally_client *client);
void sally_deliver_to_entries(sally_client *client, const char *event, sallyport_json data);
void sally_close_entries(sally_client *client);

/* restore.c */
void sally_restore_start(sally_client *client);
void sally_restore_step_on(sally_client *client, int64_t now_ms);
void sally_schedule_sign_in(sally_client *client);
void sally_retry_sign_in(sally_client *client);

#endif
