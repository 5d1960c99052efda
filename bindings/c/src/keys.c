/** Calls with a key: the bridge makes such a write once, so the client sends it again after a broken connection. */
#include <string.h>

#include "client.h"

/** The longest age of a key that is sent again; the bridge keeps it for SALLYPORT_LIMIT_CALL_KEY_MS. */
#define SALLY_REPEAT_MS SALLYPORT_LIMIT_MAX_DEADLINE_MS
/** Kept frames with more room give their memory back. */
#define SALLY_KEPT_BYTES 16384
/** Room for the nonce, and for the end of the frame. */
#define SALLY_NONCE_SIZE 32
/** In place of an id: the server named none, or a call that signs in or out has no response. */
#define SALLY_UNKNOWN_USER UINT64_MAX
#define SALLY_CHANGING_USER (UINT64_MAX - 1)

#define SALLY_IS_COMMAND(name) || strcmp(command, #name) == 0
int sally_takes_key(const char *command) { return 0 SALLYPORT_KEYED_COMMANDS(SALLY_IS_COMMAND); }

int sallyport_key_create(char key[SALLYPORT_KEY_SIZE]) {
  static const char digits[] = "0123456789abcdef";
  unsigned char random[(SALLYPORT_KEY_SIZE - 1) / 2];
  size_t i;
  if (key == NULL) return SALLYPORT_E_ARGUMENT;
  key[0] = 0;
  if (!sally_random_bytes(random, sizeof random)) return SALLYPORT_E_SYSTEM;
  for (i = 0; i < sizeof random; i++) {
    key[2 * i] = digits[random[i] >> 4];
    key[2 * i + 1] = digits[random[i] & 15];
  }
  key[2 * i] = 0;
  return SALLYPORT_OK;
}

int sally_judge_key(sally_client *client, const char *command, const char *key) {
  if (key == NULL) return SALLYPORT_OK;
  if (strlen(key) != SALLYPORT_KEY_SIZE - 1 || strspn(key, "0123456789abcdef") != SALLYPORT_KEY_SIZE - 1)
    return sally_fail(client, SALLYPORT_E_ARGUMENT, "the key must have 32 hexadecimal digits in lower case; see sallyport_key_create");
  if (!sally_takes_key(command)) return sally_fail(client, SALLYPORT_E_ARGUMENT, "the command takes no key; call it without one");
  return SALLYPORT_OK;
}

int sally_key_of_call(sally_client *client, int takes_key, const char *given, char key[SALLYPORT_KEY_SIZE]) {
  key[0] = 0;
  if (!client->has_call_keys) {
    if (given == NULL) return SALLYPORT_OK;
    return sally_fail(client, SALLYPORT_E_STATE, "nothing was sent: this server honours no keys, so it could make the call twice");
  }
  if (given != NULL) memcpy(key, given, SALLYPORT_KEY_SIZE);
  else if (takes_key && sallyport_key_create(key) != SALLYPORT_OK)
    return sally_fail(client, SALLYPORT_E_SYSTEM, "nothing was sent: the system has no random source for the key of the call");
  return SALLYPORT_OK;
}

/** Whose calls the server takes now; 0: those of no user. */
static uint64_t sally_user_of_calls(const sally_client *client) {
  int i;
  if (client->is_user_uncertain) return SALLY_CHANGING_USER;
  for (i = 0; i < client->call_count; i++)
    if (client->calls[i].nonce != 0 && client->calls[i].changes_account) return SALLY_CHANGING_USER;
  if (client->account != SALLYPORT_SIGNED_IN) return 0;
  return client->user_id == 0 ? SALLY_UNKNOWN_USER : client->user_id;
}

int sally_keep_call(sally_client *client, int place, const char *frame, size_t length) {
  sally_kept *kept = &client->kept[place];
  if (!sally_buffer_set(&client->memory, &kept->text, frame, length)) return 0;
  kept->user_id = sally_user_of_calls(client);
  kept->until_ms = sally_now(client) + SALLY_REPEAT_MS;
  return 1;
}

void sally_forget_kept(sally_client *client, int place) {
  sally_kept *kept = &client->kept[place];
  if (kept->text.length == 0) return;
  client->waiting_calls -= kept->is_waiting;
  kept->is_waiting = 0;
  if (kept->text.capacity > SALLY_KEPT_BYTES) {
    sally_buffer_free(&client->memory, &kept->text);
    return;
  }
  sally_wipe(kept->text.data, kept->text.length);
  kept->text.length = 0;
}

int sally_wait_with_key(sally_client *client, int place) {
  sally_kept *kept = &client->kept[place];
  if (kept->text.length == 0 || client->state.name == SALLYPORT_OFFLINE) return 0;
  client->waiting_calls += !kept->is_waiting;
  kept->is_waiting = 1;
  return 1;
}

typedef enum sally_when { SALLY_AGAIN_NEVER = 0, SALLY_AGAIN_LATER, SALLY_AGAIN_NOW } sally_when;

/** When a waiting call is sent again, if `user_id` is that of calls now. Under another account the bridge would make it twice. */
static sally_when sally_when_again(const sally_client *client, const sally_kept *kept, uint64_t user_id) {
  if (!client->has_call_keys || kept->user_id >= SALLY_CHANGING_USER || sally_now(client) > kept->until_ms) return SALLY_AGAIN_NEVER;
  if (user_id == SALLY_CHANGING_USER) return SALLY_AGAIN_LATER;
  if (kept->user_id == user_id) return SALLY_AGAIN_NOW;
  /* The platform refused the sign-in for a moment, and the client tries it again. */
  return user_id == 0 && client->desired.credential != SALLY_NO_CREDENTIAL ? SALLY_AGAIN_LATER : SALLY_AGAIN_NEVER;
}

/** The call that was made first of those that wait and are sent again `when`; -1: none. */
static int sally_first_waiting(const sally_client *client, sally_when when) {
  uint64_t user_id = sally_user_of_calls(client);
  int first = -1;
  int i;
  for (i = 0; i < client->call_count; i++) {
    if (!client->kept[i].is_waiting || sally_when_again(client, &client->kept[i], user_id) != when) continue;
    /* Nonces grow with each call. */
    if (first < 0 || client->calls[i].nonce < client->calls[first].nonce) first = i;
  }
  return first;
}

/** Sends a kept call with another nonce. Returns 0 if the server does not read now, or without memory. */
static int sally_repeat(sally_client *client, int place) {
  sally_kept *kept = &client->kept[place];
  sally_call *call = &client->calls[place];
  size_t length = kept->text.length;
  char *room = sally_connection_reserve(&client->connection, &client->memory, length + SALLY_NONCE_SIZE);
  sallyport_writer writer;
  if (room == NULL) return 0;
  call->nonce = sally_next_nonce(client, place);
  memcpy(room, kept->text.data, length);
  sallyport_writer_init(&writer, room + length, SALLY_NONCE_SIZE);
  sallyport_write_snowflake(&writer, call->nonce);
  length += writer.length;
  room[length++] = '}';
  sally_connection_commit(&client->connection, SALLYPORT_OPCODE_FRAME, length);
  sally_connection_flush(&client->connection);
  kept->is_waiting = 0;
  client->waiting_calls--;
  return 1;
}

void sally_repeat_calls(sally_client *client) {
  int place;
  while (client->waiting_calls > 0 && (place = sally_first_waiting(client, SALLY_AGAIN_NOW)) >= 0)
    if (!sally_repeat(client, place)) return;
}

void sally_end_unrepeated(sally_client *client) {
  int place;
  while (client->waiting_calls > 0 && client->state.name == SALLYPORT_READY &&
         (place = sally_first_waiting(client, SALLY_AGAIN_NEVER)) >= 0)
    sally_end_call(client, place, SALLYPORT_E_CONNECTION_LOST, SALLY_LOST);
}

void sally_kept_free(sally_client *client) {
  int i;
  if (client->kept == NULL) return;
  for (i = 0; i < client->call_count; i++) sally_buffer_free(&client->memory, &client->kept[i].text);
  sally_release(&client->memory, client->kept, sizeof(sally_kept) * (size_t)client->call_count);
}
