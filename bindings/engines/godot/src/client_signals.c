/** Signals of a SallyportClient: what the C client calls back becomes a signal. */
#include <stdio.h>
#include <string.h>

#include "client_node.h"
#include "events.h"
#include "objects.h"
#include "values.h"

#define STATE_ARGUMENT {"state", SALLY_INT, "SallyportClient.State", 0, NULL}
#define ERROR_ARGUMENT {"error", SALLY_OBJECT, "SallyportError", 0, NULL}
#define DATA_ARGUMENT {"data", SALLY_DICTIONARY, NULL, 0, NULL}

#define EVENT_SIGNAL(event, signal) {signal, {DATA_ARGUMENT, {0}}},
const sally_signal_row SALLY_CLIENT_SIGNALS[] = {
    {"state_changed", {STATE_ARGUMENT, ERROR_ARGUMENT, {0}}},
    {"session_ready", {{0}}},
    {"not_available", {ERROR_ARGUMENT, {0}}},
    {"disconnected", {ERROR_ARGUMENT, {0}}},
    {"subscription_refused", {{"subscription", SALLY_INT, NULL, 0, NULL}, ERROR_ARGUMENT, {0}}},
    {"account_changed", {{"account", SALLY_INT, "SallyportClient.Account", 0, NULL}, {0}}},
    {"event_received", {{"event", SALLY_STRING, NULL, 0, NULL}, DATA_ARGUMENT, {0}}},
    SALLY_EVENTS(EVENT_SIGNAL)
    {NULL, {{0}}},
};

/** The signal of an event of the protocol; null for one that a newer server has. */
static const char *signal_of(const char *event) {
#define EVENT_NAMES(event, signal) {event, signal},
  static const struct {
    const char *event;
    const char *signal;
  } names[] = {SALLY_EVENTS(EVENT_NAMES)};
  size_t i;
  for (i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i].event, event) == 0) return names[i].signal;
  return NULL;
}

/** The engine may have freed the node, also in an earlier signal of the same poll. */
static void emit(sally_client_node *self, const char *signal, const sally_variant *const *args, int count) {
  if (self->object != NULL && !self->is_leaving) sally_emit(self->object, signal, args, count);
}

static void on_state(sallyport_client *client, const sallyport_state *state, void *user) {
  sally_client_node *self = (sally_client_node *)user;
  sally_variant name;
  sally_variant error;
  const sally_variant *args[2];
  const sally_variant *reason[1];
  (void)client;
  if (self->object == NULL) return;
  sally_variant_int(&name, (int64_t)state->name);
  if (state->error == NULL) gd.variant_new_nil(&error);
  else sally_error_make(state->error, &error);
  args[0] = &name;
  args[1] = &error;
  reason[0] = &error;
  emit(self, "state_changed", args, 2);
  if (state->name == SALLYPORT_READY) {
    self->is_reported = 0;
    emit(self, "session_ready", NULL, 0);
  } else if (state->name == SALLYPORT_WAITING && state->was_lost) {
    emit(self, "disconnected", reason, 1);
  } else if ((state->name == SALLYPORT_WAITING || state->name == SALLYPORT_OFFLINE) && state->error != NULL && !self->is_reported) {
    /* Once, not with every attempt. */
    self->is_reported = 1;
    emit(self, "not_available", reason, 1);
  }
  sally_variant_free(&name);
  sally_variant_free(&error);
}

void sally_node_show_account(sally_client_node *self, int account) {
  sally_variant value;
  const sally_variant *args[1];
  if (account == self->shown_account) return;
  self->shown_account = account;
  sally_variant_int(&value, (int64_t)account);
  args[0] = &value;
  emit(self, "account_changed", args, 1);
  sally_variant_free(&value);
}

static void on_account(sallyport_client *client, sallyport_account account, void *user) {
  (void)client;
  sally_node_show_account((sally_client_node *)user, (int)account);
}

/** A subscription whose refusal was not emitted yet; null if there is none. */
static sally_wanted *next_refused(const sally_client_node *self) {
  sally_wanted *wanted;
  for (wanted = self->wanted; wanted != NULL; wanted = wanted->next) {
    int code = 0;
    sallyport_subscription_status status = sallyport_get_subscription(self->native, wanted->native, &code);
    if (status == SALLYPORT_SUBSCRIPTION_ACTIVE) wanted->refused = 0;
    if (status != SALLYPORT_SUBSCRIPTION_REFUSED || wanted->refused == code) continue;
    wanted->refused = code;
    return wanted;
  }
  return NULL;
}

void sally_node_report_refusals(sally_client_node *self) {
  const sally_wanted *wanted;
  /* A script may add and end subscriptions meanwhile, so each search begins anew. */
  while (self->native != NULL && (wanted = next_refused(self)) != NULL) {
    sallyport_error error = {sizeof(sallyport_error), wanted->refused, sallyport_error_name(wanted->refused), NULL, 0, 0, 0};
    char message[160];
    sally_variant id;
    sally_variant reason;
    const sally_variant *args[2];
    (void)snprintf(message, sizeof message, "The server refused the subscription to %.64s: %s.", wanted->event, error.name);
    error.message = message;
    sally_variant_int(&id, wanted->id);
    sally_error_make(&error, &reason);
    args[0] = &id;
    args[1] = &reason;
    emit(self, "subscription_refused", args, 2);
    sally_variant_free(&reason);
    sally_variant_free(&id);
  }
}

/** Every event, before its subscriptions. */
static void on_any_event(sallyport_client *client, const char *event, sallyport_json data, void *user) {
  (void)client;
  (void)event;
  (void)data;
  ((sally_client_node *)user)->is_emitted = 0;
}

void sally_node_on_event(sallyport_client *client, const char *event, sallyport_json data, void *user) {
  sally_client_node *self = (sally_client_node *)user;
  sallyport_json members = {"{}", 2};
  const char *signal = signal_of(event);
  sally_variant name;
  sally_variant value;
  const sally_variant *args[2];
  (void)client;
  if (self->is_emitted || self->object == NULL) return;
  self->is_emitted = 1;
  if (sallyport_json_type_of(data) == SALLYPORT_JSON_OBJECT) members = data;
  if (!sally_value_of_json(members, &value)) {
    sally_print_warning("SallyportClient", "an event was dropped: it has too many values");
    return;
  }
  sally_variant_text(&name, event, strlen(event));
  args[0] = &name;
  args[1] = &value;
  emit(self, "event_received", args, 2);
  if (signal != NULL) emit(self, signal, args + 1, 1);
  sally_variant_free(&name);
  sally_variant_free(&value);
}

void sally_node_listen(sally_client_node *self, sallyport_options *options) {
  options->on_state = on_state;
  options->on_account = on_account;
  options->on_event = on_any_event;
  options->user = self;
}
