/** The client: options, life, state and the functions that run callbacks. */
#include <string.h>
#include <stdio.h>
#include <stdlib.h>

#include "client.h"
#include "sized.h"
#include "json_internal.h"

static void *sally_default_allocate(void *user, void *block, size_t old_size, size_t new_size) {
  (void)user;
  (void)old_size;
  if (new_size > 0) return realloc(block, new_size);
  free(block);
  return NULL;
}

void sallyport_options_init(sallyport_options *options, size_t size) {
  sallyport_options own;
  if (options == NULL || size < sizeof own.size) return;
  memset(&own, 0, sizeof own);
  own.size = size;
  own.slot = -1;
  own.reconnect = 1;
  own.early_cap_ms = 500;
  own.cap_ms = 5000;
  own.max_pending_calls = 64;
  own.max_subscriptions = 32;
  own.max_frames_per_poll = 64;
  sally_copy_sized(options, size, &own, sizeof own);
}

/** Whether a text of the options fits and is UTF-8; null does. */
static int sally_is_option(const char *text, size_t size) {
  size_t length = text == NULL ? 0 : strlen(text);
  size_t at = 0;
  if (length >= size) return 0;
  while (at < length) {
    size_t bytes = sally_utf8_length((const unsigned char *)text + at, length - at);
    if (bytes == 0) return 0;
    at += bytes;
  }
  return 1;
}

static int sally_consists_of(const char *text, const char *characters) {
  return *text != 0 && text[strspn(text, characters)] == 0;
}

/** Decimal text of a number from 1 to 2^64-1 as the platform writes it. */
static int sally_is_id(const char *text) {
  static const char most[] = "18446744073709551615";
  size_t length = text == NULL ? 0 : strlen(text);
  if (length == 0 || length >= sizeof most || *text == '0' || !sally_consists_of(text, "0123456789")) return 0;
  return length < sizeof most - 1 || strcmp(text, most) <= 0;
}

/** `options` has every field. */
static const char *sally_check(const sallyport_options *options) {
  static const char name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  if (!sally_is_id(options->application_id))
    return "application_id must be the id of your application: a whole number as text, e.g. \"1180000000000000042\"";
  if (!sally_is_option(options->runtime_dir, SALLY_PATH_SIZE)) return "runtime_dir must be UTF-8 with at most 159 bytes";
  if (options->slot < -1 || options->slot >= SALLYPORT_SLOT_COUNT) return "slot must be -1, or 0 to 9";
  if (options->ipc_prefix != NULL &&
      (!sally_is_option(options->ipc_prefix, SALLY_NAME_SIZE) || !sally_consists_of(options->ipc_prefix, name)))
    return "ipc_prefix must have 1 to 63 letters, digits, dots, dashes and underscores";
  if (!sally_is_option(options->sdk_version, SALLY_NAME_SIZE)) return "sdk_version must be UTF-8 with at most 63 bytes";
  if (options->call_timeout_ms < 0) return "call_timeout_ms must not be negative";
  if (options->early_cap_ms <= 0 || options->cap_ms <= 0) return "early_cap_ms and cap_ms must be positive";
  if (options->max_pending_calls <= 0 || options->max_pending_calls > 4096) return "max_pending_calls must be 1 to 4,096";
  if (options->max_subscriptions <= 0 || options->max_subscriptions > 1024) return "max_subscriptions must be 1 to 1,024";
  return options->max_frames_per_poll > 0 ? NULL : "max_frames_per_poll must be positive";
}

/** The options with the defaults for what an older header does not have. Returns 0 for a null pointer, or without a size. */
static int sally_complete(sallyport_options *own, const sallyport_options *options) {
  if (options == NULL || options->size < sizeof options->size) return 0;
  sallyport_options_init(own, sizeof *own);
  memcpy(own, options, options->size < sizeof *own ? options->size : sizeof *own);
  return 1;
}

const char *sallyport_check_options(const sallyport_options *options) {
  sallyport_options own;
  return sally_complete(&own, options) ? sally_check(&own) : "the options are null or have no size; call sallyport_options_init";
}

static void sally_copy_option(char *to, const char *text, const char *absent) {
  const char *from = text == NULL ? absent : text;
  memcpy(to, from, strlen(from) + 1);
}

static void sally_free_client(sally_client *client) {
  sally_memory memory = client->memory;
  int i;
  for (i = 0; i < SALLY_ATTEMPTS; i++) sally_connection_free(&client->search.attempts[i].connection, &memory);
  sally_connection_free(&client->connection, &memory);
  if (client->entries != NULL) sally_close_entries(client);
  sally_desired_free(client);
  sally_sign_in_free(client);
  sally_release(&memory, client->entries, sizeof(sally_entry) * (size_t)client->options.max_subscriptions);
  sally_kept_free(client);
  sally_release(&memory, client->calls, sizeof(sally_call) * (size_t)client->call_count);
  sally_queue_free(client);
  sally_wipe(client, sizeof *client);
  sally_release(&memory, client, sizeof *client);
}

/** Calls, entries and randomness of a new client. */
static int sally_prepare_client(sally_client *client) {
  size_t entries = sizeof(sally_entry) * (size_t)client->options.max_subscriptions;
  int i;
  client->call_count = client->options.max_pending_calls + client->options.max_subscriptions + 8;
  client->calls = (sally_call *)sally_allocate(&client->memory, sizeof(sally_call) * (size_t)client->call_count);
  client->kept = (sally_kept *)sally_allocate(&client->memory, sizeof(sally_kept) * (size_t)client->call_count);
  client->entries = (sally_entry *)sally_allocate(&client->memory, entries);
  if (client->calls != NULL) memset(client->calls, 0, sizeof(sally_call) * (size_t)client->call_count);
  if (client->kept != NULL) memset(client->kept, 0, sizeof(sally_kept) * (size_t)client->call_count);
  if (client->entries != NULL) memset(client->entries, 0, entries);
  sally_connection_init(&client->connection);
  for (i = 0; i < SALLY_ATTEMPTS; i++) sally_connection_init(&client->search.attempts[i].connection);
  client->next_deadline_ms = SALLY_NEVER;
  client->sign_in_at_ms = SALLY_NEVER;
  client->resubscribe_at_ms = SALLY_NEVER;
  client->last_error = sally_error_of(SALLYPORT_OK, "");
  client->state.size = sizeof client->state;
  if (!sally_random_bytes(&client->random, sizeof client->random))
    client->random = (uint64_t)sally_system_now_ms() ^ sally_process_id();
  return client->calls != NULL && client->kept != NULL && client->entries != NULL && sally_queue_open(client);
}

sallyport_client *sallyport_create(const sallyport_options *options) {
  sallyport_options own;
  sally_memory memory;
  sally_client *client;
  if (!sally_complete(&own, options) || sally_check(&own) != NULL) return NULL;
  memory.allocate = own.allocate == NULL ? sally_default_allocate : own.allocate;
  memory.user = own.allocate_user;
  client = (sally_client *)sally_allocate(&memory, sizeof *client);
  if (client == NULL) return NULL;
  memset(client, 0, sizeof *client);
  client->memory = memory;
  client->options = own;
  sally_copy_option(client->application_id, own.application_id, "");
  sally_copy_option(client->runtime_dir, own.runtime_dir, "");
  sally_copy_option(client->prefix, own.ipc_prefix, "discord-ipc");
  sally_copy_option(client->sdk_version, own.sdk_version, "sallyport-c/" SALLYPORT_VERSION);
  if (sally_prepare_client(client)) return client;
  sally_free_client(client);
  return NULL;
}

void sally_enter(sally_client *client) { client->depth++; }

void sally_leave(sally_client *client) {
  client->depth--;
  if (client->depth == 0 && client->is_destroyed) sally_free_client(client);
}

int64_t sally_now(const sally_client *client) {
  const sallyport_options *options = &client->options;
  return options->now_ms == NULL ? sally_system_now_ms() : options->now_ms(options->environment_user);
}

/** xorshift: only spreads the attempts of many games, so it need not be hard to guess. */
double sally_random(sally_client *client) {
  const sallyport_options *options = &client->options;
  double number;
  if (options->random != NULL) {
    number = options->random(options->environment_user);
    return number >= 0 && number < 1 ? number : 0;
  }
  client->random ^= client->random << 13;
  client->random ^= client->random >> 7;
  client->random ^= client->random << 17;
  return (double)(client->random >> 11) / 9007199254740992.0;
}

void sally_set_state(sally_client *client, sallyport_state_name name, const sally_reason *reason) {
  memset(&client->state, 0, sizeof client->state);
  client->state.size = sizeof client->state;
  client->state.name = name;
  if (reason == NULL) return;
  (void)snprintf(client->state_message, sizeof client->state_message, "%s", reason->message);
  client->state_error = sally_error_of(reason->code, client->state_message);
  client->state_error.close_code = reason->close_code;
  client->state.error = &client->state_error;
}

void sally_notify_state(sally_client *client) {
  sallyport_state state = client->state;
  if (client->options.on_state != NULL && client->depth > 0)
    client->options.on_state(client, &state, client->options.user);
}

void sally_set_account(sally_client *client, sallyport_account account) { client->account = account; }

void sally_notify_account(sally_client *client) {
  if (client->account == client->shown_account) return;
  client->shown_account = client->account;
  if (client->options.on_account != NULL && client->depth > 0 && client->state.name != SALLYPORT_CLOSED)
    client->options.on_account(client, client->account, client->options.user);
}

int sallyport_connect(sallyport_client *client, int64_t timeout_ms) {
  if (client == NULL) return SALLYPORT_E_ARGUMENT;
  if (client->state.name == SALLYPORT_CLOSED) return sally_fail(client, SALLYPORT_E_CLOSED, "the client was closed");
  if (client->state.name != SALLYPORT_OFFLINE && client->state.name != SALLYPORT_WAITING)
    return sally_fail(client, SALLYPORT_E_STATE, "the client is connected or connecting");
  if (client->state.name == SALLYPORT_OFFLINE) {
    client->attempt = 0;
    client->since_ms = sally_now(client);
    client->give_up_at_ms =
        timeout_ms < 0 || timeout_ms > SALLY_NEVER - 1 - client->since_ms ? SALLY_NEVER : client->since_ms + timeout_ms;
  }
  sally_start_finding(client);
  return SALLYPORT_OK;
}

/** Waits for the connections that are open. */
static void sally_wait(sally_client *client, int timeout_ms) {
  sally_transport *transports[SALLY_ATTEMPTS + 1];
  int writes[SALLY_ATTEMPTS + 1];
  int count = 0;
  int i;
  for (i = 0; i <= SALLY_ATTEMPTS; i++) {
    sally_connection *one = i < SALLY_ATTEMPTS ? &client->search.attempts[i].connection : &client->connection;
    if (!sally_transport_is_open(&one->transport)) continue;
    if (i < SALLY_ATTEMPTS && client->search.attempts[i].stage != SALLY_HANDSHAKE) continue;
    transports[count] = &one->transport;
    writes[count++] = one->out.length > one->out.start;
  }
  sally_transport_wait(transports, writes, count, sally_until_next(client, timeout_ms));
}

int sallyport_poll(sallyport_client *client, int timeout_ms) {
  int frames;
  if (client == NULL) return SALLYPORT_E_ARGUMENT;
  if (client->depth > 0) return sally_fail(client, SALLYPORT_E_REENTRANT, "poll was called inside a callback");
  if (client->state.name == SALLYPORT_CLOSED) return sally_fail(client, SALLYPORT_E_CLOSED, "the client was closed");
  if (!sally_queue_restart(client)) return 0;
  sally_enter(client);
  frames = sally_step(client);
  if (frames == 0 && timeout_ms > 0 && client->state.name != SALLYPORT_CLOSED && client->queue.count == 0) {
    sally_wait(client, timeout_ms);
    frames = sally_step(client);
  }
  sally_leave(client);
  return frames;
}

int sallyport_close(sallyport_client *client) {
  static const char farewell[] = "{\"code\":1000,\"message\":\"\"}";
  if (client == NULL) return SALLYPORT_E_ARGUMENT;
  if (client->state.name == SALLYPORT_CLOSED) return SALLYPORT_OK;
  sally_enter(client);
  if (client->is_connected) {
    (void)sally_connection_queue(&client->connection, &client->memory, SALLYPORT_OPCODE_CLOSE, farewell, sizeof farewell - 1);
    sally_connection_flush(&client->connection);
  }
  sally_search_end(client);
  sally_connection_close(&client->connection);
  client->is_connected = 0;
  client->restore_step = SALLY_IDLE;
  sally_set_state(client, SALLYPORT_CLOSED, NULL);
  sally_close_entries(client);
  sally_reject_calls(client, SALLYPORT_E_CLOSED, "the client was closed before the response");
  sally_notify_state(client);
  sally_leave(client);
  return SALLYPORT_OK;
}

void sallyport_destroy(sallyport_client *client) {
  if (client == NULL || client->is_destroyed) return;
  sally_enter(client);
  client->is_destroyed = 1;
  (void)sallyport_close(client);
  sally_leave(client);
}

const sallyport_state *sallyport_get_state(const sallyport_client *client) { return client == NULL ? NULL : &client->state; }

sallyport_account sallyport_get_account(const sallyport_client *client) {
  return client == NULL ? SALLYPORT_SIGNED_OUT : client->account;
}

uint64_t sallyport_user_id(const sallyport_client *client) {
  int is_known = client != NULL && client->state.name == SALLYPORT_READY && client->account == SALLYPORT_SIGNED_IN;
  return is_known ? client->user_id : 0;
}

const char *sallyport_server_path(const sallyport_client *client) {
  return client != NULL && client->is_connected ? client->server_path : "";
}

int sallyport_server_is_bridge(const sallyport_client *client) {
  return client != NULL && client->is_connected && client->is_bridge;
}

const sallyport_error *sallyport_last_error(const sallyport_client *client) {
  return client == NULL ? NULL : &client->last_error;
}

uint32_t sallyport_process_id(void) { return sally_process_id(); }
