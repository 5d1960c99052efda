/** Restores the state of a game on a new connection: AUTHORIZE_REQUEST, sign-in, the other subscriptions, presence. */
#include <stdio.h>
#include <string.h>

#include "client.h"

/** Time to wait for subscriptions and presence, because a server may delay one, e.g. until it has loaded a guild. */
#define SALLY_RESTORE_MS 1000
#define SALLY_SIGN_IN_FIRST_MS 100

/** Calls AUTHENTICATE with the credential; `settle` gets the result. Returns 0 if nothing was sent. */
static int sally_authenticate(sally_client *client, sally_settle_fn settle) {
  sally_desired *desired = &client->desired;
  size_t size = desired->token.length * 6 + 64;
  char *text = (char *)sally_allocate(&client->memory, size);
  sallyport_writer writer;
  sallyport_json args = {NULL, 0};
  sally_call call;
  int code = SALLYPORT_E_MEMORY;
  if (text == NULL) return 0;
  sallyport_writer_init(&writer, text, size);
  sallyport_write_object(&writer);
  if (desired->credential == SALLY_TOKEN) {
    sallyport_write_key(&writer, "access_token");
    sallyport_write_string_n(&writer, desired->token.data, desired->token.length);
  } else if (desired->user_id != 0) {
    /* Another instance of the game may have signed in as another user. */
    sallyport_write_key(&writer, "user_id");
    sallyport_write_snowflake(&writer, desired->user_id);
  }
  sallyport_write_end(&writer);
  memset(&call, 0, sizeof call);
  call.settle = settle;
  call.is_own = 1;
  call.changes_account = 1;
  if (sallyport_writer_finish(&writer) != NULL && sallyport_json_parse(text, writer.length, &args))
    code = sally_send(client, SALLYPORT_COMMAND_AUTHENTICATE, args, NULL, 0, &call);
  sally_wipe(text, size);
  sally_release(&client->memory, text, size);
  return code == SALLYPORT_OK;
}

/** Forgets a credential that the server refused; one that it could not check stays. */
static void sally_judge_credential(sally_client *client, const sallyport_error *error) {
  if (error->code > 0 && !error->is_retryable) {
    client->desired.credential = SALLY_NO_CREDENTIAL;
    sally_buffer_free(&client->memory, &client->desired.token);
  }
}

static void sally_begin_first(sally_client *client) {
  client->restore_step = SALLY_FIRST;
  client->restore_until_ms = sally_now(client) + SALLY_RESTORE_MS;
}

static void sally_restored_sign_in(sally_client *client, const sally_call *call, const sallyport_error *error,
                                   sallyport_json data) {
  (void)call;
  if (client->restore_step != SALLY_SIGN_IN) return;
  client->state.sign_in = error == NULL ? SALLYPORT_DONE : SALLYPORT_FAILED;
  if (error == NULL) sally_note_user(client, data);
  else sally_judge_credential(client, error);
  sally_begin_first(client);
}

/** One that was kept ends with the judgement of the server: refused, no later connection shows it. */
static void sally_judge_presence(sally_desired *desired, int64_t tag, const sallyport_error *error) {
  if (!desired->is_presence_kept || desired->presence_tag != tag || (error != NULL && error->code <= 0)) return;
  desired->is_presence_kept = 0;
  if (error != NULL) desired->presence.length = 0;
}

static void sally_restored_presence(sally_client *client, const sally_call *call, const sallyport_error *error,
                                    sallyport_json data) {
  client->is_presence_restoring = 0;
  if (client->restore_step == SALLY_REST) client->state.presence = error == NULL ? SALLYPORT_DONE : SALLYPORT_FAILED;
  sally_judge_presence(&client->desired, call->tag, error);
  /* After a loss the next connection sends it again. */
  if (error == NULL || error->code != SALLYPORT_E_CONNECTION_LOST) sally_settle_deferred(client, call->tag, error, data);
}

static void sally_send_timeout(sally_client *client) {
  char text[48];
  sallyport_json args;
  sally_call call;
  int length;
  if (client->desired.call_timeout_ms <= 0) return;
  length = snprintf(text, sizeof text, "{\"timeout_ms\":%ld}", (long)client->desired.call_timeout_ms);
  args.text = text;
  args.length = (size_t)length;
  memset(&call, 0, sizeof call);
  call.is_own = 1;
  (void)sally_send(client, SALLYPORT_COMMAND_SET_HTTP_REQUEST_TIMEOUT, args, NULL, 0, &call);
}

/** `may_be_shown`: this connection may show an earlier presence, so that clearing it needs a call. */
static void sally_send_presence(sally_client *client, int may_be_shown) {
  static const sallyport_json missing = {NULL, 0};
  const sally_desired *desired = &client->desired;
  char clear[32];
  sallyport_json args;
  sally_call call;
  client->desired.is_presence_unsent = 0;
  client->is_presence_restoring = 0;
  if (desired->presence.length == 0 && !may_be_shown) {
    sally_settle_deferred(client, desired->presence_tag, NULL, missing);
    return;
  }
  args.text = desired->presence.length > 0 ? desired->presence.data : clear;
  args.length = desired->presence.length > 0
                    ? desired->presence.length
                    : (size_t)snprintf(clear, sizeof clear, "{\"pid\":%lu}", (unsigned long)sally_process_id());
  memset(&call, 0, sizeof call);
  call.is_own = 1;
  call.settle = sally_restored_presence;
  call.tag = desired->presence_tag;
  client->is_presence_restoring = 1;
  if (sally_send(client, SALLYPORT_COMMAND_SET_ACTIVITY, args, NULL, 0, &call) == SALLYPORT_OK) return;
  client->is_presence_restoring = 0;
  client->state.presence = SALLYPORT_FAILED;
  if (client->last_error.code == SALLYPORT_E_TOO_LARGE)
    sally_settle_deferred(client, desired->presence_tag, &client->last_error, missing);
}

void sally_restore_start(sally_client *client) {
  client->restore_step = SALLY_SIGN_IN;
  client->state.sign_in = SALLYPORT_NONE;
  client->state.presence = SALLYPORT_NONE;
  client->sign_in_attempt = 0;
  client->resubscribe_at_ms = SALLY_NEVER;
  /* Before the sign-in, which can take half a minute if the platform is unreachable. */
  sally_subscribe_unsent(client, 1);
  sally_send_timeout(client);
  if (client->desired.credential == SALLY_NO_CREDENTIAL) {
    sally_begin_first(client);
  } else if (!sally_authenticate(client, sally_restored_sign_in)) {
    client->state.sign_in = SALLYPORT_FAILED;
    sally_begin_first(client);
  }
}

/** The state is restored: what the game changed meanwhile is sent now. */
static void sally_become_ready(sally_client *client, int64_t now_ms) {
  sallyport_outcome sign_in = client->state.sign_in;
  sallyport_outcome presence = client->state.presence;
  if (client->is_presence_restoring) presence = SALLYPORT_FAILED;
  client->restore_step = SALLY_IDLE;
  sally_set_state(client, SALLYPORT_READY, NULL);
  client->state.sign_in = sign_in;
  client->state.presence = presence;
  client->state.outage_ms = now_ms - client->since_ms;
  client->ready_at_ms = now_ms;
  /* A client that was ready once never stops searching. */
  client->give_up_at_ms = SALLY_NEVER;
  sally_count_entries(client, &client->state.active_subscriptions, &client->state.refused_subscriptions);
  if (sign_in == SALLYPORT_DONE) sally_set_account(client, SALLYPORT_SIGNED_IN);
  else if (client->account == SALLYPORT_SIGNED_IN) sally_set_account(client, SALLYPORT_SIGNED_OUT);
  sally_subscribe_unsent(client, 0);
  sally_schedule_resubscribe(client);
  if (client->desired.is_presence_unsent) sally_send_presence(client, 1);
  if (sign_in == SALLYPORT_FAILED) sally_schedule_sign_in(client);
  sally_repeat_calls(client);
  sally_notify_account(client);
  if (client->state.name == SALLYPORT_READY) sally_notify_state(client);
}

void sally_restore_step_on(sally_client *client, int64_t now_ms) {
  if (client->restore_step == SALLY_FIRST && (!sally_has_sent_entries(client, 1) || now_ms >= client->restore_until_ms)) {
    /* Some subscriptions needed the sign-in. */
    if (client->state.sign_in == SALLYPORT_DONE) sally_requeue_refused(client, 0);
    client->restore_step = SALLY_REST;
    client->restore_until_ms = now_ms + SALLY_RESTORE_MS;
    sally_subscribe_unsent(client, 0);
    sally_send_presence(client, 0);
  }
  if (client->restore_step == SALLY_REST &&
      ((!client->is_presence_restoring && !sally_has_sent_entries(client, 0)) || now_ms >= client->restore_until_ms))
    sally_become_ready(client, now_ms);
}

void sally_schedule_sign_in(sally_client *client) {
  if (client->desired.credential == SALLY_NO_CREDENTIAL) return;
  client->sign_in_at_ms = sally_now(client) + sally_backoff(client->sign_in_attempt + 3, SALLY_SIGN_IN_FIRST_MS,
                                                            client->options.cap_ms, sally_random(client));
}

static void sally_retried_sign_in(sally_client *client, const sally_call *call, const sallyport_error *error,
                                  sallyport_json data) {
  (void)call;
  if (client->state.name != SALLYPORT_READY || client->account == SALLYPORT_SIGNED_IN) return;
  if (error == NULL) {
    sally_note_user(client, data);
    sally_signed_in(client);
    return;
  }
  sally_judge_credential(client, error);
  client->sign_in_attempt++;
  sally_schedule_sign_in(client);
}

void sally_retry_sign_in(sally_client *client) {
  client->sign_in_at_ms = SALLY_NEVER;
  if (client->desired.credential == SALLY_NO_CREDENTIAL || client->account == SALLYPORT_SIGNED_IN) return;
  if (!sally_authenticate(client, sally_retried_sign_in)) sally_schedule_sign_in(client);
}
