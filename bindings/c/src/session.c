/** Calls of the game, and what the client remembers of them: the sign-in, the presence, the timeout of calls. */
#include <stdio.h>
#include <string.h>

#include "client.h"

void sally_note_user(sally_client *client, sallyport_json data) {
  client->user_id = 0;
  (void)sallyport_json_snowflake(sallyport_json_at(data, "user.id"), &client->user_id);
}

void sally_signed_in(sally_client *client) {
  client->sign_in_at_ms = SALLY_NEVER;
  client->sign_in_attempt = 0;
  sally_set_account(client, SALLYPORT_SIGNED_IN);
  sally_requeue_refused(client, 0);
  if (client->state.name == SALLYPORT_READY) sally_subscribe_unsent(client, 0);
}

void sally_signed_out(sally_client *client, sallyport_account account) {
  client->desired.credential = SALLY_NO_CREDENTIAL;
  sally_buffer_free(&client->memory, &client->desired.token);
  client->sign_in_at_ms = SALLY_NEVER;
  sally_set_account(client, account);
}

void sally_desired_free(sally_client *client) {
  sally_desired *desired = &client->desired;
  sally_buffer_free(&client->memory, &desired->token);
  sally_buffer_free(&client->memory, &desired->candidate);
  sally_buffer_free(&client->memory, &desired->presence);
  sally_buffer_free(&client->memory, &desired->previous);
  sally_buffer_free(&client->memory, &client->scratch);
}

static void sally_settle_sign_in(sally_client *client, const sally_call *call, const sallyport_error *error,
                                 sallyport_json data) {
  sally_desired *desired = &client->desired;
  int is_own_token = desired->candidate_tag == call->tag && desired->candidate.length > 0;
  if (error == NULL) {
    sally_note_user(client, data);
    sally_buffer_free(&client->memory, &desired->token);
    desired->credential = is_own_token ? SALLY_TOKEN : SALLY_GRANT;
    desired->user_id = client->user_id;
    if (is_own_token) {
      desired->token = desired->candidate;
      memset(&desired->candidate, 0, sizeof desired->candidate);
    }
    sally_signed_in(client);
  }
  if (desired->candidate_tag == call->tag) sally_buffer_free(&client->memory, &desired->candidate);
}

static void sally_settle_forget(sally_client *client, const sally_call *call, const sallyport_error *error,
                                sallyport_json data) {
  (void)call;
  (void)data;
  if (error == NULL) sally_signed_out(client, SALLYPORT_SIGNED_OUT);
}

static void sally_settle_timeout(sally_client *client, const sally_call *call, const sallyport_error *error,
                                 sallyport_json data) {
  (void)data;
  if (error == NULL) client->desired.call_timeout_ms = call->tag;
}

/** A refused presence is not restored; the one before is, unless the game set another one since. */
static void sally_settle_presence(sally_client *client, const sally_call *call, const sallyport_error *error,
                                  sallyport_json data) {
  sally_desired *desired = &client->desired;
  sally_buffer refused = desired->presence;
  (void)data;
  if (error == NULL || error->code <= 0 || desired->presence_tag != call->tag) return;
  desired->presence = desired->previous;
  desired->previous = refused;
  desired->previous.length = 0;
}

/** Remembers the arguments of a SET_ACTIVITY. Returns 0 without memory. */
static int sally_remember_presence(sally_client *client, sallyport_json args, int64_t tag) {
  sally_desired *desired = &client->desired;
  sallyport_json_type activity = sallyport_json_type_of(sallyport_json_get(args, "activity"));
  int is_clear = activity == SALLYPORT_JSON_MISSING || activity == SALLYPORT_JSON_NULL;
  sally_buffer spare = desired->previous;
  if (!sally_buffer_set(&client->memory, &spare, is_clear ? "" : args.text, is_clear ? 0 : args.length)) return 0;
  desired->previous = desired->presence;
  desired->presence = spare;
  desired->presence_tag = tag;
  desired->is_presence_unsent = 0;
  desired->is_presence_kept = 0;
  return 1;
}

/** Keeps the token of a sign-in until its response. Returns 0 without memory. */
static int sally_remember_token(sally_client *client, sallyport_json args, int64_t tag) {
  sally_desired *desired = &client->desired;
  sallyport_json token = sallyport_json_get(args, "access_token");
  size_t length = 0;
  sally_buffer_free(&client->memory, &desired->candidate);
  desired->candidate_tag = tag;
  if (sallyport_json_type_of(token) != SALLYPORT_JSON_STRING) return 1;
  if (!sally_buffer_reserve(&client->memory, &desired->candidate, token.length + 1, SIZE_MAX / 4)) return 0;
  if (!sallyport_json_string(token, desired->candidate.data, desired->candidate.capacity, &length)) return 0;
  desired->candidate.length = length;
  return 1;
}

/** A presence of a game that has no connection. */
static int sally_defer_presence(sally_client *client, sallyport_json args, const sally_call *call) {
  if (!sally_remember_presence(client, args, call->tag))
    return sally_fail(client, SALLYPORT_E_MEMORY, "there is no memory for the presence");
  client->desired.is_presence_unsent = 1;
  client->desired.is_presence_kept = 1;
  if (sally_defer_call(client, call)) return SALLYPORT_DEFERRED;
  return sally_fail(client, SALLYPORT_E_LIMIT, "too many calls wait for a response; the presence is shown later, without a result");
}

static int sally_is(const char *command, const char *name) { return strcmp(command, name) == 0; }

int sally_call_of_game(sally_client *client, const char *command, sallyport_json args, const char *key, int64_t timeout_ms,
                       sallyport_result_fn on_result, void *user) {
  char own_key[SALLYPORT_KEY_SIZE];
  sally_call call;
  int is_presence = sally_is(command, SALLYPORT_COMMAND_SET_ACTIVITY);
  int is_sign_in = sally_is(command, SALLYPORT_COMMAND_AUTHENTICATE) || sally_is(command, SALLYPORT_COMMAND_UPDATE_TOKEN);
  int code;
  memset(&call, 0, sizeof call);
  call.on_result = on_result;
  call.user = user;
  call.tag = ++client->tag;
  if (client->state.name == SALLYPORT_CLOSED) return sally_fail(client, SALLYPORT_E_CLOSED, "the client was closed");
  if (client->state.name != SALLYPORT_READY && !is_presence)
    return sally_fail(client, SALLYPORT_E_NOT_READY, "nothing was sent: the client is not ready");
  if (client->game_calls >= client->options.max_pending_calls)
    return sally_fail(client, SALLYPORT_E_LIMIT, "too many calls wait for a response; see max_pending_calls");
  if (client->state.name != SALLYPORT_READY) return sally_defer_presence(client, args, &call);
  call.takes_key = sally_takes_key(command);
  code = sally_key_of_call(client, call.takes_key, key, own_key);
  if (code != SALLYPORT_OK) return code;
  if (*own_key != 0) call.key = own_key;
  if (is_presence) call.settle = sally_settle_presence;
  if (is_sign_in) call.settle = sally_settle_sign_in;
  if (sally_is(command, SALLYPORT_COMMAND_FORGET_TOKENS)) call.settle = sally_settle_forget;
  call.changes_account = is_sign_in || call.settle == sally_settle_forget;
  if (sally_is(command, SALLYPORT_COMMAND_SET_HTTP_REQUEST_TIMEOUT) &&
      sallyport_json_int64(sallyport_json_get(args, "timeout_ms"), &call.tag))
    call.settle = sally_settle_timeout;
  if (is_sign_in && !sally_remember_token(client, args, call.tag))
    return sally_fail(client, SALLYPORT_E_MEMORY, "there is no memory for the sign-in");
  code = sally_send(client, command, args, NULL, timeout_ms, &call);
  if (code == SALLYPORT_OK && is_presence && !sally_remember_presence(client, args, call.tag)) client->desired.presence_tag = call.tag;
  return code;
}

int sallyport_call_keyed(sallyport_client *client, const char *command, const char *args, const char *key, int64_t timeout_ms,
                         sallyport_result_fn on_result, void *user) {
  int code;
  sallyport_json value = {NULL, 0};
  if (client == NULL) return SALLYPORT_E_ARGUMENT;
  if (command == NULL || *command == 0 || timeout_ms < 0)
    return sally_fail(client, SALLYPORT_E_ARGUMENT, "the command is missing, or the timeout is negative");
  if (sally_is(command, SALLYPORT_COMMAND_SUBSCRIBE) || sally_is(command, SALLYPORT_COMMAND_UNSUBSCRIBE))
    return sally_fail(client, SALLYPORT_E_ARGUMENT, "use sallyport_subscribe and sallyport_unsubscribe");
  if (args != NULL && (!sallyport_json_parse(args, strlen(args), &value) || sallyport_json_type_of(value) != SALLYPORT_JSON_OBJECT))
    return sally_fail(client, SALLYPORT_E_JSON, "the arguments are not a JSON object");
  code = sally_judge_key(client, command, key);
  return code == SALLYPORT_OK ? sally_call_of_game(client, command, value, key, timeout_ms, on_result, user) : code;
}

int sallyport_call_within(sallyport_client *client, const char *command, const char *args, int64_t timeout_ms,
                          sallyport_result_fn on_result, void *user) {
  return sallyport_call_keyed(client, command, args, NULL, timeout_ms, on_result, user);
}

int sallyport_call(sallyport_client *client, const char *command, const char *args, sallyport_result_fn on_result, void *user) {
  return sallyport_call_within(client, command, args, 0, on_result, user);
}

int sallyport_set_activity(sallyport_client *client, const char *activity, sallyport_result_fn on_result, void *user) {
  sallyport_json value = {NULL, 0};
  size_t size;
  char *text;
  int length;
  int code;
  if (client == NULL) return SALLYPORT_E_ARGUMENT;
  if (activity != NULL &&
      (!sallyport_json_parse(activity, strlen(activity), &value) || sallyport_json_type_of(value) != SALLYPORT_JSON_OBJECT))
    return sally_fail(client, SALLYPORT_E_JSON, "the activity is not a JSON object");
  size = value.length + 48;
  if (value.length > SALLYPORT_LIMIT_CONTRACT_FRAME_BYTES)
    return sally_fail(client, SALLYPORT_E_TOO_LARGE, "the activity is larger than any server accepts");
  if (!sally_buffer_reserve(&client->memory, &client->scratch, size, SIZE_MAX / 4))
    return sally_fail(client, SALLYPORT_E_MEMORY, "there is no memory for the activity");
  text = client->scratch.data;
  length = value.length == 0 ? snprintf(text, size, "{\"pid\":%lu}", (unsigned long)sally_process_id())
                             : snprintf(text, size, "{\"pid\":%lu,\"activity\":%.*s}", (unsigned long)sally_process_id(),
                                        (int)value.length, value.text);
  value.text = text;
  value.length = (size_t)length;
  code = sally_call_of_game(client, SALLYPORT_COMMAND_SET_ACTIVITY, value, NULL, 0, on_result, user);
  return code;
}

int sallyport_clear_activity(sallyport_client *client, sallyport_result_fn on_result, void *user) {
  return sallyport_set_activity(client, NULL, on_result, user);
}
