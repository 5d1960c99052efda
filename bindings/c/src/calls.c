/** The pending calls: each ends exactly once, by its response, its deadline, or the end of the connection. */
#include <string.h>

#include "client.h"

/** The daemon's own limit of a call, and what is added so that its more specific error arrives first. */
#define SALLY_DAEMON_CALL_MS SALLYPORT_LIMIT_DEADLINE_MS
#define SALLY_MARGIN_MS 5000
/** A day; longer timeouts are cut. */
#define SALLY_LONGEST_MS 86400000

int64_t sally_default_timeout(const sally_client *client) {
  int64_t own = client->options.call_timeout_ms;
  int64_t set = client->desired.call_timeout_ms;
  if (own > 0) return own;
  return (set > SALLY_DAEMON_CALL_MS ? set : SALLY_DAEMON_CALL_MS) + SALLY_MARGIN_MS;
}

static sally_call *sally_free_call(sally_client *client) {
  int i;
  for (i = 0; i < client->call_count; i++)
    if (client->calls[i].nonce == 0) return &client->calls[i];
  return NULL;
}

/** Writes the envelope, and where its nonce begins. Returns its length, or 0 if the arguments have invalid text. */
static size_t sally_write_envelope(char *room, size_t size, const char *command, sallyport_json args, const char *event,
                                   const char *key, uint64_t nonce, size_t *nonce_at) {
  sallyport_writer writer;
  sallyport_writer_init(&writer, room, size);
  sallyport_write_object(&writer);
  sallyport_write_key(&writer, "cmd");
  sallyport_write_string(&writer, command);
  sallyport_write_key(&writer, "args");
  if (sallyport_json_type_of(args) == SALLYPORT_JSON_OBJECT) {
    sallyport_write_json(&writer, args);
  } else {
    sallyport_write_object(&writer);
    sallyport_write_end(&writer);
  }
  if (event != NULL) {
    sallyport_write_key(&writer, "evt");
    sallyport_write_string(&writer, event);
  }
  if (key != NULL) {
    sallyport_write_key(&writer, "key");
    sallyport_write_string(&writer, key);
  }
  sallyport_write_key(&writer, "nonce");
  *nonce_at = writer.length;
  sallyport_write_snowflake(&writer, nonce);
  sallyport_write_end(&writer);
  return sallyport_writer_finish(&writer) == NULL ? 0 : writer.length;
}

uint64_t sally_next_nonce(sally_client *client, int place) {
  return ++client->generation * (uint64_t)client->call_count + (uint64_t)place;
}

static int sally_place_of(const sally_client *client, const sally_call *slot) { return (int)(slot - client->calls); }

static void sally_register(sally_client *client, sally_call *slot, uint64_t nonce, int64_t timeout_ms, const sally_call *call) {
  *slot = *call;
  slot->key = NULL;
  slot->nonce = nonce;
  if (timeout_ms <= 0) timeout_ms = sally_default_timeout(client);
  slot->deadline_ms = sally_now(client) + (timeout_ms < SALLY_LONGEST_MS ? timeout_ms : SALLY_LONGEST_MS);
  if (slot->deadline_ms < client->next_deadline_ms) client->next_deadline_ms = slot->deadline_ms;
  if (!slot->is_own) client->game_calls++;
}

int sally_send(sally_client *client, const char *command, sallyport_json args, const char *event, int64_t timeout_ms,
               const sally_call *call) {
  size_t limit = client->has_contract ? SALLYPORT_LIMIT_CONTRACT_FRAME_BYTES : SALLYPORT_LIMIT_OUTGOING_PAYLOAD_BYTES;
  /* An escaped character has six bytes; 64 hold the rest of the envelope. */
  size_t size = 6 * (strlen(command) + (event == NULL ? 0 : strlen(event))) + args.length + 64 +
                (call->key == NULL ? 0 : SALLYPORT_KEY_SIZE + 8);
  sally_call *slot;
  uint64_t nonce;
  size_t nonce_at;
  size_t length;
  char *room;
  if (!client->is_connected) return sally_fail(client, SALLYPORT_E_NOT_READY, "the client has no connection; wait until it is ready");
  if (size > limit) return sally_fail(client, SALLYPORT_E_TOO_LARGE, "the call is larger than this server accepts");
  slot = sally_free_call(client);
  if (slot == NULL) return sally_fail(client, SALLYPORT_E_LIMIT, "too many calls wait for a response");
  room = sally_connection_reserve(&client->connection, &client->memory, size);
  if (room == NULL) return sally_fail(client, SALLYPORT_E_LIMIT, "the server does not read, or there is no memory");
  nonce = sally_next_nonce(client, sally_place_of(client, slot));
  length = sally_write_envelope(room, size, command, args, event, call->key, nonce, &nonce_at);
  if (length == 0) return sally_fail(client, SALLYPORT_E_ARGUMENT, "the command or the event is not valid UTF-8");
  if (call->key != NULL && !sally_keep_call(client, sally_place_of(client, slot), room, nonce_at))
    return sally_fail(client, SALLYPORT_E_MEMORY, "nothing was sent: there is no memory to keep the call");
  sally_connection_commit(&client->connection, SALLYPORT_OPCODE_FRAME, length);
  sally_connection_flush(&client->connection);
  sally_register(client, slot, nonce, timeout_ms, call);
  return SALLYPORT_OK;
}

int sallyport_ping(sallyport_client *client, sallyport_result_fn on_result, void *user) {
  char payload[32];
  sallyport_writer writer;
  sally_call call;
  sally_call *slot;
  uint64_t nonce;
  if (client == NULL) return SALLYPORT_E_ARGUMENT;
  if (client->state.name != SALLYPORT_READY) return sally_fail(client, SALLYPORT_E_NOT_READY, "nothing was sent: the client is not ready");
  slot = client->game_calls < client->options.max_pending_calls ? sally_free_call(client) : NULL;
  if (slot == NULL) return sally_fail(client, SALLYPORT_E_LIMIT, "too many calls wait for a response; see max_pending_calls");
  nonce = sally_next_nonce(client, sally_place_of(client, slot));
  sallyport_writer_init(&writer, payload, sizeof payload);
  sallyport_write_snowflake(&writer, nonce);
  if (!sally_connection_queue(&client->connection, &client->memory, SALLYPORT_OPCODE_PING, payload, writer.length))
    return sally_fail(client, SALLYPORT_E_LIMIT, "the server does not read, or there is no memory");
  sally_connection_flush(&client->connection);
  memset(&call, 0, sizeof call);
  call.on_result = on_result;
  call.user = user;
  call.is_ping = 1;
  sally_register(client, slot, nonce, 0, &call);
  return SALLYPORT_OK;
}

int sally_is_ping(const sally_client *client, uint64_t nonce) {
  const sally_call *slot = &client->calls[nonce % (uint64_t)client->call_count];
  return slot->nonce == nonce && slot->is_ping;
}

void sally_settle(sally_client *client, uint64_t nonce, const sallyport_error *error, sallyport_json data) {
  sally_call *slot = &client->calls[nonce % (uint64_t)client->call_count];
  sally_call call = *slot;
  /* A late response to a call that ended, or a nonce that was never sent. */
  if (call.nonce != nonce) return;
  memset(slot, 0, sizeof *slot);
  sally_forget_kept(client, sally_place_of(client, slot));
  if (call.changes_account && error != NULL && error->code < 0) client->is_user_uncertain = 1;
  if (!call.is_own) client->game_calls--;
  if (call.settle != NULL) call.settle(client, &call, error, data);
  if (call.on_result != NULL) call.on_result(client, error, data, call.user);
  sally_notify_account(client);
}

void sally_end_call(sally_client *client, int place, int code, const char *sentence) {
  static const sallyport_json missing = {NULL, 0};
  const sally_call *call = &client->calls[place];
  sallyport_error error = sally_error_of(code, sentence);
  if (call->takes_key) error.is_retryable = 0;
  sally_settle(client, call->nonce, &error, missing);
}

int sally_defer_call(sally_client *client, const sally_call *call) {
  sally_call *slot;
  int i;
  /* Callbacks run in the next poll, which ends what has no time left. */
  for (i = 0; i < client->call_count; i++) {
    if (client->calls[i].nonce == 0 || !client->calls[i].is_deferred) continue;
    client->calls[i].deadline_ms = client->next_deadline_ms = 0;
  }
  if (call->on_result == NULL) return 1;
  slot = sally_free_call(client);
  if (slot == NULL) return 0;
  *slot = *call;
  slot->settle = NULL;
  slot->nonce = sally_next_nonce(client, sally_place_of(client, slot));
  slot->deadline_ms = SALLY_NEVER;
  slot->is_deferred = 1;
  client->game_calls++;
  return 1;
}

void sally_settle_deferred(sally_client *client, int64_t tag, const sallyport_error *error, sallyport_json data) {
  int i;
  for (i = 0; i < client->call_count; i++) {
    const sally_call *call = &client->calls[i];
    if (call->nonce == 0 || !call->is_deferred || call->tag != tag) continue;
    sally_settle(client, call->nonce, error, data);
    return;
  }
}

void sally_expire_calls(sally_client *client, int64_t now_ms) {
  int64_t next = SALLY_NEVER;
  int i;
  for (i = 0; i < client->call_count; i++) {
    const sally_call *call = &client->calls[i];
    if (call->nonce == 0 || call->deadline_ms > now_ms) continue;
    if (call->is_deferred) sally_end_call(client, i, SALLYPORT_E_REPLACED, "the game set a newer presence before this one was shown");
    else sally_end_call(client, i, SALLYPORT_E_TIMEOUT, "no response in time; the server may still execute the call");
  }
  /* After the callbacks, which may have made calls. */
  for (i = 0; i < client->call_count; i++)
    if (client->calls[i].nonce != 0 && client->calls[i].deadline_ms < next) next = client->calls[i].deadline_ms;
  client->next_deadline_ms = next;
}

void sally_reject_calls(sally_client *client, int code, const char *sentence) {
  int i;
  for (i = 0; i < client->call_count; i++) {
    if (client->calls[i].nonce == 0) continue;
    if (code != SALLYPORT_E_CLOSED && (client->calls[i].is_deferred || sally_wait_with_key(client, i))) continue;
    sally_end_call(client, i, code, sentence);
  }
  /* The next poll looks at what is left. */
  client->next_deadline_ms = code == SALLYPORT_E_CLOSED ? SALLY_NEVER : 0;
}
