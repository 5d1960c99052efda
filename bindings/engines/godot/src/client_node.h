/** The instance behind a SallyportClient node. */
#ifndef SALLY_CLIENT_NODE_H
#define SALLY_CLIENT_NODE_H

#include <sallyport/sallyport.h>

#include "classes.h"

/** A subscription of the game; it outlives connections, and the C client of one `open`. */
typedef struct sally_wanted {
  int id;
  char *event;
  char *args;
  int native;    /* id at the C client; not positive: none */
  int is_listed; /* from the property `events`, which the next `open` reads again */
  int refused;   /* the code of the refusal that was emitted; 0: none */
  struct sally_wanted *next;
} sally_wanted;

typedef struct sally_client_node {
  /** Null once the engine frees the node: no signal is emitted any more. */
  GDExtensionObjectPtr object;
  /** Null before `open` and after `close`. */
  sallyport_client *native;
  /** Functions on the stack that may emit; the instance outlives them. */
  int depth;
  int is_freed;
  /** While it leaves the tree or is freed: scripts run later, when the tree is whole again. */
  int is_leaving;
  /** Whether this event was emitted: several subscriptions may bring it. */
  int is_emitted;
  /** What `account_changed` reported last. */
  int shown_account;
  /** Whether `not_available` was emitted since the last connection. */
  int is_reported;
  int has_warned;
  /** Which setting the C client refuses; null: none, or there was no memory. */
  const char *problem;
  /** Another thread may own a node only before it enters the tree. */
  int is_in_tree;
  /** Closed, and not opened again. */
  int is_closed;
  char *application_id;
  char *runtime_dir;
  char *sdk_version;
  int opens_by_itself;
  int requires_bridge;
  int allows_packaged_client;
  int max_pending_calls;
  int max_subscriptions;
  sally_builtin events; /* a PackedStringArray */
  sally_wanted *wanted;
  int last_id;
} sally_client_node;

/* client_life.c */
/** Makes the C client and its subscriptions if there is none. Returns SALLYPORT_OK or a code, and then says which setting is wrong. */
int sally_node_prepare(sally_client_node *self);
/** The sentence after a prepare that failed. */
const char *sally_node_problem(const sally_client_node *self);
int sally_node_open(sally_client_node *self, int64_t timeout_ms);
int sally_node_poll(sally_client_node *self);
void sally_node_close(sally_client_node *self);
/** The same for a node that leaves: it emits nothing, and its calls end at the end of the frame. */
void sally_node_leave_tree(sally_client_node *self);
/** Enters and leaves a function that may emit; leaving the last one frees the instance of a freed node. */
void sally_node_enter(sally_client_node *self);
void sally_node_leave(sally_client_node *self);
void sally_node_subscribe(sally_client_node *self, sally_wanted *wanted);
/** Adds a subscription of the game or of the property `events`. Takes the texts. Returns null if it is refused at once. */
sally_wanted *sally_wanted_add(sally_client_node *self, char *event, char *args, int is_listed, int *code);
void sally_wanted_free(sally_wanted *wanted);
void *sally_node_create(GDExtensionObjectPtr object);
void sally_node_destroy(void *self);
void sally_node_notify(void *self, int32_t what);

/* client_methods.c */
/** Says so if a method is used outside the main thread. The result of a method that is not allowed must be set before: its room may hold anything. */
int sally_node_is_allowed(const char *method);

/* client_calls.c: methods of the class, which return a SallyportCall. */
void sally_client_request(void *instance, const void *const *args, void *result);
void sally_client_set_activity(void *instance, const void *const *args, void *result);
void sally_client_clear_activity(void *instance, const void *const *args, void *result);
void sally_client_sign_in(void *instance, const void *const *args, void *result);
void sally_client_ask_to_sign_in(void *instance, const void *const *args, void *result);
void sally_client_sign_out(void *instance, const void *const *args, void *result);
void sally_client_sign_in_silently(void *instance, const void *const *args, void *result);
void sally_client_ping(void *instance, const void *const *args, void *result);

/* client_signals.c */
extern const sally_signal_row SALLY_CLIENT_SIGNALS[];
/** Sets the functions that the C client calls back. */
void sally_node_listen(sally_client_node *self, sallyport_options *options);
/** Emits `account_changed` if the account is another one than at the last call. */
void sally_node_show_account(sally_client_node *self, int account);
/** Emits `subscription_refused` for what the server refused since the last call. */
void sally_node_report_refusals(sally_client_node *self);
/** The function of every subscription. */
void sally_node_on_event(sallyport_client *client, const char *event, sallyport_json data, void *user);

#endif
