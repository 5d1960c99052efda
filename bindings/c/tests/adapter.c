/** The adapter of the C client for the conformance kit. It fails at the end if the client left memory behind. */
#include "../src/posix.h"

#include <time.h>

#include "adapter.h"
#include "sallyport/sallyport.h"

#define SUBSCRIPTIONS 16

static sallyport_client *client;
static long bytes_in_use;
static int64_t added_ms;
static struct {
  char name[64];
  int id;
} subscriptions[SUBSCRIPTIONS];

static void *counted(void *user, void *block, size_t old_size, size_t new_size) {
  (void)user;
  bytes_in_use += (long)new_size - (block == NULL ? 0L : (long)old_size);
  if (new_size > 0) return realloc(block, new_size);
  free(block);
  return NULL;
}

static int64_t now_ms(void *user) {
  struct timespec now;
  (void)user;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 + added_ms;
}

static const char *kind_of(int code) {
  if (code > 0) return "refused";
  if (code == SALLYPORT_E_TIMEOUT) return "timeout";
  if (code == SALLYPORT_E_CLOSED) return "closed";
  return code == SALLYPORT_E_CONNECTION_LOST ? "lost" : "not-sent";
}

static void on_result(sallyport_client *of, const sallyport_error *error, sallyport_json data, void *user) {
  long id = (long)(intptr_t)user;
  (void)of;
  if (error == NULL) adapter_result(id, data);
  else adapter_failure(id, kind_of(error->code), error->code, error->message, (long)error->retry_after_ms);
}

static void on_event(sallyport_client *of, const char *event, sallyport_json data, void *user) {
  (void)of;
  (void)user;
  adapter_dispatch(event, data);
}

static void on_state(sallyport_client *of, const sallyport_state *state, void *user) {
  static const char *const names[] = {"offline", "connecting", "ready", "waiting", "closed"};
  (void)of;
  (void)user;
  adapter_state(names[state->name], state->error == NULL ? 0 : state->error->close_code, state->error == NULL ? NULL : state->error->message);
}

static void create(const char *application, const char *runtime_dir, int allow_packaged_client) {
  sallyport_options options;
  sallyport_options_init(&options, sizeof options);
  options.application_id = application;
  options.runtime_dir = runtime_dir;
  options.allocate = counted;
  options.now_ms = now_ms;
  options.on_state = on_state;
  options.allow_packaged_client = allow_packaged_client;
  client = sallyport_create(&options);
  if (client == NULL) abort();
}

static sallyport_client *made(void) {
  if (client == NULL) create("1", NULL, 0);
  return client;
}

/** Reports a call that was not sent; the callback reports the others. */
static void sent(long id, int code) {
  if (code < 0) adapter_failure(id, kind_of(code), code, sallyport_last_error(client)->message, 0);
}

static void do_connect(sallyport_json request) {
  char *application = adapter_text(request, "application_id");
  char *runtime_dir = adapter_text(request, "runtime_dir");
  int allow_packaged_client = 0;
  (void)sallyport_json_bool(sallyport_json_get(request, "allow_packaged_client"), &allow_packaged_client);
  create(application, runtime_dir, allow_packaged_client);
  (void)sallyport_connect(client, adapter_number(request, "timeout_ms", -1));
  free(application);
  free(runtime_dir);
}

static void do_call(sallyport_json request) {
  long id = adapter_number(request, "id", 0);
  char *command = adapter_text(request, "command");
  char *args = adapter_text(request, "args");
  long timeout = adapter_number(request, "timeout_ms", 0);
  char *key = adapter_text(request, "key");
  sent(id, sallyport_call_keyed(made(), command, args, key, timeout, on_result, (void *)(intptr_t)id));
  free(command);
  free(key);
  free(args);
}

static void do_activity(sallyport_json request) {
  long id = adapter_number(request, "id", 0);
  char *activity = adapter_text(request, "activity");
  sent(id, sallyport_set_activity(made(), activity, on_result, (void *)(intptr_t)id));
  free(activity);
}

/** The scopes of a request, separated by spaces. */
static const char *scopes_of(sallyport_json request, char scopes[256]) {
  sallyport_json_iterator iterator = sallyport_json_iterate(sallyport_json_get(request, "scopes"));
  sallyport_json scope;
  scopes[0] = 0;
  while (sallyport_json_next(&iterator, NULL, &scope)) {
    size_t used = strlen(scopes);
    if (used > 0) scopes[used++] = ' ';
    (void)sallyport_json_string(scope, scopes + used, 256 - used, NULL);
  }
  return scopes;
}

static void do_sign_in(sallyport_json request) {
  long id = adapter_number(request, "id", 0);
  char scopes[256];
  sent(id, sallyport_ask_to_sign_in(made(), scopes_of(request, scopes), on_result, (void *)(intptr_t)id));
}

static void do_sign_in_if_needed(sallyport_json request) {
  long id = adapter_number(request, "id", 0);
  char scopes[256];
  sent(id, sallyport_sign_in(made(), scopes_of(request, scopes), on_result, (void *)(intptr_t)id));
}

static void do_sign_out(sallyport_json request) {
  long id = adapter_number(request, "id", 0);
  sent(id, sallyport_sign_out(made(), on_result, (void *)(intptr_t)id));
}

static void do_sign_in_silently(sallyport_json request) {
  long id = adapter_number(request, "id", 0);
  sent(id, sallyport_sign_in_silently(made(), on_result, (void *)(intptr_t)id));
}

static void do_subscribe(sallyport_json request) {
  char *name = adapter_text(request, "name");
  char *args = adapter_text(request, "args");
  int i = 0;
  while (i < SUBSCRIPTIONS - 1 && subscriptions[i].id != 0) i++;
  (void)snprintf(subscriptions[i].name, sizeof subscriptions[i].name, "%s", name);
  subscriptions[i].id = sallyport_subscribe(made(), name, args, on_event, NULL);
  free(name);
  free(args);
}

static void do_unsubscribe(sallyport_json request) {
  char *name = adapter_text(request, "name");
  int i;
  for (i = 0; i < SUBSCRIPTIONS; i++) {
    if (subscriptions[i].id == 0 || strcmp(subscriptions[i].name, name) != 0) continue;
    (void)sallyport_unsubscribe(made(), subscriptions[i].id);
    subscriptions[i].id = 0;
  }
  free(name);
}

static void do_advance(sallyport_json request) { added_ms += adapter_number(request, "ms", 0); }

static void do_close(sallyport_json request) {
  (void)request;
  (void)sallyport_close(made());
  (void)puts("{\"event\":\"closed\"}");
}

static const adapter_action ACTIONS[] = {{"connect", do_connect},
                                         {"call", do_call},
                                         {"activity", do_activity},
                                         {"sign_in", do_sign_in},
                                         {"sign_in_silently", do_sign_in_silently},
                                         {"sign_in_if_needed", do_sign_in_if_needed},
                                         {"sign_out", do_sign_out},
                                         {"subscribe", do_subscribe},
                                         {"unsubscribe", do_unsubscribe},
                                         {"advance", do_advance},
                                         {"close", do_close},
                                         {NULL, NULL}};

static void poll_client(void) {
  static const struct timespec pause = {0, 2000000};
  if (client == NULL || sallyport_poll(client, 2) < 0 || sallyport_get_state(client)->name == SALLYPORT_OFFLINE) (void)nanosleep(&pause, NULL);
}

int main(void) {
  adapter_run(ACTIONS, poll_client);
  sallyport_destroy(client);
  if (bytes_in_use != 0) fprintf(stderr, "the client left %ld bytes behind\n", bytes_in_use);
  return bytes_in_use == 0 ? 0 : 1;
}
