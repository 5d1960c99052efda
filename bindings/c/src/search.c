/** The search for a server: slots in order, the next one when the last fails or is slow; a bridge before other servers. */
#include <string.h>

#include "client.h"

/** Time limit of a handshake; the platform's own client delays handshakes when there are many. */
#define SALLY_HANDSHAKE_MS 5000
/** Time after which the next candidate starts while the last one is pending. */
#define SALLY_HEAD_START_MS 250
/** Time for which the client waits for a lost bridge before it accepts another server. */
#define SALLY_BRIDGE_RETURN_MS 10000
/** Time between handshakes with a server that is no bridge, because each one delays the handshakes of games there. */
#define SALLY_OTHER_RETRY_MS 60000
#define SALLY_HANDSHAKE_SIZE 1024

void sally_search_start(sally_client *client) {
  sally_search *search = &client->search;
  int64_t now = sally_now(client);
  const char *directory = *client->runtime_dir == 0 ? NULL : client->runtime_dir;
  sally_search_end(client);
  search->count = sally_list_candidates(directory, client->prefix, client->options.slot, search->candidates);
  search->next = 0;
  search->next_at_ms = now;
  search->saw_other = 0;
  search->accepts_others =
      !client->options.require_bridge && !(client->was_bridge && now - client->since_ms < SALLY_BRIDGE_RETURN_MS);
  memset(&search->reason, 0, sizeof search->reason);
}

void sally_search_end(sally_client *client) {
  int i;
  for (i = 0; i < SALLY_ATTEMPTS; i++) {
    client->search.attempts[i].stage = SALLY_UNUSED;
    sally_connection_close(&client->search.attempts[i].connection);
  }
}

/** Keeps the reason that helps most: a server that refused, then a foreign one, then the first. */
static void sally_note(sally_search *search, const sally_reason *reason) {
  int old = search->reason.code;
  if (old == SALLYPORT_OK || (reason->code == SALLYPORT_E_SERVER_CLOSED && old != SALLYPORT_E_SERVER_CLOSED) ||
      (reason->code == SALLYPORT_E_FOREIGN_SERVER && old != SALLYPORT_E_SERVER_CLOSED && old != reason->code))
    search->reason = *reason;
}

static void sally_drop(sally_attempt *attempt) {
  attempt->stage = SALLY_UNUSED;
  sally_connection_close(&attempt->connection);
}

static int sally_send_handshake(sally_client *client, sally_connection *connection) {
  char *room = sally_connection_reserve(connection, &client->memory, SALLY_HANDSHAKE_SIZE);
  sallyport_writer writer;
  if (room == NULL) return 0;
  sallyport_writer_init(&writer, room, SALLY_HANDSHAKE_SIZE);
  sallyport_write_object(&writer);
  sallyport_write_key(&writer, "v");
  sallyport_write_int64(&writer, SALLYPORT_PROTOCOL_VERSION);
  sallyport_write_key(&writer, "client_id");
  sallyport_write_string(&writer, client->application_id);
  sallyport_write_key(&writer, "contract");
  sallyport_write_string(&writer, SALLYPORT_CONTRACT_VERSION);
  sallyport_write_key(&writer, "encoding");
  sallyport_write_string(&writer, "json");
  sallyport_write_key(&writer, "max_frame_bytes");
  sallyport_write_int64(&writer, SALLYPORT_LIMIT_CONTRACT_FRAME_BYTES);
  sallyport_write_key(&writer, "streams");
  sallyport_write_bool(&writer, 1);
  sallyport_write_key(&writer, "sdk_version");
  sallyport_write_string(&writer, client->sdk_version);
  sallyport_write_end(&writer);
  if (sallyport_writer_finish(&writer) == NULL) return 0;
  sally_connection_commit(connection, SALLYPORT_OPCODE_HANDSHAKE, writer.length);
  sally_connection_flush(connection);
  return 1;
}

/** Opens the next candidate. Returns 1 if it is pending now. */
static int sally_start_attempt(sally_client *client, sally_attempt *attempt, int candidate, int64_t now) {
  sally_search *search = &client->search;
  sally_trust trust = {0, 0};
  sally_reason reason;
  int64_t other_at = search->others_at_ms[candidate];
  if (!search->accepts_others && other_at > 0 && now - other_at < SALLY_OTHER_RETRY_MS) {
    search->saw_other = 1;
    return 0;
  }
  trust.allows_contained = client->options.allow_packaged_client && search->accepts_others;
  if (sally_connection_open(&attempt->connection, &client->memory, &search->candidates[candidate], &trust, &reason) != SALLYPORT_OK) {
    sally_note(search, &reason);
    return 0;
  }
  attempt->may_be_contained = trust.may_be_contained;
  if (!sally_send_handshake(client, &attempt->connection)) {
    (void)sally_reason_set(&reason, SALLYPORT_E_MEMORY, "there is no memory for a handshake", NULL);
    sally_note(search, &reason);
    sally_drop(attempt);
    return 0;
  }
  attempt->stage = SALLY_HANDSHAKE;
  attempt->candidate = candidate;
  attempt->deadline_ms = now + SALLY_HANDSHAKE_MS;
  return 1;
}

typedef enum sally_greeting { SALLY_GREETING_NONE, SALLY_GREETING_BRIDGE, SALLY_GREETING_OTHER, SALLY_GREETING_BAD } sally_greeting;

/** Looks at what the server sent first; READY stays in the buffer. */
static sally_greeting sally_read_greeting(sally_client *client, sally_attempt *attempt, sally_reason *reason) {
  int left;
  for (left = client->options.max_frames_per_poll; left > 0; left--) {
    sally_frame frame;
    sallyport_json message;
    int found;
    sally_connection_flush(&attempt->connection);
    found = sally_connection_next(&attempt->connection, &client->memory, &frame, reason);
    if (found == 0) return SALLY_GREETING_NONE;
    if (found < 0) return SALLY_GREETING_BAD;
    if (frame.opcode == SALLYPORT_OPCODE_PING || frame.opcode == SALLYPORT_OPCODE_PONG) {
      if (frame.opcode == SALLYPORT_OPCODE_PING)
        (void)sally_connection_queue(&attempt->connection, &client->memory, SALLYPORT_OPCODE_PONG, frame.payload, frame.length);
      sally_connection_consume(&attempt->connection, &frame);
      continue;
    }
    if (frame.opcode == SALLYPORT_OPCODE_CLOSE) {
      sally_receive_frame(client, &frame, reason);
      return SALLY_GREETING_BAD;
    }
    if (!sallyport_json_parse(frame.payload, frame.length, &message) ||
        !sallyport_json_equals(sallyport_json_get(message, "cmd"), "DISPATCH") ||
        !sallyport_json_equals(sallyport_json_get(message, "evt"), SALLYPORT_EVENT_READY)) {
      (void)sally_reason_set(reason, SALLYPORT_E_PROTOCOL, "the first message of the server is not READY", NULL);
      return SALLY_GREETING_BAD;
    }
    attempt->has_contract = sallyport_json_type_of(sallyport_json_at(message, "data.contract")) == SALLYPORT_JSON_STRING;
    attempt->has_call_keys = 0;
    (void)sallyport_json_bool(sallyport_json_at(message, "data.call_keys"), &attempt->has_call_keys);
    return sallyport_json_type_of(sallyport_json_at(message, "data.bridge")) == SALLYPORT_JSON_OBJECT ? SALLY_GREETING_BRIDGE
                                                                                                   : SALLY_GREETING_OTHER;
  }
  return SALLY_GREETING_NONE;
}

/** Makes the connection of the attempt the one of the client. */
static int sally_choose(sally_client *client, sally_attempt *attempt, int is_bridge) {
  int i;
  sally_connection_free(&client->connection, &client->memory);
  client->connection = attempt->connection;
  sally_connection_init(&attempt->connection);
  sally_connection_accept(&client->connection);
  client->is_bridge = is_bridge;
  client->has_contract = attempt->has_contract;
  client->has_call_keys = attempt->has_contract && attempt->has_call_keys;
  memcpy(client->server_path, client->search.candidates[attempt->candidate].path, sizeof client->server_path);
  memset(client->search.others_at_ms, 0, sizeof client->search.others_at_ms);
  sally_search_end(client);
  for (i = 0; i < SALLY_ATTEMPTS; i++) sally_connection_free(&client->search.attempts[i].connection, &client->memory);
  return 1;
}

/** Keeps one other server in reserve, the first in order. */
static void sally_keep(sally_client *client, sally_attempt *attempt, int64_t now) {
  sally_search *search = &client->search;
  int i;
  search->saw_other = 1;
  search->others_at_ms[attempt->candidate] = now;
  if (!search->accepts_others) {
    sally_drop(attempt);
    return;
  }
  attempt->stage = SALLY_RESERVE;
  for (i = 0; i < SALLY_ATTEMPTS; i++) {
    sally_attempt *other = &search->attempts[i];
    if (other->stage != SALLY_RESERVE || other == attempt) continue;
    sally_drop(other->candidate < attempt->candidate ? attempt : other);
  }
}

static int sally_finish_search(sally_client *client) {
  sally_search *search = &client->search;
  int i;
  for (i = 0; i < SALLY_ATTEMPTS; i++)
    if (search->attempts[i].stage == SALLY_RESERVE) return sally_choose(client, &search->attempts[i], 0);
  if (search->saw_other && search->reason.code != SALLYPORT_E_SERVER_CLOSED)
    (void)sally_reason_set(&search->reason, SALLYPORT_E_NO_SERVER,
                           "a server of the protocol was found, but it is not a Sallyport bridge; start one with: sallyport run",
                           NULL);
  else if (search->reason.code == SALLYPORT_OK)
    (void)sally_reason_set(&search->reason, SALLYPORT_E_NO_SERVER, "the path of the folder is too long for a socket", NULL);
  return -1;
}

int sally_search_step(sally_client *client) {
  sally_search *search = &client->search;
  int64_t now = sally_now(client);
  int pending = 0;
  int i;
  for (i = 0; i < SALLY_ATTEMPTS; i++) {
    sally_attempt *attempt = &search->attempts[i];
    sally_reason reason = {SALLYPORT_OK, 0, ""};
    sally_greeting greeting;
    if (attempt->stage != SALLY_HANDSHAKE) continue;
    greeting = sally_read_greeting(client, attempt, &reason);
    if (greeting == SALLY_GREETING_BRIDGE && attempt->may_be_contained) {
      greeting = SALLY_GREETING_BAD;
      (void)sally_reason_set(&reason, SALLYPORT_E_FOREIGN_SERVER,
                             "the server says that it is a bridge, where a contained program may have started it",
                             search->candidates[attempt->candidate].path);
    }
    if (greeting == SALLY_GREETING_BRIDGE) return sally_choose(client, attempt, 1);
    if (greeting == SALLY_GREETING_NONE && now >= attempt->deadline_ms) {
      greeting = SALLY_GREETING_BAD;
      (void)sally_reason_set(&reason, SALLYPORT_E_NO_SERVER, "the server did not complete the handshake in time",
                             search->candidates[attempt->candidate].path);
    }
    if (greeting == SALLY_GREETING_BAD) {
      sally_note(search, &reason);
      sally_drop(attempt);
    } else if (greeting == SALLY_GREETING_OTHER) {
      sally_keep(client, attempt, now);
    } else {
      pending++;
    }
  }
  for (i = 0; i < SALLY_ATTEMPTS && search->next < search->count && (pending == 0 || now >= search->next_at_ms); i++) {
    sally_attempt *attempt = &search->attempts[i];
    /* One place stays free for the server in reserve. */
    if (attempt->stage != SALLY_UNUSED || pending >= SALLY_ATTEMPTS - 1) continue;
    while (search->next < search->count && attempt->stage == SALLY_UNUSED) {
      if (sally_start_attempt(client, attempt, search->next++, now)) {
        pending++;
        search->next_at_ms = now + SALLY_HEAD_START_MS;
      }
    }
  }
  return pending == 0 && search->next >= search->count ? sally_finish_search(client) : 0;
}
