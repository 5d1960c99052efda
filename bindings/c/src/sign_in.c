/** The sign-in: silently, or authorize in the browser, exchange the code with the proof key, authenticate the connection. */
#include <string.h>

#include "client.h"

/** Time limit for the player's decision: the longest timeout of a call. */
#define SALLY_CONSENT_MS SALLYPORT_LIMIT_AUTHORIZATION_MS
#define SALLY_ARGS_SIZE 512

void sally_sign_in_free(sally_client *client) {
  sally_buffer_free(&client->memory, &client->sign_in.authorize);
  sally_wipe(&client->sign_in, sizeof client->sign_in);
}

static void sally_end_sign_in(sally_client *client, const sallyport_error *error, sallyport_json data) {
  sallyport_result_fn on_result = client->sign_in.on_result;
  void *user = client->sign_in.user;
  if (!client->sign_in.is_active) return;
  sally_sign_in_free(client);
  if (on_result != NULL) on_result(client, error, data, user);
}

static void sally_end_with(sally_client *client, int code, const char *sentence) {
  static const sallyport_json missing = {NULL, 0};
  sallyport_error error = sally_error_of(code, sentence);
  sally_end_sign_in(client, &error, missing);
}

/** Sends the next call of the sign-in, or ends it. The call counts as one of the game, so that its effects are remembered. */
static void sally_next(sally_client *client, const char *command, const char *args, size_t length, sallyport_result_fn on_result) {
  sallyport_json value = {NULL, 0};
  int code = sallyport_json_parse(args, length, &value)
                 ? sally_call_of_game(client, command, value, NULL, 0, on_result, NULL)
                 : sally_fail(client, SALLYPORT_E_PROTOCOL, "the response to the authorization is not complete");
  if (code != SALLYPORT_OK) sally_end_with(client, code, "the next step of the sign-in could not be sent");
}

static void sally_on_authenticated(sally_client *client, const sallyport_error *error, sallyport_json data, void *user) {
  (void)user;
  sally_end_sign_in(client, error, data);
}

/** Writes `{"key":value,…}` of values of a response into memory of its own, sends it and wipes it. */
static void sally_next_with(sally_client *client, const char *command, const char *const *keys, const sallyport_json *values,
                            int count, sallyport_result_fn on_result) {
  size_t size = SALLY_ARGS_SIZE;
  sallyport_writer writer;
  char *text;
  int i;
  for (i = 0; i < count; i++) size += values[i].length;
  text = (char *)sally_allocate(&client->memory, size);
  if (text == NULL) {
    sally_end_with(client, SALLYPORT_E_MEMORY, "there is no memory for the sign-in");
    return;
  }
  sallyport_writer_init(&writer, text, size);
  sallyport_write_object(&writer);
  for (i = 0; i < count; i++) {
    sallyport_write_key(&writer, keys[i]);
    sallyport_write_json(&writer, values[i]);
  }
  if (strcmp(command, SALLYPORT_COMMAND_GET_TOKEN) == 0) {
    sallyport_write_key(&writer, "code_verifier");
    sallyport_write_string(&writer, client->sign_in.pkce.verifier);
  }
  sallyport_write_end(&writer);
  if (sallyport_writer_finish(&writer) == NULL)
    sally_end_with(client, SALLYPORT_E_PROTOCOL, "the response has no code or no token; signing in requires a Sallyport bridge");
  else sally_next(client, command, text, writer.length, on_result);
  sally_wipe(text, size);
  sally_release(&client->memory, text, size);
}

static void sally_on_tokens(sally_client *client, const sallyport_error *error, sallyport_json data, void *user) {
  static const char *const keys[] = {"access_token"};
  int is_kept = 1;
  sallyport_json token;
  (void)user;
  if (error != NULL) {
    sally_end_sign_in(client, error, data);
    return;
  }
  (void)sallyport_json_bool(sallyport_json_get(data, "kept"), &is_kept);
  token = sallyport_json_get(data, keys[0]);
  /* A daemon that could not store the tokens returns them instead. */
  if (is_kept) sally_next(client, SALLYPORT_COMMAND_AUTHENTICATE, "{}", 2, sally_on_authenticated);
  else sally_next_with(client, SALLYPORT_COMMAND_AUTHENTICATE, keys, &token, 1, sally_on_authenticated);
}

static void sally_on_authorized(sally_client *client, const sallyport_error *error, sallyport_json data, void *user) {
  static const char *const keys[] = {"code", "redirect_uri"};
  sallyport_json values[2];
  (void)user;
  if (error != NULL) {
    sally_end_sign_in(client, error, data);
    return;
  }
  sallyport_json_fields(data, keys, 2, values);
  sally_next_with(client, SALLYPORT_COMMAND_GET_TOKEN, keys, values, 2, sally_on_tokens);
}

static void sally_write_scopes(sallyport_writer *writer, const char *scopes) {
  sallyport_write_key(writer, "scopes");
  sallyport_write_array(writer);
  while (*scopes != 0) {
    size_t length = strcspn(scopes, " ");
    if (length > 0) sallyport_write_string_n(writer, scopes, length);
    scopes += length;
    scopes += strspn(scopes, " ");
  }
  sallyport_write_end(writer);
}

/** Room for the most scopes that the daemon accepts. */
#define SALLY_AUTHORIZE_SIZE (SALLYPORT_LIMIT_SCOPES * (SALLYPORT_LIMIT_SCOPE_CHARACTERS + 3) + SALLY_ARGS_SIZE)

/** Writes the arguments of AUTHORIZE, before anything is sent. */
static int sally_prepare_authorize(sally_client *client, const char *scopes) {
  char text[SALLY_AUTHORIZE_SIZE];
  sallyport_writer writer;
  sallyport_writer_init(&writer, text, sizeof text);
  sallyport_write_object(&writer);
  sallyport_write_key(&writer, "client_id");
  sallyport_write_string(&writer, client->application_id);
  sallyport_write_key(&writer, "response_type");
  sallyport_write_string(&writer, "code");
  sally_write_scopes(&writer, scopes);
  sallyport_write_key(&writer, "code_challenge");
  sallyport_write_string(&writer, client->sign_in.pkce.challenge);
  sallyport_write_key(&writer, "code_challenge_method");
  sallyport_write_string(&writer, "S256");
  sallyport_write_end(&writer);
  if (sallyport_writer_finish(&writer) == NULL)
    return sally_fail(client, SALLYPORT_E_ARGUMENT, "the scopes are too long or not valid UTF-8");
  if (!sally_buffer_set(&client->memory, &client->sign_in.authorize, text, writer.length))
    return sally_fail(client, SALLYPORT_E_MEMORY, "there is no memory for the sign-in");
  return SALLYPORT_OK;
}

static int sally_authorize(sally_client *client) {
  const sally_buffer *text = &client->sign_in.authorize;
  sallyport_json args = {NULL, 0};
  (void)sallyport_json_parse(text->data, text->length, &args);
  return sally_call_of_game(client, SALLYPORT_COMMAND_AUTHORIZE, args, NULL, SALLY_CONSENT_MS, sally_on_authorized, NULL);
}

/** The end of the silent part. Only INVALID_TOKEN says that the player must be asked; any other error can pass without them. */
static void sally_on_silent(sally_client *client, const sallyport_error *error, sallyport_json data, void *user) {
  int code;
  (void)user;
  if (error == NULL || error->code != SALLYPORT_ERROR_INVALID_TOKEN) {
    sally_end_sign_in(client, error, data);
    return;
  }
  code = sally_authorize(client);
  if (code != SALLYPORT_OK) sally_end_with(client, code, "the question to the player could not be sent");
}

static int sally_silently(sally_client *client) {
  static const sallyport_json none = {"{}", 2};
  return sally_call_of_game(client, SALLYPORT_COMMAND_AUTHENTICATE, none, NULL, 0, sally_on_silent, NULL);
}

/** Begins a sign-in whose first call `send` makes. */
static int sally_begin_sign_in(sally_client *client, const char *scopes, int (*send)(sally_client *client),
                               sallyport_result_fn on_result, void *user) {
  int code;
  if (client == NULL) return SALLYPORT_E_ARGUMENT;
  if (scopes == NULL) return sally_fail(client, SALLYPORT_E_ARGUMENT, "the scopes are missing");
  if (client->sign_in.is_active) return sally_fail(client, SALLYPORT_E_STATE, "another sign-in runs");
  if (sallyport_pkce_create(&client->sign_in.pkce) != SALLYPORT_OK)
    return sally_fail(client, SALLYPORT_E_SYSTEM, "the system has no random source for the proof key");
  client->sign_in.is_active = 1;
  client->sign_in.on_result = on_result;
  client->sign_in.user = user;
  code = sally_prepare_authorize(client, scopes);
  if (code == SALLYPORT_OK) code = send(client);
  if (code != SALLYPORT_OK) sally_sign_in_free(client);
  return code;
}

int sallyport_sign_in(sallyport_client *client, const char *scopes, sallyport_result_fn on_result, void *user) {
  return sally_begin_sign_in(client, scopes, sally_silently, on_result, user);
}

int sallyport_ask_to_sign_in(sallyport_client *client, const char *scopes, sallyport_result_fn on_result, void *user) {
  return sally_begin_sign_in(client, scopes, sally_authorize, on_result, user);
}

int sallyport_sign_in_silently(sallyport_client *client, sallyport_result_fn on_result, void *user) {
  return sallyport_call(client, SALLYPORT_COMMAND_AUTHENTICATE, "{}", on_result, user);
}

int sallyport_sign_out(sallyport_client *client, sallyport_result_fn on_result, void *user) {
  return sallyport_call(client, SALLYPORT_COMMAND_FORGET_TOKENS, "{}", on_result, user);
}
