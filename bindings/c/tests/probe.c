/**
 * A client that a test drives over its standard streams: one command per line in, one JSON object per line out. It counts what the
 * allocator does, and can misuse the API inside callbacks.
 */
#include "../src/posix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if !defined(_WIN32)
#include <fcntl.h>
#include <unistd.h>
#endif

#include "sallyport/sallyport.h"

#define LINE_SIZE 70000

static sallyport_client *client;
static long allocations;
static long bytes_in_use;
static long bytes_at_most;
static char inside[32]; /* what callbacks do: close, destroy, poll, call, quiet; `result-close`: only those of results; `no-memory`: every allocation fails */
static int is_gone;
static long events;

static void *counted(void *user, void *block, size_t old_size, size_t new_size) {
  (void)user;
  if (new_size > 0 && strcmp(inside, "no-memory") == 0) return NULL;
  bytes_in_use -= block == NULL ? 0 : (long)old_size;
  if (new_size == 0) {
    free(block);
    return NULL;
  }
  allocations++;
  bytes_in_use += (long)new_size;
  if (bytes_in_use > bytes_at_most) bytes_at_most = bytes_in_use;
  return realloc(block, new_size);
}

static void returned(int code) {
  printf("{\"return\":%d}\n", code);
}

static void on_result(sallyport_client *of, const sallyport_error *error, sallyport_json data, void *user);

static void misuse(sallyport_client *of, const char *how) {
  if (strcmp(how, "poll") == 0) returned(sallyport_poll(of, 0));
  if (strcmp(how, "close") == 0) (void)sallyport_close(of);
  if (strcmp(how, "call") == 0) returned(sallyport_call(of, "FROM_CALLBACK", NULL, NULL, NULL));
  if (strcmp(how, "destroy") == 0 && !is_gone) {
    is_gone = 1;
    sallyport_destroy(of);
  }
}

static void on_result(sallyport_client *of, const sallyport_error *error, sallyport_json data, void *user) {
  printf("{\"result\":%ld,\"code\":%d,\"name\":\"%s\",\"retryable\":%d,\"retry_after_ms\":%ld,\"bytes\":%ld,\"data\":%.*s}\n", (long)(size_t)user,
         error == NULL ? 0 : error->code, error == NULL ? "" : error->name, error == NULL ? 0 : error->is_retryable,
         error == NULL ? 0L : (long)error->retry_after_ms, (long)data.length, data.length == 0 || data.length > 2000 ? 4 : (int)data.length,
         data.length == 0 || data.length > 2000 ? "null" : data.text);
  misuse(of, strncmp(inside, "result-", 7) == 0 ? inside + 7 : inside);
}

static void on_event(sallyport_client *of, const char *event, sallyport_json data, void *user) {
  (void)user;
  events++;
  if (strcmp(inside, "quiet") == 0) return;
  printf("{\"event\":\"%s\",\"data\":%.*s}\n", event, data.length == 0 || data.length > 2000 ? 4 : (int)data.length,
         data.length == 0 || data.length > 2000 ? "null" : data.text);
  misuse(of, inside);
}

static void on_state(sallyport_client *of, const sallyport_state *state, void *user) {
  static const char *const names[] = {"offline", "connecting", "ready", "waiting", "closed"};
  (void)of;
  (void)user;
  printf("{\"state\":\"%s\",\"error\":\"%s\",\"close_code\":%d,\"sign_in\":%d,\"presence\":%d,\"active\":%d,\"refused\":%d,\"lost\":%d,\"delay\":%ld}\n",
         names[state->name], state->error == NULL ? "" : state->error->name, state->error == NULL ? 0 : state->error->close_code,
         state->sign_in, state->presence, state->active_subscriptions, state->refused_subscriptions, state->was_lost,
         (long)state->delay_ms);
}

static void on_account(sallyport_client *of, sallyport_account account, void *user) {
  (void)of;
  (void)user;
  printf("{\"account\":%d}\n", (int)account);
}

static double cpu_ms(void) { return (double)clock() * 1000.0 / CLOCKS_PER_SEC; }

/** `idle N`: the CPU time of N polls when nothing happens, in microseconds each. */
static void measure_idle(long polls) {
  double before = cpu_ms();
  long i;
  for (i = 0; i < polls && !is_gone; i++) (void)sallyport_poll(client, 0);
  printf("{\"idle_us\":%.3f}\n", (cpu_ms() - before) * 1000.0 / (double)polls);
}

static const char *next_word(char **rest) {
  char *word = *rest;
  char *space = strchr(word, ' ');
  if (space == NULL) {
    *rest = word + strlen(word);
  } else {
    *space = 0;
    *rest = space + 1;
  }
  return word;
}

/** Returns 0 at the end. */
static int obey(char *line) {
  static long calls;
  char *rest = line;
  const char *word = next_word(&rest);
  if (strcmp(word, "quit") == 0) return 0;
  if (strcmp(word, "inside") == 0) {
    (void)snprintf(inside, sizeof inside, "%s", rest);
  } else if (strcmp(word, "count") == 0) {
    printf("{\"allocations\":%ld,\"in_use\":%ld,\"at_most\":%ld,\"events\":%ld,\"cpu_ms\":%.1f}\n", allocations, bytes_in_use, bytes_at_most, events,
           cpu_ms());
  } else if (is_gone) {
    returned(-99);
  } else if (strcmp(word, "connect") == 0) {
    returned(sallyport_connect(client, strtol(rest, NULL, 10)));
  } else if (strcmp(word, "call") == 0) {
    const char *command = next_word(&rest);
    int code = sallyport_call(client, command, *rest == 0 ? NULL : rest, on_result, (void *)(size_t)++calls);
    if (code != SALLYPORT_OK) returned(code);
  } else if (strcmp(word, "within") == 0) {
    long timeout = strtol(next_word(&rest), NULL, 10);
    returned(sallyport_call_within(client, next_word(&rest), NULL, timeout, on_result, (void *)(size_t)++calls));
  } else if (strcmp(word, "activity") == 0) {
    returned(sallyport_set_activity(client, *rest == 0 ? NULL : rest, on_result, (void *)(size_t)++calls));
  } else if (strcmp(word, "subscribe") == 0) {
    const char *event = next_word(&rest);
    returned(sallyport_subscribe(client, event, *rest == 0 ? NULL : rest, on_event, NULL));
  } else if (strcmp(word, "unsubscribe") == 0) {
    returned(sallyport_unsubscribe(client, (int)strtol(rest, NULL, 10)));
  } else if (strcmp(word, "status") == 0) {
    int code;
    int status = (int)sallyport_get_subscription(client, (int)strtol(rest, NULL, 10), &code);
    printf("{\"status\":%d,\"code\":%d}\n", status, code);
  } else if (strcmp(word, "sign-in") == 0) {
    returned(sallyport_ask_to_sign_in(client, rest, on_result, (void *)(size_t)++calls));
  } else if (strcmp(word, "sign-in-silently") == 0) {
    returned(sallyport_sign_in_silently(client, on_result, (void *)(size_t)++calls));
  } else if (strcmp(word, "idle") == 0) {
    measure_idle(strtol(rest, NULL, 10));
  } else if (strcmp(word, "ping") == 0) {
    returned(sallyport_ping(client, on_result, (void *)(size_t)++calls));
  } else if (strcmp(word, "close") == 0) {
    returned(sallyport_close(client));
  } else {
    returned(-100);
  }
  return 1;
}

#if !defined(_WIN32)
/** Obeys the whole lines that came. Returns 0 at the end of the input or of the test. */
static int read_lines(void) {
  static char lines[LINE_SIZE];
  static size_t length;
  ssize_t got = read(0, lines + length, sizeof lines - length);
  char *end;
  if (got == 0) return 0;
  if (got > 0) length += (size_t)got;
  while ((end = (char *)memchr(lines, '\n', length)) != NULL) {
    size_t bytes = (size_t)(end - lines) + 1;
    *end = 0;
    if (!obey(lines)) return 0;
    memmove(lines, lines + bytes, length - bytes);
    length -= bytes;
  }
  return 1;
}
#endif

int main(int argc, char **argv) {
  sallyport_options options;
  sallyport_options_init(&options, sizeof options);
  options.application_id = "42";
  options.allocate = counted;
  options.on_state = on_state;
  options.on_account = on_account;
  options.on_event = on_event;
  if (argc > 1) options.runtime_dir = argv[1];
  if (argc > 2) options.require_bridge = atoi(argv[2]);
#if !defined(_WIN32)
  if (argc > 3) options.reconnect = atoi(argv[3]);
#endif
  client = sallyport_create(&options);
  if (client == NULL) return 1;
#if defined(_WIN32)
  {
    int i;
    /* No commands here: the rest of the words are the commands, each obeyed once the client is ready. */
    (void)sallyport_connect(client, 20000);
    for (i = 0; i < 3000 && sallyport_get_state(client)->name != SALLYPORT_READY; i++) (void)sallyport_poll(client, 10);
    for (i = 3; i < argc; i++) {
      int left;
      (void)obey(argv[i]);
      for (left = 0; left < 20; left++) (void)sallyport_poll(client, 20);
    }
  }
#else
  (void)fcntl(0, F_SETFL, fcntl(0, F_GETFL, 0) | O_NONBLOCK);
  while (read_lines()) {
    if (is_gone || sallyport_poll(client, 2) == SALLYPORT_E_CLOSED) {
      struct timespec pause = {0, 2000000};
      (void)nanosleep(&pause, NULL);
    }
    (void)fflush(stdout);
  }
#endif
  if (!is_gone) sallyport_destroy(client);
  printf("{\"left\":%ld}\n", bytes_in_use);
  return bytes_in_use == 0 ? 0 : 1;
}
