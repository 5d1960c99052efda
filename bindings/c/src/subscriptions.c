/** The subscriptions of the game: kept across connections, sent again after each reconnect. */
#include <string.h>

#include "client.h"

#define SALLY_RESUBSCRIBE_FIRST_MS 1000
#define SALLY_RESUBSCRIBE_CAP_MS 60000

static int sally_entry_count(const sally_client *client) { return client->options.max_subscriptions; }

static sally_entry *sally_entry_of(const sally_client *client, int id) {
  int i;
  if (id <= 0) return NULL;
  for (i = 0; i < sally_entry_count(client); i++)
    if (client->entries[i].id == id) return &client->entries[i];
  return NULL;
}

static sallyport_json sally_entry_args(const sally_entry *entry) {
  sallyport_json args;
  args.text = entry->args.data;
  args.length = entry->args.length;
  return args;
}

static int sally_is_first(const sally_entry *entry) { return strcmp(entry->event, SALLYPORT_EVENT_AUTHORIZE_REQUEST) == 0; }

#define SALLY_IS_EVENT(name) || strcmp(event, #name) == 0
static int sally_is_automatic(const char *event) { return 0 SALLYPORT_AUTOMATIC_EVENTS(SALLY_IS_EVENT); }

/** Whether a retry without a sign-in may succeed: retryable, or confirmed before and not a matter of scopes. */
static int sally_is_transient(const sally_entry *entry) {
  if (entry->code <= 0 || entry->is_retryable) return 1;
  return entry->was_active && entry->code != SALLYPORT_ERROR_INVALID_PERMISSIONS && entry->code != SALLYPORT_ERROR_INVALID_TOKEN;
}

static void sally_settle_subscribe(sally_client *client, const sally_call *call, const sallyport_error *error,
                                   sallyport_json data) {
  sally_entry *entry = sally_entry_of(client, (int)call->tag);
  (void)data;
  if (entry == NULL || entry->status != SALLY_SENT) return;
  entry->code = error == NULL ? 0 : error->code;
  entry->is_retryable = error != NULL && error->is_retryable;
  entry->status = error == NULL ? SALLY_ACTIVE : SALLY_REFUSED;
  if (error == NULL) entry->was_active = 1;
  else sally_schedule_resubscribe(client);
}

static int sally_send_subscribe(sally_client *client, sally_entry *entry, const char *command) {
  sally_call call;
  memset(&call, 0, sizeof call);
  call.is_own = 1;
  if (strcmp(command, SALLYPORT_COMMAND_SUBSCRIBE) == 0) {
    call.settle = sally_settle_subscribe;
    call.tag = entry->id;
  }
  return sally_send(client, command, sally_entry_args(entry), entry->event, 0, &call);
}

void sally_subscribe_unsent(sally_client *client, int is_first_only) {
  int pass;
  int i;
  for (pass = 0; pass < (is_first_only ? 1 : 2); pass++) {
    for (i = 0; i < sally_entry_count(client); i++) {
      sally_entry *entry = &client->entries[i];
      if (entry->id == 0 || entry->status != SALLY_UNSENT || sally_is_first(entry) == pass) continue;
      if (sally_send_subscribe(client, entry, SALLYPORT_COMMAND_SUBSCRIBE) == SALLYPORT_OK) entry->status = SALLY_SENT;
      else sally_schedule_resubscribe(client);
    }
  }
}

int sally_has_sent_entries(const sally_client *client, int is_first_only) {
  int i;
  for (i = 0; i < sally_entry_count(client); i++) {
    const sally_entry *entry = &client->entries[i];
    if (entry->id != 0 && entry->status == SALLY_SENT && (!is_first_only || sally_is_first(entry))) return 1;
  }
  return 0;
}

void sally_count_entries(const sally_client *client, int *active, int *refused) {
  int i;
  *active = 0;
  *refused = 0;
  for (i = 0; i < sally_entry_count(client); i++) {
    const sally_entry *entry = &client->entries[i];
    if (entry->id == 0 || entry->is_automatic) continue;
    if (entry->status == SALLY_ACTIVE) ++*active;
    if (entry->status == SALLY_REFUSED) ++*refused;
  }
}

void sally_reset_entries(sally_client *client) {
  int i;
  client->resubscribe_attempt = 0;
  for (i = 0; i < sally_entry_count(client); i++)
    if (client->entries[i].id != 0 && !client->entries[i].is_automatic) client->entries[i].status = SALLY_UNSENT;
}

void sally_requeue_refused(sally_client *client, int only_transient) {
  int i;
  for (i = 0; i < sally_entry_count(client); i++) {
    sally_entry *entry = &client->entries[i];
    if (entry->id != 0 && entry->status == SALLY_REFUSED && (!only_transient || sally_is_transient(entry)))
      entry->status = SALLY_UNSENT;
  }
}

void sally_schedule_resubscribe(sally_client *client) {
  int is_needed = 0;
  int i;
  for (i = 0; i < sally_entry_count(client) && !is_needed; i++) {
    const sally_entry *entry = &client->entries[i];
    is_needed = entry->id != 0 &&
                (entry->status == SALLY_UNSENT || (entry->status == SALLY_REFUSED && sally_is_transient(entry)));
  }
  /* A new subscription does not postpone the retry. */
  if (!is_needed || client->resubscribe_at_ms != SALLY_NEVER) return;
  client->resubscribe_at_ms = sally_now(client) + sally_backoff(client->resubscribe_attempt, SALLY_RESUBSCRIBE_FIRST_MS,
                                                                SALLY_RESUBSCRIBE_CAP_MS, sally_random(client));
}

/** Whether `x_id` of the arguments equals `x_id` or `x.id` of the data, if the data has one of them. */
static int sally_matches(sallyport_json args, sallyport_json data) {
  sallyport_json_iterator iterator = sallyport_json_iterate(args);
  sallyport_json key;
  sallyport_json expected;
  while (sallyport_json_next(&iterator, &key, &expected)) {
    char name[64];
    size_t length = 0;
    sallyport_json actual;
    if (sallyport_json_type_of(expected) == SALLYPORT_JSON_NULL || !sallyport_json_string(key, name, sizeof name, &length)) continue;
    actual = sallyport_json_get(data, name);
    if ((sallyport_json_type_of(actual) == SALLYPORT_JSON_MISSING || sallyport_json_type_of(actual) == SALLYPORT_JSON_NULL) &&
        length > 3 && strcmp(name + length - 3, "_id") == 0) {
      name[length - 3] = 0;
      actual = sallyport_json_get(sallyport_json_get(data, name), "id");
    }
    if (sallyport_json_type_of(actual) == SALLYPORT_JSON_MISSING || sallyport_json_type_of(actual) == SALLYPORT_JSON_NULL) continue;
    if (actual.length != expected.length || memcmp(actual.text, expected.text, actual.length) != 0) return 0;
  }
  return 1;
}

void sally_deliver_to_entries(sally_client *client, const char *event, sallyport_json data) {
  int last = client->serial;
  int i;
  for (i = 0; i < sally_entry_count(client); i++) {
    const sally_entry *entry = &client->entries[i];
    /* Not to one that a callback of this event added. */
    if (entry->id == 0 || entry->serial > last || strcmp(entry->event, event) != 0) continue;
    if (entry->on_event != NULL && sally_matches(sally_entry_args(entry), data)) entry->on_event(client, event, data, entry->user);
  }
}

static void sally_remove_entry(sally_client *client, sally_entry *entry) {
  sally_buffer_free(&client->memory, &entry->args);
  memset(entry, 0, sizeof *entry);
}

void sally_close_entries(sally_client *client) {
  int i;
  for (i = 0; i < sally_entry_count(client); i++) sally_remove_entry(client, &client->entries[i]);
}

static int sally_add_entry(sally_client *client, const char *event, sallyport_json args, sallyport_event_fn on_event, void *user) {
  sally_entry *entry = NULL;
  int i;
  for (i = 0; i < sally_entry_count(client) && entry == NULL; i++)
    if (client->entries[i].id == 0) entry = &client->entries[i];
  if (entry == NULL) return sally_fail(client, SALLYPORT_E_LIMIT, "too many subscriptions; see max_subscriptions");
  if (args.length > 0 && !sally_buffer_set(&client->memory, &entry->args, args.text, args.length))
    return sally_fail(client, SALLYPORT_E_MEMORY, "there is no memory for the subscription");
  client->serial = client->serial == INT32_MAX ? 1 : client->serial + 1;
  entry->serial = client->serial;
  entry->id = entry->serial;
  memcpy(entry->event, event, strlen(event) + 1);
  entry->is_automatic = sally_is_automatic(event);
  entry->status = entry->is_automatic ? SALLY_ACTIVE : SALLY_UNSENT;
  entry->on_event = on_event;
  entry->user = user;
  if (client->state.name == SALLYPORT_READY && !entry->is_automatic) sally_subscribe_unsent(client, 0);
  return entry->id;
}

int sallyport_subscribe(sallyport_client *client, const char *event, const char *args, sallyport_event_fn on_event, void *user) {
  sallyport_json value = {NULL, 0};
  size_t length = event == NULL ? 0 : strlen(event);
  if (client == NULL) return SALLYPORT_E_ARGUMENT;
  if (length == 0 || length >= SALLY_EVENT_SIZE || on_event == NULL)
    return sally_fail(client, SALLYPORT_E_ARGUMENT, "the event is missing or too long, or there is no callback");
  if (client->state.name == SALLYPORT_CLOSED) return sally_fail(client, SALLYPORT_E_CLOSED, "the client was closed");
  if (args != NULL && (!sallyport_json_parse(args, strlen(args), &value) || sallyport_json_type_of(value) != SALLYPORT_JSON_OBJECT))
    return sally_fail(client, SALLYPORT_E_JSON, "the arguments are not a JSON object");
  return sally_add_entry(client, event, value, on_event, user);
}

/** Whether every member of `some` that is not null equals that of `all`. */
static int sally_contains(sallyport_json all, sallyport_json some) {
  sallyport_json_iterator iterator = sallyport_json_iterate(some);
  sallyport_json key;
  sallyport_json expected;
  while (sallyport_json_next(&iterator, &key, &expected)) {
    char name[64];
    sallyport_json actual;
    if (sallyport_json_type_of(expected) == SALLYPORT_JSON_NULL) continue;
    if (!sallyport_json_string(key, name, sizeof name, NULL)) return 0;
    actual = sallyport_json_get(all, name);
    if (actual.length != expected.length || memcmp(actual.text, expected.text, actual.length) != 0) return 0;
  }
  return 1;
}

/** Whether another entry needs the same subscription of the server. */
static int sally_is_shared(const sally_client *client, const sally_entry *entry) {
  int i;
  for (i = 0; i < sally_entry_count(client); i++) {
    const sally_entry *other = &client->entries[i];
    if (other == entry || other->id == 0 || strcmp(other->event, entry->event) != 0) continue;
    if (sally_contains(sally_entry_args(other), sally_entry_args(entry)) &&
        sally_contains(sally_entry_args(entry), sally_entry_args(other)))
      return 1;
  }
  return 0;
}

int sallyport_unsubscribe(sallyport_client *client, int subscription) {
  sally_entry *entry = client == NULL ? NULL : sally_entry_of(client, subscription);
  if (client == NULL) return SALLYPORT_E_ARGUMENT;
  if (entry == NULL) return sally_fail(client, SALLYPORT_E_ARGUMENT, "no subscription has this id");
  if (client->is_connected && !entry->is_automatic && !sally_is_shared(client, entry) &&
      (entry->status == SALLY_SENT || entry->status == SALLY_ACTIVE || (entry->status == SALLY_REFUSED && entry->code <= 0))) {
    int code = sally_send_subscribe(client, entry, SALLYPORT_COMMAND_UNSUBSCRIBE);
    if (code != SALLYPORT_OK) return code;
  }
  sally_remove_entry(client, entry);
  return SALLYPORT_OK;
}

sallyport_subscription_status sallyport_get_subscription(const sallyport_client *client, int subscription, int *code) {
  const sally_entry *entry = client == NULL ? NULL : sally_entry_of(client, subscription);
  if (code != NULL) *code = entry == NULL ? 0 : entry->code;
  if (entry == NULL) return SALLYPORT_SUBSCRIPTION_CLOSED;
  if (entry->status == SALLY_ACTIVE) return SALLYPORT_SUBSCRIPTION_ACTIVE;
  return entry->status == SALLY_REFUSED ? SALLYPORT_SUBSCRIPTION_REFUSED : SALLYPORT_SUBSCRIPTION_WAITING;
}
