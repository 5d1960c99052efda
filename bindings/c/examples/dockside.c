/**
 * Dockside, a small terminal game that uses the bridge: it signs in, sets a presence, joins a lobby and chats there.
 * Restart the daemon while it runs: the game waits, reconnects, and continues. Twin of bindings/ts/examples/dockside.ts.
 *
 * A game calls sallyport_poll once per frame; here a small script of steps takes the place of its rules.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sallyport/sallyport.h"

#define APPLICATION "1180000000000000042"
#define FIRST_WAIT_MS 30000
#define TEXT_SIZE 1024
/** Room for the key of the run and the number of a round. */
#define MARK_SIZE (SALLYPORT_KEY_SIZE + 12)

typedef enum step { SIGN_IN, SIGN_IN_ASKING, JOIN, SHOW, CHAT, HISTORY, CLEAR, OVER } step;

typedef struct game {
  sallyport_client *client;
  const char *secret;
  step step;
  int rounds;
  int round;
  int score;
  int is_pending; /* a call waits for its response */
  int frames;     /* before the next step */
  int pause;      /* frames between steps */
  int was_lost;
  int failed;
  int must_look; /* whether the last message was sent is unknown; the history says it */
  char run[SALLYPORT_KEY_SIZE]; /* begins the mark of each message of this run */
  uint64_t lobby;
} game;

static const char *const SHIPS[] = {"Copper Wren", "Patient Ada", "Salt Margin", "Northern Comma", "Quiet Quorum", "Second Breakfast"};
static const char *const CARGOES[] = {"oranges", "piano keys", "umbrellas", "printing ink", "snow globes", "bicycle bells"};

static void say(const char *line) {
  puts(line);
  fflush(stdout);
}

static const char *ship_of(const game *g) { return SHIPS[g->round % 6]; }
static const char *cargo_of(const game *g) { return CARGOES[(g->round * 5 + 2) % 6]; }
/** The tide swallows a few crates every third time. */
static int landed_in(int round) { return 8 + (round * 7) % 9 - (round % 3 == 2 ? 1 + round % 4 : 0); }

static void go_on(game *g, step next) {
  g->step = next;
  g->frames = g->pause;
}

static void fail(game *g, const char *what, const sallyport_error *error) {
  fprintf(stderr, "Dockside failed: %s: %s (%s)\n", what, error->message, error->name);
  g->failed = 1;
}

/** What every response does first. Returns 1 if it is a success; after an error the step is repeated or the game ends. */
static int succeeded(game *g, const char *what, const sallyport_error *error) {
  g->is_pending = 0;
  g->frames = g->pause;
  if (error == NULL) return 1;
  if (error->code == SALLYPORT_ERROR_INVALID_TOKEN || error->code == SALLYPORT_ERROR_INVALID_PERMISSIONS) {
    g->step = SIGN_IN;
  } else if (error->code == SALLYPORT_ERROR_INVALID_LOBBY) {
    g->step = JOIN;
  } else if (!error->is_retryable) {
    fail(g, what, error);
  }
  return 0;
}

static void on_signed_in(sallyport_client *client, const sallyport_error *error, sallyport_json data, void *user) {
  game *g = (game *)user;
  char name[64];
  char line[TEXT_SIZE];
  (void)client;
  if (error != NULL && g->step == SIGN_IN && error->code == SALLYPORT_ERROR_INVALID_TOKEN) {
    g->is_pending = 0;
    go_on(g, SIGN_IN_ASKING);
    return;
  }
  if (error != NULL && error->code == SALLYPORT_ERROR_OAUTH2_ERROR) fail(g, "signing in", error);
  if (!succeeded(g, "signing in", error)) return;
  (void)sallyport_json_string_cut(sallyport_json_at(data, "user.username"), name, sizeof name);
  (void)snprintf(line, sizeof line, "signed in as %s", name);
  say(line);
  go_on(g, JOIN);
}

static void on_joined(sallyport_client *client, const sallyport_error *error, sallyport_json data, void *user) {
  game *g = (game *)user;
  sallyport_lobby lobby;
  char line[TEXT_SIZE];
  (void)client;
  if (!succeeded(g, "joining the lobby", error)) return;
  if (!sallyport_read_lobby(data, &lobby, sizeof lobby) || !sallyport_json_snowflake(lobby.id, &g->lobby)) return;
  (void)snprintf(line, sizeof line, "the crew meets in lobby %llu", (unsigned long long)g->lobby);
  say(line);
  go_on(g, g->round < g->rounds ? SHOW : HISTORY);
}

static void on_shown(sallyport_client *client, const sallyport_error *error, sallyport_json data, void *user) {
  game *g = (game *)user;
  (void)client;
  (void)data;
  if (succeeded(g, "setting the presence", error)) go_on(g, CHAT);
}

static void mark_of(const game *g, char mark[MARK_SIZE]) { (void)snprintf(mark, MARK_SIZE, "%s-%d", g->run, g->round); }

static void count_round(game *g) {
  g->score += landed_in(g->round);
  g->round++;
  go_on(g, g->round < g->rounds ? SHOW : HISTORY);
}

/** Whether a message may have been sent all the same. To send it again could show it twice. */
static int is_unknown(const sallyport_error *error) {
  return error->code == SALLYPORT_ERROR_UNKNOWN_OUTCOME || error->code == SALLYPORT_E_CONNECTION_LOST || error->code == SALLYPORT_E_TIMEOUT;
}

static void on_sent(sallyport_client *client, const sallyport_error *error, sallyport_json data, void *user) {
  game *g = (game *)user;
  (void)client;
  (void)data;
  g->must_look = error != NULL && is_unknown(error);
  if (g->must_look) {
    g->is_pending = 0;
    g->frames = g->pause;
  } else if (succeeded(g, "chatting", error)) {
    count_round(g);
  }
}

/** The history after a message whose outcome is unknown. One that is not there is sent again. */
static void on_looked(sallyport_client *client, const sallyport_error *error, sallyport_json data, void *user) {
  game *g = (game *)user;
  sallyport_json_iterator messages = sallyport_json_iterate(data);
  sallyport_json one;
  char mark[MARK_SIZE];
  (void)client;
  if (!succeeded(g, "reading the history", error)) return;
  g->must_look = 0;
  mark_of(g, mark);
  while (sallyport_json_next(&messages, NULL, &one)) {
    if (!sallyport_json_equals(sallyport_json_at(one, "metadata.mark"), mark)) continue;
    count_round(g);
    return;
  }
}

static void on_history(sallyport_client *client, const sallyport_error *error, sallyport_json data, void *user) {
  game *g = (game *)user;
  sallyport_json_iterator messages = sallyport_json_iterate(data);
  sallyport_json one;
  (void)client;
  if (!succeeded(g, "reading the history", error)) return;
  say("\nthe lobby remembers:");
  while (sallyport_json_next(&messages, NULL, &one)) {
    sallyport_lobby_message message;
    char author[64];
    char content[256];
    char line[TEXT_SIZE];
    (void)sallyport_read_lobby_message(one, &message, sizeof message);
    (void)sallyport_json_string_cut(sallyport_json_get(message.author, "username"), author, sizeof author);
    (void)sallyport_json_string_cut(message.content, content, sizeof content);
    (void)snprintf(line, sizeof line, "  %s: %s", author, content);
    say(line);
  }
  go_on(g, CLEAR);
}

static void on_cleared(sallyport_client *client, const sallyport_error *error, sallyport_json data, void *user) {
  game *g = (game *)user;
  (void)client;
  (void)data;
  if (succeeded(g, "clearing the presence", error)) g->step = OVER;
}

static int join(game *g, sallyport_writer *w) {
  sallyport_write_object(w);
  sallyport_write_key(w, "secret");
  sallyport_write_string(w, g->secret);
  sallyport_write_end(w);
  return sallyport_call(g->client, SALLYPORT_COMMAND_CREATE_OR_JOIN_LOBBY, sallyport_writer_finish(w), on_joined, g);
}

static int show(game *g, sallyport_writer *w) {
  char text[128];
  (void)snprintf(text, sizeof text, "Unloading the %s", ship_of(g));
  sallyport_write_object(w);
  sallyport_write_key(w, "name");
  sallyport_write_string(w, "Dockside");
  sallyport_write_key(w, "details");
  sallyport_write_string(w, text);
  sallyport_write_key(w, "state");
  (void)snprintf(text, sizeof text, "%d crates ashore", g->score);
  sallyport_write_string(w, text);
  sallyport_write_end(w);
  return sallyport_set_activity(g->client, sallyport_writer_finish(w), on_shown, g);
}

static int history(game *g, sallyport_writer *w, sallyport_result_fn on_result) {
  sallyport_write_object(w);
  sallyport_write_key(w, "lobby_id");
  sallyport_write_snowflake(w, g->lobby);
  sallyport_write_key(w, "limit");
  sallyport_write_int64(w, 50);
  sallyport_write_end(w);
  return sallyport_call(g->client, SALLYPORT_COMMAND_GET_LOBBY_MESSAGES, sallyport_writer_finish(w), on_result, g);
}

/** The client sends the message again after a lost connection, and the bridge makes it once. */
static int chat(game *g, sallyport_writer *w) {
  char text[256];
  char mark[MARK_SIZE];
  (void)snprintf(text, sizeof text, "%s: %d crates of %s ashore", ship_of(g), landed_in(g->round), cargo_of(g));
  sallyport_write_object(w);
  sallyport_write_key(w, "lobby_id");
  sallyport_write_snowflake(w, g->lobby);
  sallyport_write_key(w, "content");
  sallyport_write_string(w, text);
  sallyport_write_key(w, "metadata");
  sallyport_write_object(w);
  sallyport_write_key(w, "mark");
  mark_of(g, mark);
  sallyport_write_string(w, mark);
  sallyport_write_end(w);
  sallyport_write_end(w);
  return sallyport_call(g->client, SALLYPORT_COMMAND_SEND_LOBBY_MESSAGE, sallyport_writer_finish(w), on_sent, g);
}

/** Makes the call of the current step. */
static void play(game *g) {
  char buffer[TEXT_SIZE];
  char line[TEXT_SIZE];
  sallyport_writer writer;
  int code = SALLYPORT_OK;
  sallyport_writer_init(&writer, buffer, sizeof buffer);
  switch (g->step) {
    case SIGN_IN:
      code = sallyport_sign_in_silently(g->client, on_signed_in, g);
      break;
    case SIGN_IN_ASKING:
      say("asking for your permission (a browser page may open) ...");
      code = sallyport_ask_to_sign_in(g->client, SALLYPORT_DEFAULT_COMMUNICATION_SCOPES, on_signed_in, g);
      break;
    case JOIN:
      code = join(g, &writer);
      break;
    case SHOW:
      (void)snprintf(line, sizeof line, "\n[%d/%d] the %s comes alongside", g->round + 1, g->rounds, ship_of(g));
      say(line);
      code = show(g, &writer);
      break;
    case CHAT:
      code = g->must_look ? history(g, &writer, on_looked) : chat(g, &writer);
      break;
    case HISTORY:
      code = history(g, &writer, on_history);
      break;
    case CLEAR:
      code = sallyport_clear_activity(g->client, on_cleared, g);
      break;
    case OVER:
      return;
  }
  if (code == SALLYPORT_OK) g->is_pending = 1;
  else if (code != SALLYPORT_E_NOT_READY) fail(g, "a call", sallyport_last_error(g->client));
}

static const char *outcome(sallyport_outcome one, const char *done, const char *failed) {
  return one == SALLYPORT_DONE ? done : one == SALLYPORT_FAILED ? failed : "";
}

static void on_state(sallyport_client *client, const sallyport_state *state, void *user) {
  game *g = (game *)user;
  char line[TEXT_SIZE];
  (void)client;
  if (state->name == SALLYPORT_WAITING && state->was_lost && !g->was_lost) {
    g->was_lost = 1;
    say("  ~ connection to the bridge lost, waiting");
    /* After a restart the lobby has a new id; the secret finds it again. */
    if (g->step > JOIN && g->step < CLEAR) g->step = JOIN;
  }
  if (state->name == SALLYPORT_READY && g->was_lost) {
    g->was_lost = 0;
    (void)snprintf(line, sizeof line, "  ~ back after %.1f s:%s%s%s", (double)state->outage_ms / 1000,
                   outcome(state->sign_in, " signed in,", " sign-in refused,"),
                   state->refused_subscriptions > 0 ? " subscriptions refused" : " subscribed",
                   outcome(state->presence, ", presence set", ", presence refused"));
    say(line);
    if (state->sign_in == SALLYPORT_FAILED) g->step = SIGN_IN;
  }
  if (state->name == SALLYPORT_OFFLINE && state->error != NULL) fail(g, "connecting", state->error);
}

static void on_account(sallyport_client *client, sallyport_account account, void *user) {
  (void)client;
  (void)user;
  if (account == SALLYPORT_REVOKED) say("  ~ your permission was revoked");
}

static void on_join(sallyport_client *client, const char *event, sallyport_json data, void *user) {
  (void)client;
  (void)event;
  (void)data;
  (void)user;
  say("  ~ a friend joins the pier");
}

static void on_authorize_request(sallyport_client *client, const char *event, sallyport_json data, void *user) {
  game *g = (game *)user;
  (void)client;
  (void)event;
  (void)data;
  say("  ~ the platform requests to link your account");
  if (!g->is_pending) g->step = SIGN_IN_ASKING;
}

static int run(game *g, const sallyport_options *options) {
  int has_introduced = 0;
  g->client = sallyport_create(options);
  if (g->client == NULL) {
    fputs("Dockside failed: the options are not valid\n", stderr);
    return 1;
  }
  (void)sallyport_subscribe(g->client, SALLYPORT_EVENT_ACTIVITY_JOIN, NULL, on_join, g);
  (void)sallyport_subscribe(g->client, SALLYPORT_EVENT_AUTHORIZE_REQUEST, NULL, on_authorize_request, g);
  (void)sallyport_connect(g->client, FIRST_WAIT_MS);
  while (!g->failed && g->step != OVER) {
    /* A game with a picture polls with 0 and draws its frame; a terminal waits. */
    if (sallyport_poll(g->client, 16) < 0) break;
    if (sallyport_get_state(g->client)->name != SALLYPORT_READY) continue;
    if (!has_introduced) printf("Dockside - pier 9, via %s\n", sallyport_server_path(g->client));
    has_introduced = 1;
    if (g->frames > 0) g->frames--;
    else if (!g->is_pending) play(g);
  }
  sallyport_destroy(g->client);
  if (g->failed) return 1;
  printf("\n%d crates ashore. Fair winds!\n", g->score);
  return 0;
}

int main(int argc, char **argv) {
  game g;
  sallyport_options options;
  int i;
  memset(&g, 0, sizeof g);
  g.rounds = 5;
  g.pause = 40;
  g.secret = "dockside-pier-9";
  sallyport_options_init(&options, sizeof options);
  options.application_id = APPLICATION;
  options.require_bridge = 1;
  options.sdk_version = "dockside-c/0.1.0";
  options.on_state = on_state;
  options.on_account = on_account;
  options.user = &g;
  for (i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(argv[i], "--fast") == 0) {
      g.pause = 4;
      continue;
    }
    i++;
    if (strcmp(argv[i - 1], "--runtime-dir") == 0) options.runtime_dir = value;
    else if (strcmp(argv[i - 1], "--rounds") == 0) g.rounds = (int)strtol(value, NULL, 10);
    else if (strcmp(argv[i - 1], "--secret") == 0) g.secret = value;
    else if (strcmp(argv[i - 1], "--application") == 0) options.application_id = value;
    else {
      fprintf(stderr, "usage: %s [--fast] [--rounds N] [--secret TEXT] [--application ID] [--runtime-dir FOLDER]\n", argv[0]);
      return 2;
    }
  }
  if (g.rounds < 1 || g.rounds > 100) {
    fputs("--rounds must be a whole number from 1 to 100\n", stderr);
    return 2;
  }
  if (sallyport_key_create(g.run) != SALLYPORT_OK) {
    fputs("Dockside failed: the system has no random source\n", stderr);
    return 1;
  }
  return run(&g, &options);
}
