/**
 * For libFuzzer: a whole client and a hostile server in one thread. The bytes are a script: each first byte is an action of the server, of
 * the game, of the clock or of the allocator. The clock is a number, so nothing waits. The last bit chooses callbacks or queued reports.
 */
#include "../src/posix.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "sallyport/sallyport.h"

#define MOST_BYTES (8L * 1024 * 1024)
#define RECEIVE_SIZE 65536

static const char READY[] =
    "{\"cmd\":\"DISPATCH\",\"evt\":\"READY\",\"nonce\":null,\"data\":{\"v\":1,\"user\":{\"id\":\"1\"},\"bridge\":{\"name\":\"s\"},\"contract\":\"1.0\",\"call_keys\":true}}";

typedef struct script {
  const uint8_t *next;
  size_t left;
} script;

static long bytes_in_use;
static int has_no_memory;
static int64_t clock_ms;
static int listener = -1;
static int peer = -1;
static char folder[] = "/tmp/sallyport-fuzz-XXXXXX";
static char nonce[32];
static long results;
static long calls;

static void *counted(void *user, void *block, size_t old_size, size_t new_size) {
  (void)user;
  if (new_size > 0 && has_no_memory) return NULL;
  bytes_in_use += (long)new_size - (block == NULL ? 0L : (long)old_size);
  if (bytes_in_use > MOST_BYTES) abort();
  if (new_size > 0) return realloc(block, new_size);
  free(block);
  return NULL;
}

static int64_t now_ms(void *user) {
  (void)user;
  return clock_ms;
}

static double half(void *user) {
  (void)user;
  return 0.5;
}

static void on_result(sallyport_client *client, const sallyport_error *error, sallyport_json data, void *user) {
  (void)client;
  (void)user;
  if (error != NULL && (error->name == NULL || error->message == NULL || error->code == 0)) abort();
  (void)sallyport_json_count(data);
  results++;
}

/** What the calls and subscriptions of the script get. The user pointer of a subscription is the name of its event. */
static sallyport_result_fn ending = on_result;

static void on_event(sallyport_client *client, const char *event, sallyport_json data, void *user) {
  (void)user;
  (void)sallyport_json_at(data, "user.id");
  /* Calls inside callbacks are allowed. */
  if (strcmp(event, "CALL") == 0 && sallyport_call(client, "FROM_CALLBACK", NULL, ending, NULL) == SALLYPORT_OK) calls++;
  if (strcmp(event, "CLOSE") == 0) (void)sallyport_close(client);
}

static sallyport_event_fn hearing = on_event;

static void take_reports(sallyport_client *client) {
  sallyport_report report;
  report.size = sizeof report;
  while (sallyport_next_report(client, &report)) {
    if (report.data.length > 0 && report.data.text[report.data.length] != 0) abort();
    if (report.kind == SALLYPORT_REPORT_RESULT) on_result(client, report.error, report.data, report.user);
    if (report.kind == SALLYPORT_REPORT_EVENT) on_event(client, (const char *)report.user, report.data, NULL);
    if (report.kind == SALLYPORT_REPORT_STATE && report.state->error != NULL && *report.state->error->message == 0) abort();
  }
}

static void remove_folder(void) {
  char path[64];
  (void)snprintf(path, sizeof path, "%s/discord-ipc-0", folder);
  (void)unlink(path);
  (void)rmdir(folder);
}

static void start_server(void) {
  struct sockaddr_un address;
  if (listener >= 0) return;
  if (mkdtemp(folder) == NULL) abort();
  (void)atexit(remove_folder);
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  (void)snprintf(address.sun_path, sizeof address.sun_path, "%s/discord-ipc-0", folder);
  listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (listener < 0 || bind(listener, (const struct sockaddr *)(const void *)&address, sizeof address) != 0 || listen(listener, 8) != 0) abort();
  (void)fcntl(listener, F_SETFL, O_NONBLOCK);
}

static void end_peer(void) {
  if (peer >= 0) (void)close(peer);
  peer = -1;
}

/** Takes a new connection, and what the client sent; keeps the last nonce. */
static void serve(void) {
  static char received[RECEIVE_SIZE];
  ssize_t got;
  int fd = accept(listener, NULL, NULL);
  if (fd >= 0) {
    end_peer();
    peer = fd;
    (void)fcntl(peer, F_SETFL, O_NONBLOCK);
  }
  if (peer < 0) return;
  while ((got = recv(peer, received, sizeof received, 0)) > 0) {
    static const char key[] = "\"nonce\":\"";
    ssize_t at;
    for (at = got - (ssize_t)sizeof key; at >= 0; at--) {
      const char *digits = received + at + sizeof key - 1;
      size_t length = 0;
      if (memcmp(received + at, key, sizeof key - 1) != 0) continue;
      while (length < sizeof nonce - 1 && digits + length < received + got && digits[length] >= '0' && digits[length] <= '9') length++;
      memcpy(nonce, digits, length);
      nonce[length] = 0;
      break;
    }
  }
}

static void send_bytes(const void *bytes, size_t length) {
  if (peer >= 0) (void)send(peer, bytes, length, MSG_NOSIGNAL);
}

static void send_frame(unsigned opcode, const void *payload, size_t length) {
  unsigned char header[8] = {0};
  int i;
  header[0] = (unsigned char)opcode;
  for (i = 0; i < 4; i++) header[4 + i] = (unsigned char)(length >> (8 * i));
  send_bytes(header, sizeof header);
  send_bytes(payload, length);
}

static void send_text(const char *text) { send_frame(1, text, strlen(text)); }

static unsigned take_byte(script *from) {
  if (from->left == 0) return 0;
  from->left--;
  return *from->next++;
}

/** So many of the next bytes as the next byte says. */
static const uint8_t *take_bytes(script *from, size_t *length) {
  const uint8_t *bytes;
  *length = take_byte(from);
  if (*length > from->left) *length = from->left;
  bytes = from->next;
  from->next += *length;
  from->left -= *length;
  return bytes;
}

/** A message with bytes of the script as one of its values. */
static void send_message(script *from, const char *format_with_nonce) {
  char text[1024];
  size_t length;
  const uint8_t *bytes = take_bytes(from, &length);
  int written = snprintf(text, sizeof text, format_with_nonce, nonce, (int)length, (const char *)bytes);
  if (written > 0) send_frame(1, text, (size_t)written < sizeof text ? (size_t)written : sizeof text - 1);
}

static void count_call(int code) {
  if (code >= SALLYPORT_OK) calls++;
}

static void play_server(unsigned action, script *from) {
  size_t length;
  const uint8_t *bytes;
  switch (action) {
    case 0: send_text(READY); break;
    case 1:
      bytes = take_bytes(from, &length);
      send_bytes(bytes, length);
      break;
    case 2: {
      unsigned opcode = take_byte(from) % 6;
      bytes = take_bytes(from, &length);
      send_frame(opcode, bytes, length);
      break;
    }
    case 3: send_message(from, "{\"cmd\":\"X\",\"evt\":null,\"nonce\":\"%s\",\"data\":%.*s}"); break;
    case 4: send_message(from, "{\"cmd\":\"X\",\"evt\":\"ERROR\",\"nonce\":\"%s\",\"data\":%.*s}"); break;
    case 5: send_message(from, "{\"cmd\":\"DISPATCH\",\"nonce\":\"%s\",%.*s}"); break;
    case 6: send_text("{\"cmd\":\"DISPATCH\",\"evt\":\"CALL\",\"data\":{}}"); break;
    case 7: send_message(from, "{\"cmd\":\"AUTHORIZE\",\"evt\":null,\"nonce\":\"%s\",\"data\":{\"code\":\"c\",\"redirect_uri\":\"r\",\"access_token\":\"t\",\"x\":\"%.*s\"}}"); break;
    case 8: end_peer(); break;
    default: send_text("{\"cmd\":\"DISPATCH\",\"evt\":\"TOKEN_REVOKED\",\"data\":null}"); break;
  }
}

static void play_game(sallyport_client *client, unsigned action, script *from) {
  static int subscription;
  char text[300];
  size_t length;
  const uint8_t *bytes;
  switch (action) {
    case 0: count_call(sallyport_call(client, "GET_LOBBY", "{\"lobby_id\":\"7\"}", ending, NULL)); break;
    case 1:
      bytes = take_bytes(from, &length);
      memcpy(text, bytes, length);
      text[length] = 0;
      count_call(sallyport_set_activity(client, text, ending, NULL));
      break;
    case 2: count_call(sallyport_clear_activity(client, ending, NULL)); break;
    case 3: count_call(sallyport_ask_to_sign_in(client, "openid a b", ending, NULL)); break;
    case 4: count_call(sallyport_sign_in_silently(client, ending, NULL)); break;
    case 5: count_call(sallyport_ping(client, ending, NULL)); break;
    case 6: subscription = sallyport_subscribe(client, "GUILD_STATUS", "{\"guild_id\":\"5\"}", hearing, (void *)"GUILD_STATUS"); break;
    case 7: (void)sallyport_unsubscribe(client, subscription); break;
    case 8: count_call(sallyport_call_within(client, "SET_HTTP_REQUEST_TIMEOUT", "{\"timeout_ms\":50}", 1 + (int64_t)take_byte(from), ending, NULL)); break;
    case 9: count_call(sallyport_call(client, "SEND_LOBBY_MESSAGE", "{\"content\":\"hello\"}", ending, NULL)); break;
    case 10:
      bytes = take_bytes(from, &length);
      memcpy(text, bytes, length);
      text[length] = 0;
      count_call(sallyport_call_keyed(client, "CREATE_MESSAGE", "{}", text, 0, ending, NULL));
      break;
    default: (void)sallyport_close(client); break;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  script from;
  sallyport_options options;
  sallyport_client *client;
  start_server();
  from.next = data;
  from.left = size;
  clock_ms = 1000;
  has_no_memory = 0;
  results = calls = 0;
  nonce[0] = 0;
  sallyport_options_init(&options, sizeof options);
  options.application_id = "42";
  options.runtime_dir = folder;
  options.slot = 0;
  options.allocate = counted;
  options.now_ms = now_ms;
  options.random = half;
  options.max_pending_calls = 8;
  options.max_subscriptions = 4;
  options.queue_reports = size > 0 && data[size - 1] % 2 == 1;
  ending = options.queue_reports ? sallyport_queue_result : on_result;
  hearing = options.queue_reports ? sallyport_queue_event : on_event;
  client = sallyport_create(&options);
  if (client == NULL) abort();
  (void)sallyport_subscribe(client, "AUTHORIZE_REQUEST", NULL, hearing, (void *)"AUTHORIZE_REQUEST");
  (void)sallyport_subscribe(client, "CALL", NULL, hearing, (void *)"CALL");
  (void)sallyport_connect(client, -1);
  (void)sallyport_poll(client, 0);
  serve();
  while (from.left > 0) {
    unsigned action = take_byte(&from) % 26;
    if (action < 10) play_server(action, &from);
    else if (action < 22) play_game(client, action - 10, &from);
    else if (action == 22) clock_ms += 100 * (int64_t)take_byte(&from);
    else if (action == 23) has_no_memory = !has_no_memory;
    (void)sallyport_poll(client, 0);
    take_reports(client);
    serve();
  }
  has_no_memory = 0;
  (void)sallyport_close(client);
  take_reports(client);
  sallyport_destroy(client);
  end_peer();
  serve();
  end_peer();
  /* Each call that was accepted ends exactly once, and nothing stays behind. */
  if (bytes_in_use != 0 || results != calls) abort();
  return 0;
}
