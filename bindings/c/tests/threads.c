/**
 * For ThreadSanitizer: two clients in two threads, then one client that two threads use under a lock.
 * `threads RUNTIME_DIR CALLS`, against a running server.
 */
#include "../src/posix.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sallyport/sallyport.h"

typedef struct game {
  const char *runtime_dir;
  long calls;
  long done;
  int has_failed;
} game;

static void on_result(sallyport_client *client, const sallyport_error *error, sallyport_json data, void *user) {
  game *of = (game *)user;
  (void)client;
  (void)data;
  of->done++;
  if (error != NULL) of->has_failed = 1;
}

static sallyport_client *connected(const game *of) {
  sallyport_options options;
  sallyport_client *client;
  sallyport_options_init(&options, sizeof options);
  options.application_id = "42";
  options.runtime_dir = of->runtime_dir;
  client = sallyport_create(&options);
  if (client == NULL) abort();
  (void)sallyport_connect(client, 20000);
  while (sallyport_get_state(client)->name != SALLYPORT_READY)
    if (sallyport_poll(client, 100) < 0 || sallyport_get_state(client)->name == SALLYPORT_OFFLINE) abort();
  return client;
}

/** A thread with a client of its own. */
static void *play_alone(void *user) {
  game *of = (game *)user;
  sallyport_client *client = connected(of);
  long i;
  for (i = 0; i < of->calls && !of->has_failed; i++) {
    if (sallyport_call(client, "GET_LOBBY", "{\"lobby_id\":\"7\"}", on_result, of) != SALLYPORT_OK) of->has_failed = 1;
    while (of->done <= i && !of->has_failed)
      if (sallyport_poll(client, 100) < 0) of->has_failed = 1;
  }
  sallyport_destroy(client);
  return NULL;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sallyport_client *shared;
static int is_over;

/** The thread around a shared client: it polls, under the lock. */
static void *poll_shared(void *user) {
  static const struct timespec pause = {0, 50000};
  int over = 0;
  (void)user;
  while (!over) {
    (void)pthread_mutex_lock(&lock);
    (void)sallyport_poll(shared, 0);
    over = is_over;
    (void)pthread_mutex_unlock(&lock);
    (void)nanosleep(&pause, NULL);
  }
  return NULL;
}

static void play_shared(game *of) {
  pthread_t thread;
  long sent = 0;
  long done = 0;
  shared = connected(of);
  if (pthread_create(&thread, NULL, poll_shared, NULL) != 0) abort();
  while (done < of->calls && !of->has_failed) {
    (void)pthread_mutex_lock(&lock);
    if (sent < of->calls && sallyport_call(shared, "GET_LOBBY", "{\"lobby_id\":\"7\"}", on_result, of) == SALLYPORT_OK) sent++;
    done = of->done;
    (void)pthread_mutex_unlock(&lock);
  }
  (void)pthread_mutex_lock(&lock);
  is_over = 1;
  (void)pthread_mutex_unlock(&lock);
  (void)pthread_join(thread, NULL);
  sallyport_destroy(shared);
}

int main(int argc, char **argv) {
  game games[3];
  pthread_t threads[2];
  int i;
  if (argc < 3) return 2;
  for (i = 0; i < 3; i++) {
    games[i].runtime_dir = argv[1];
    games[i].calls = strtol(argv[2], NULL, 10);
    games[i].done = 0;
    games[i].has_failed = 0;
  }
  for (i = 0; i < 2; i++)
    if (pthread_create(&threads[i], NULL, play_alone, &games[i]) != 0) return 1;
  for (i = 0; i < 2; i++) (void)pthread_join(threads[i], NULL);
  play_shared(&games[2]);
  printf("%ld %ld %ld\n", games[0].done, games[1].done, games[2].done);
  return games[0].has_failed || games[1].has_failed || games[2].has_failed;
}
