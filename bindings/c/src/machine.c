/** The states of the connection: search, restore, ready, wait. As the machine of the TypeScript client. */
#include <string.h>

#include "client.h"

#define SALLY_FIRST_DELAY_MS 100
/** Length of the early phase of an outage. */
#define SALLY_EARLY_MS 60000
/** Payload bytes that one poll processes, so that a server cannot take the frame time of the game. */
#define SALLY_BYTES_PER_POLL 1048576
/** A connection that lasted less does not reset the delays, so that the client does not hammer a server that crashes. */
#define SALLY_STABLE_MS 2000

int64_t sally_backoff(int attempt, int64_t first_ms, int64_t cap_ms, double random) {
  int64_t full = first_ms;
  int i;
  for (i = 0; i < attempt && i < 20 && full < cap_ms; i++) full *= 2;
  if (full > cap_ms) full = cap_ms;
  return (int64_t)((double)full * (0.5 + random / 2) + 0.5);
}

void sally_start_finding(sally_client *client) {
  client->is_finding = 1;
  sally_set_state(client, SALLYPORT_CONNECTING, NULL);
  sally_search_start(client);
  sally_notify_state(client);
}

static void sally_enter_waiting(sally_client *client, const sally_reason *reason, int was_ready, int was_lost) {
  int64_t now = sally_now(client);
  int64_t delay;
  int64_t cap;
  /* A stable connection ends the outage; one that ended at once is part of it. */
  if (was_ready && now - client->ready_at_ms >= SALLY_STABLE_MS) {
    client->attempt = 0;
    client->since_ms = now;
  }
  cap = now - client->since_ms < SALLY_EARLY_MS ? client->options.early_cap_ms : client->options.cap_ms;
  delay = sally_backoff(client->attempt, SALLY_FIRST_DELAY_MS, cap, sally_random(client));
  if (client->give_up_at_ms != SALLY_NEVER && delay > client->give_up_at_ms - now) delay = client->give_up_at_ms - now;
  client->attempt++;
  client->retry_at_ms = now + delay;
  sally_set_state(client, SALLYPORT_WAITING, reason);
  client->state.was_lost = was_lost;
  client->state.delay_ms = delay;
}

void sally_connection_failed(sally_client *client, const sally_reason *reason) {
  int was_ready = client->state.name == SALLYPORT_READY;
  int was_lost = !client->is_finding;
  sallyport_state_name name;
  sally_search_end(client);
  sally_connection_close(&client->connection);
  client->is_connected = 0;
  client->is_finding = 0;
  client->restore_step = SALLY_IDLE;
  client->sign_in_at_ms = SALLY_NEVER;
  client->resubscribe_at_ms = SALLY_NEVER;
  sally_reset_entries(client);
  if ((was_ready && !client->options.reconnect) ||
      (client->give_up_at_ms != SALLY_NEVER && sally_now(client) >= client->give_up_at_ms))
    sally_set_state(client, SALLYPORT_OFFLINE, reason);
  else
    sally_enter_waiting(client, reason, was_ready, was_lost);
  name = client->state.name;
  if (reason->code == SALLYPORT_E_SERVER_CLOSED && reason->close_code == SALLYPORT_CLOSE_TOKEN_REVOKED)
    sally_signed_out(client, SALLYPORT_REVOKED);
  sally_reject_calls(client, SALLYPORT_E_CONNECTION_LOST, SALLY_LOST);
  sally_notify_account(client);
  /* A callback may have closed the client, which reported it. */
  if (client->state.name == name) sally_notify_state(client);
}

/** Reads READY, which is the first frame of the connection that the search chose. */
static void sally_adopt(sally_client *client) {
  sally_frame frame;
  sally_reason reason = {SALLYPORT_OK, 0, ""};
  client->is_finding = 0;
  client->is_connected = 1;
  client->is_user_uncertain = 0;
  client->was_bridge = client->is_bridge;
  if (sally_connection_next(&client->connection, &client->memory, &frame, &reason) <= 0) return;
  sally_receive_frame(client, &frame, &reason);
  sally_connection_consume(&client->connection, &frame);
  if (client->is_connected) sally_restore_start(client);
}

static int sally_pump(sally_client *client) {
  size_t bytes = 0;
  int frames = 0;
  sally_connection_flush(&client->connection);
  while (client->is_connected && frames < client->options.max_frames_per_poll && bytes < SALLY_BYTES_PER_POLL) {
    sally_frame frame;
    sally_reason reason = {SALLYPORT_OK, 0, ""};
    int found = sally_connection_next(&client->connection, &client->memory, &frame, &reason);
    if (found == 0) break;
    if (found > 0) {
      frames++;
      bytes += frame.length;
      sally_receive_frame(client, &frame, &reason);
      if (client->is_connected) sally_connection_consume(&client->connection, &frame);
    }
    if (reason.code != SALLYPORT_OK && client->is_connected) sally_connection_failed(client, &reason);
  }
  /* What the callbacks sent. */
  if (client->is_connected) sally_connection_flush(&client->connection);
  return frames;
}

static void sally_run_timers(sally_client *client) {
  int64_t now = sally_now(client);
  if (client->is_connected && client->restore_step != SALLY_IDLE) sally_restore_step_on(client, now);
  if (client->state.name != SALLYPORT_READY) return;
  if (client->waiting_calls > 0) {
    sally_repeat_calls(client);
    sally_end_unrepeated(client);
    if (client->state.name != SALLYPORT_READY) return;
  }
  if (now >= client->sign_in_at_ms) sally_retry_sign_in(client);
  if (now >= client->resubscribe_at_ms) {
    client->resubscribe_at_ms = SALLY_NEVER;
    client->resubscribe_attempt++;
    sally_requeue_refused(client, 1);
    sally_subscribe_unsent(client, 0);
  }
}

int sally_step(sally_client *client) {
  int frames = 0;
  if (client->state.name == SALLYPORT_WAITING && sally_now(client) >= client->retry_at_ms) sally_start_finding(client);
  if (client->state.name == SALLYPORT_CONNECTING && client->is_finding) {
    int found = sally_search_step(client);
    if (found < 0) sally_connection_failed(client, &client->search.reason);
    else if (found > 0) sally_adopt(client);
  }
  if (client->is_connected) frames = sally_pump(client);
  if (sally_now(client) >= client->next_deadline_ms) sally_expire_calls(client, sally_now(client));
  if (client->is_connected) {
    sally_run_timers(client);
    if (client->is_connected) sally_connection_flush(&client->connection);
  }
  return frames;
}

static int64_t sally_earlier(int64_t a, int64_t b) { return a < b ? a : b; }

int sally_until_next(const sally_client *client, int limit_ms) {
  int64_t next = SALLY_NEVER;
  int64_t left;
  int pending = 0;
  int i;
  if (client->state.name == SALLYPORT_WAITING) next = client->retry_at_ms;
  if (client->is_finding) {
    for (i = 0; i < SALLY_ATTEMPTS; i++) {
      if (client->search.attempts[i].stage != SALLY_HANDSHAKE) continue;
      next = sally_earlier(next, client->search.attempts[i].deadline_ms);
      pending++;
    }
    if (pending == 0) return 0;
    if (client->search.next < client->search.count && pending < SALLY_ATTEMPTS - 1)
      next = sally_earlier(next, client->search.next_at_ms);
  }
  next = sally_earlier(next, client->next_deadline_ms);
  if (client->is_connected) {
    next = sally_earlier(next, sally_earlier(client->sign_in_at_ms, client->resubscribe_at_ms));
    if (client->restore_step == SALLY_FIRST || client->restore_step == SALLY_REST)
      next = sally_earlier(next, client->restore_until_ms);
  }
  if (next == SALLY_NEVER) return limit_ms;
  left = next - sally_now(client);
  return left < 0 ? 0 : left < limit_ms ? (int)left : limit_ms;
}
