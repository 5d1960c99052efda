/**
 * Measures the client against a running server: CPU time of an idle poll and of a call with its response, and allocations per call.
 * `bench RUNTIME_DIR [CALLS] [COMMAND]`; without a command it sets the presence. Prints one line of JSON.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sallyport/sallyport.h"

#define WARM_CALLS 200
#define IDLE_POLLS 200000

static long allocations;
static long responses;

static void *counted(void *user, void *block, size_t old_size, size_t new_size) {
  (void)user;
  (void)old_size;
  if (new_size == 0) {
    free(block);
    return NULL;
  }
  allocations++;
  return realloc(block, new_size);
}

static void on_result(sallyport_client *client, const sallyport_error *error, sallyport_json data, void *user) {
  (void)client;
  (void)data;
  (void)user;
  if (error == NULL) responses++;
}

static double cpu_us(void) { return (double)clock() * 1e6 / CLOCKS_PER_SEC; }

static int make_call(sallyport_client *client, const char *command) {
  if (command == NULL)
    return sallyport_set_activity(client, "{\"details\":\"Unloading the Copper Wren\",\"state\":\"12 crates ashore\"}", on_result, NULL);
  return sallyport_call(client, command, "{\"lobby_id\":\"7\",\"content\":\"12 crates ashore\"}", on_result, NULL);
}

/** Makes calls one after the other. Returns 0 if one failed. */
static int make_calls(sallyport_client *client, const char *command, long calls) {
  long done = responses;
  long i;
  for (i = 0; i < calls; i++) {
    if (make_call(client, command) != SALLYPORT_OK) return 0;
    while (responses == done + i)
      if (sallyport_poll(client, 1000) < 0 || sallyport_get_state(client)->name != SALLYPORT_READY) return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  sallyport_options options;
  sallyport_client *client;
  const char *command = argc > 3 ? argv[3] : NULL;
  long calls = argc > 2 ? strtol(argv[2], NULL, 10) : 5000;
  long before;
  long i;
  double start;
  double idle;
  double call;
  sallyport_options_init(&options, sizeof options);
  options.application_id = "42";
  options.allocate = counted;
  if (argc > 1) options.runtime_dir = argv[1];
  client = sallyport_create(&options);
  if (client == NULL) return 1;
  (void)sallyport_connect(client, 10000);
  while (sallyport_get_state(client)->name != SALLYPORT_READY)
    if (sallyport_poll(client, 100) < 0 || sallyport_get_state(client)->name == SALLYPORT_OFFLINE) break;
  if (!make_calls(client, command, WARM_CALLS)) {
    fprintf(stderr, "the server does not answer: %s\n", sallyport_last_error(client)->message);
    return 1;
  }
  before = allocations;
  start = cpu_us();
  if (!make_calls(client, command, calls)) return 1;
  call = (cpu_us() - start) / (double)calls;
  before = allocations - before;
  start = cpu_us();
  for (i = 0; i < IDLE_POLLS; i++) (void)sallyport_poll(client, 0);
  idle = (cpu_us() - start) / IDLE_POLLS;
  printf("{\"call_us\":%.2f,\"allocations_per_call\":%.3f,\"idle_poll_us\":%.3f}\n", call, (double)before / (double)calls, idle);
  sallyport_destroy(client);
  return 0;
}
