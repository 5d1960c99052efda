/** Unit tests of the parts that need no server: JSON, SHA-256, proof keys, frames, delays, and misuse of the API. */
#include <math.h>
#include <stdlib.h>

#include "../src/client.h"
#include "../src/json_internal.h"
#include "sallyport/sallyport.h"
#include "tap.h"

static int parses(const char *text) {
  sallyport_json value;
  return sallyport_json_parse(text, strlen(text), &value);
}

static sallyport_json parsed(const char *text) {
  sallyport_json value;
  (void)sallyport_json_parse(text, strlen(text), &value);
  return value;
}

static void test_grammar(void) {
  static const char *const good[] = {"0", "-0.5e+3", "\"\"", "[]", "{}", " [ 1 , 2 ] ", "{\"a\":{\"b\":[null,true,false]}}",
                                     "\"\\u00e9\\n\\\\\\\"\"", "\"\xc3\xa9\xf0\x9f\x98\x80\"", "[[],{},\"\"]"};
  static const char *const bad[] = {"", " ", "01", "+1", ".5", "1.", "1e", "-", "nul", "[1,]", "{\"a\":1,}", "{a:1}", "[1 2]", "{\"a\" 1}",
                                    "\"", "\"\\x\"", "\"\\u12\"", "\"\t\"", "[", "]", "{]", "[}", "1 1", "\"\xff\"", "\"\xc0\x80\"",
                                    "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "'a'", "{\"a\":}", "{,}", "[,]", "\xef\xbb\xbf{}"};
  size_t i;
  for (i = 0; i < sizeof good / sizeof good[0]; i++) OK(parses(good[i]), good[i]);
  for (i = 0; i < sizeof bad / sizeof bad[0]; i++) OK(!parses(bad[i]), "refuses bad JSON");
}

static void test_depth(void) {
  char text[4 * SALLYPORT_JSON_MAX_DEPTH];
  int i;
  for (i = 0; i < SALLYPORT_JSON_MAX_DEPTH; i++) {
    text[i] = '[';
    text[SALLYPORT_JSON_MAX_DEPTH + i] = ']';
  }
  text[2 * SALLYPORT_JSON_MAX_DEPTH] = 0;
  OK(parses(text), "accepts the deepest nesting");
  memmove(text + 1, text, 2 * SALLYPORT_JSON_MAX_DEPTH);
  text[0] = '[';
  text[2 * SALLYPORT_JSON_MAX_DEPTH + 1] = ']';
  text[2 * SALLYPORT_JSON_MAX_DEPTH + 2] = 0;
  OK(!parses(text), "refuses one level more");
}

static void test_strings(void) {
  char buffer[32];
  size_t length = 0;
  OK(sallyport_json_string(parsed("\"a\\u00e9\\ud83d\\ude00\\n\""), buffer, sizeof buffer, &length), "unescapes");
  SAME(buffer, "a\xc3\xa9\xf0\x9f\x98\x80\n", "to UTF-8");
  OK(length == 8, "with the length in bytes");
  OK(sallyport_json_string(parsed("\"\\ud83d!\""), buffer, sizeof buffer, NULL), "a lone surrogate");
  SAME(buffer, "\xef\xbf\xbd!", "becomes U+FFFD");
  OK(!sallyport_json_string(parsed("\"abcdef\""), buffer, 6, &length) && buffer[0] == 0 && length == 6, "reports the length that does not fit");
  OK(sallyport_json_string(parsed("\"abcde\""), buffer, 6, NULL), "fits with its zero");
  OK(sallyport_json_string_cut(parsed("\"ab\\u00e9\""), buffer, 4), "cuts");
  SAME(buffer, "ab", "at the end of a character");
  OK(!sallyport_json_string(parsed("7"), buffer, sizeof buffer, NULL), "a number is no string");
  OK(sallyport_json_equals(parsed("\"\\u0061b\""), "ab"), "compares after unescaping");
  OK(!sallyport_json_equals(parsed("\"a\\u0000b\""), "a"), "a zero does not end a string");
  OK(!sallyport_json_equals(parsed("\"ab\""), "abc") && !sallyport_json_equals(parsed("\"abc\""), "ab"), "a prefix is not equal");
  OK(sally_utf8_length((const unsigned char *)"\xe2\x82", 2) == 0, "a character that is cut is not UTF-8");
}

static void test_numbers(void) {
  int64_t whole = 0;
  uint64_t id = 0;
  double real = 0;
  int flag = 0;
  OK(sallyport_json_int64(parsed("-9223372036854775807"), &whole) && whole == -INT64_MAX, "reads 64 bits");
  OK(!sallyport_json_int64(parsed("9223372036854775808"), &whole), "refuses more");
  OK(sallyport_json_int64(parsed("3.0e2"), &whole) && whole == 300, "a whole float is an integer");
  OK(!sallyport_json_int64(parsed("3.5"), &whole) && !sallyport_json_int64(parsed("1e300"), &whole), "others are not");
  OK(sallyport_json_double(parsed("-1.25e-2"), &real) && fabs(real + 0.0125) < 1e-15, "reads doubles");
  OK(!sallyport_json_double(parsed("1e999"), &real), "refuses infinity");
  OK(sallyport_json_snowflake(parsed("\"18446744073709551615\""), &id) && id == UINT64_MAX, "reads ids");
  OK(!sallyport_json_snowflake(parsed("\"18446744073709551616\""), &id) && !sallyport_json_snowflake(parsed("\"12a\""), &id) &&
         !sallyport_json_snowflake(parsed("\"\""), &id),
     "refuses what is no id");
  OK(sallyport_json_bool(parsed("true"), &flag) && flag == 1 && !sallyport_json_bool(parsed("1"), &flag), "reads flags");
}

static void test_access(void) {
  sallyport_json object = parsed("{\"user\":{\"id\":\"7\",\"list\":[1,[2,\"]\"],{\"a\":3}]},\"x\":1,\"x\":2}");
  sallyport_json list = sallyport_json_at(object, "user.list");
  sallyport_json_iterator iterator = sallyport_json_iterate(list);
  sallyport_json one;
  int64_t number = 0;
  uint64_t id = 0;
  OK(sallyport_json_snowflake(sallyport_json_at(object, "user.id"), &id) && id == 7, "follows a path");
  OK(sallyport_json_count(list) == 3 && sallyport_json_count(object) == 3, "counts");
  OK(sallyport_json_next(&iterator, NULL, &one) && sallyport_json_next(&iterator, NULL, &one) &&
         sallyport_json_type_of(one) == SALLYPORT_JSON_ARRAY && one.length == 7,
     "iterates over nested values");
  OK(sallyport_json_int64(sallyport_json_get(object, "x"), &number) && number == 2, "the last of equal keys counts");
  OK(sallyport_json_type_of(sallyport_json_at(object, "user.none.deep")) == SALLYPORT_JSON_MISSING, "a missing value is missing");
  OK(sallyport_json_count(parsed("\"[1]\"")) == 0, "a string has no items");
}

static void test_writer(void) {
  char buffer[128];
  sallyport_writer writer;
  sallyport_writer_init(&writer, buffer, sizeof buffer);
  sallyport_write_object(&writer);
  sallyport_write_key(&writer, "a\"");
  sallyport_write_array(&writer);
  sallyport_write_int64(&writer, INT64_MIN);
  sallyport_write_double(&writer, 0.5);
  sallyport_write_bool(&writer, 1);
  sallyport_write_null(&writer);
  sallyport_write_string(&writer, "\x01\\\xc3\xa9");
  sallyport_write_end(&writer);
  sallyport_write_key(&writer, "id");
  sallyport_write_snowflake(&writer, UINT64_MAX);
  sallyport_write_end(&writer);
  SAME(sallyport_writer_finish(&writer),
       "{\"a\\\"\":[-9223372036854775808,0.5,true,null,\"\\u0001\\\\\xc3\xa9\"],\"id\":\"18446744073709551615\"}", "writes");
  sallyport_writer_init(&writer, buffer, 4);
  sallyport_write_string(&writer, "abc");
  OK(sallyport_writer_finish(&writer) == NULL, "a buffer that is too small is an error");
  sallyport_writer_init(&writer, buffer, sizeof buffer);
  sallyport_write_string(&writer, "\xff");
  OK(sallyport_writer_finish(&writer) == NULL, "invalid UTF-8 is an error");
  sallyport_writer_init(&writer, buffer, sizeof buffer);
  sallyport_write_object(&writer);
  sallyport_write_int64(&writer, 1);
  OK(sallyport_writer_finish(&writer) == NULL, "a value without a key is an error");
  sallyport_writer_init(&writer, buffer, sizeof buffer);
  sallyport_write_double(&writer, HUGE_VAL);
  OK(sallyport_writer_finish(&writer) == NULL, "infinity is an error");
  sallyport_writer_init(&writer, buffer, sizeof buffer);
  sallyport_write_int64(&writer, 1);
  sallyport_write_int64(&writer, 2);
  OK(sallyport_writer_finish(&writer) == NULL, "two values are an error");
}

static void hex_of(const unsigned char *digest, char *text) {
  int i;
  for (i = 0; i < SALLY_SHA256_BYTES; i++) (void)sprintf(text + 2 * i, "%02x", digest[i]);
}

/** FIPS 180-4 examples, RFC 4648 and RFC 7636 appendix B. */
static void test_crypto(void) {
  static const struct {
    const char *text;
    const char *digest;
  } vectors[] = {{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
                 {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
                 {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
                 {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                  "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"}};
  static char many[1000000];
  unsigned char digest[SALLY_SHA256_BYTES];
  char text[2 * SALLY_SHA256_BYTES + 1];
  char challenge[SALLYPORT_PKCE_SIZE];
  sallyport_pkce one;
  sallyport_pkce other;
  size_t i;
  for (i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
    sally_sha256(vectors[i].text, strlen(vectors[i].text), digest);
    hex_of(digest, text);
    SAME(text, vectors[i].digest, "SHA-256 of a published vector");
  }
  memset(many, 'a', sizeof many);
  sally_sha256(many, sizeof many, digest);
  hex_of(digest, text);
  SAME(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0", "SHA-256 of a million letters");
  OK(sally_base64url((const unsigned char *)"\xfb\xff\xfe" "f", 4, text) == 6, "base64url has no padding");
  SAME(text, "-__-Zg", "and its own two digits");
  OK(sallyport_pkce_challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", challenge) == SALLYPORT_OK, "a challenge");
  SAME(challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "of RFC 7636");
  OK(sallyport_pkce_challenge("short", challenge) == SALLYPORT_E_ARGUMENT, "a short verifier is refused");
  OK(sallyport_pkce_create(&one) == SALLYPORT_OK && sallyport_pkce_create(&other) == SALLYPORT_OK, "makes keys");
  OK(strlen(one.verifier) == 43 && strlen(one.challenge) == 43 && strcmp(one.verifier, other.verifier) != 0, "that differ");
}

static void test_keys(void) {
  char one[SALLYPORT_KEY_SIZE];
  char other[SALLYPORT_KEY_SIZE];
  OK(sallyport_key_create(one) == SALLYPORT_OK && sallyport_key_create(other) == SALLYPORT_OK, "makes the keys of calls");
  OK(strlen(one) == 32 && strspn(one, "0123456789abcdef") == 32 && strcmp(one, other) != 0, "of 32 digits, that differ");
  OK(sallyport_key_create(NULL) == SALLYPORT_E_ARGUMENT, "without room it is an error");
}

static void test_frames(void) {
  static const char frame[] = "\x01\0\0\0\x02\0\0\0{}";
  sally_frame found;
  size_t length;
  int is_incomplete = 1;
  for (length = 0; length < sizeof frame - 1; length++) is_incomplete = is_incomplete && sally_frame_peek(frame, length, SALLYPORT_LIMIT_CONTRACT_FRAME_BYTES, &found) == 0;
  OK(is_incomplete, "a frame needs all its bytes");
  OK(sally_frame_peek(frame, sizeof frame - 1, SALLYPORT_LIMIT_CONTRACT_FRAME_BYTES, &found) == 1 && found.opcode == 1 && found.length == 2, "and is found then");
  OK(sally_frame_peek("\0\0\0\0\0\0\0\0", 8, SALLYPORT_LIMIT_CONTRACT_FRAME_BYTES, &found) == -1 && sally_frame_peek("\5\0\0\0\0\0\0\0", 8, SALLYPORT_LIMIT_CONTRACT_FRAME_BYTES, &found) == -1,
     "a handshake and unknown types are refused");
  OK(sally_frame_peek("\1\0\0\0\1\0\x10\0", 8, SALLYPORT_LIMIT_CONTRACT_FRAME_BYTES, &found) == -1 && sally_frame_peek("\1\0\0\0\xff\xff\xff\xff", 8, SALLYPORT_LIMIT_CONTRACT_FRAME_BYTES, &found) == -1,
     "a length over the limit is refused before its bytes come");
}

static void test_delays(void) {
  OK(sally_backoff(0, 100, 500, 0) == 50 && sally_backoff(0, 100, 500, 0.999) == 100, "the first delay is 50 to 100 ms");
  OK(sally_backoff(2, 100, 500, 0.999) == 400 && sally_backoff(9, 100, 500, 0.999) == 500, "delays double up to the cap");
  OK(sally_backoff(1000, 100, 5000, 0) == 2500, "and stay there");
}

static int calls_back;
static void on_result(sallyport_client *client, const sallyport_error *error, sallyport_json data, void *user) {
  (void)client;
  (void)error;
  (void)data;
  (void)user;
  calls_back++;
}
static void on_event(sallyport_client *client, const char *event, sallyport_json data, void *user) {
  (void)client;
  (void)event;
  (void)data;
  (void)user;
}

static void on_deferred(sallyport_client *client, const sallyport_error *error, sallyport_json data, void *user) {
  (void)client;
  (void)data;
  *(int *)user = error == NULL ? 1 : error->code;
}

/** Whether these options are refused, with a sentence that names the option. */
static int refuses(const sallyport_options *options, const char *name) {
  const char *problem = sallyport_check_options(options);
  return sallyport_create(options) == NULL && problem != NULL && strstr(problem, name) != NULL;
}

static void test_ids(sallyport_options *options) {
  static const char *const wrong[] = {"", "0", "01", "12x", "-1", " 1", "18446744073709551616", "11800000000000000420000"};
  size_t i;
  int is_refused = 1;
  for (i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    options->application_id = wrong[i];
    is_refused = is_refused && refuses(options, "application_id");
  }
  OK(is_refused, "an application id is a whole number of 64 bits");
  options->application_id = "18446744073709551615";
  OK(sallyport_check_options(options) == NULL, "and may be the largest one");
  options->application_id = "42";
}

static void test_options(void) {
  sallyport_options options;
  sallyport_options_init(&options, sizeof options);
  OK(sallyport_create(NULL) == NULL && sallyport_check_options(NULL) != NULL, "options are required");
  OK(refuses(&options, "application_id"), "and an application id in them");
  test_ids(&options);
  options.slot = 10;
  OK(refuses(&options, "slot"), "a slot is 0 to 9");
  options.slot = -1;
  options.ipc_prefix = "../x";
  OK(refuses(&options, "ipc_prefix"), "a prefix is no path");
  options.ipc_prefix = NULL;
  options.sdk_version = "\xff";
  OK(refuses(&options, "sdk_version"), "texts are UTF-8");
}

static void test_misuse(void) {
  sallyport_options options;
  sallyport_client *client;
  int id;
  int i;
  int ends[2] = {0, 0};
  sallyport_options_init(&options, sizeof options);
  options.application_id = "42";
  options.runtime_dir = "/nonexistent-sallyport";
  options.max_subscriptions = 2;
  client = sallyport_create(&options);
  OK(client != NULL, "creates a client");
  OK(sallyport_poll(NULL, 0) == SALLYPORT_E_ARGUMENT && sallyport_connect(NULL, 0) == SALLYPORT_E_ARGUMENT &&
         sallyport_close(NULL) == SALLYPORT_E_ARGUMENT && sallyport_call(NULL, "X", NULL, NULL, NULL) == SALLYPORT_E_ARGUMENT &&
         sallyport_set_activity(NULL, NULL, NULL, NULL) == SALLYPORT_E_ARGUMENT &&
         sallyport_sign_in(NULL, "", NULL, NULL) == SALLYPORT_E_ARGUMENT && sallyport_unsubscribe(NULL, 1) == SALLYPORT_E_ARGUMENT &&
         sallyport_subscribe(NULL, "X", NULL, on_event, NULL) == SALLYPORT_E_ARGUMENT && sallyport_get_state(NULL) == NULL,
     "a null client is an error");
  sallyport_destroy(NULL);
  OK(sallyport_call(client, "GET_LOBBY", "{}", on_result, NULL) == SALLYPORT_E_NOT_READY, "a call before connect is an error");
  SAME(sallyport_last_error(client)->name, "E_NOT_READY", "with a name");
  OK(sallyport_call(client, NULL, NULL, on_result, NULL) == SALLYPORT_E_ARGUMENT, "without a command too");
  OK(sallyport_call(client, "X", "[1]", on_result, NULL) == SALLYPORT_E_JSON &&
         sallyport_call(client, "X", "{},\"cmd\":\"Y\"", on_result, NULL) == SALLYPORT_E_JSON,
     "arguments are one JSON object");
  OK(sallyport_call_keyed(client, "CREATE_MESSAGE", "{}", "0123456789abcdef0123456789abcde", 0, on_result, NULL) == SALLYPORT_E_ARGUMENT &&
         sallyport_call_keyed(client, "CREATE_MESSAGE", "{}", "0123456789ABCDEF0123456789abcdef", 0, on_result, NULL) == SALLYPORT_E_ARGUMENT &&
         sallyport_call_keyed(client, "CREATE_MESSAGE", "{}", "", 0, on_result, NULL) == SALLYPORT_E_ARGUMENT,
     "a key has 32 digits in lower case");
  OK(sallyport_call_keyed(client, "GET_LOBBY", "{}", "0123456789abcdef0123456789abcdef", 0, on_result, NULL) == SALLYPORT_E_ARGUMENT,
     "a command that takes no key gets none");
  OK(sallyport_call_keyed(client, "CREATE_MESSAGE", "{}", "0123456789abcdef0123456789abcdef", 0, on_result, NULL) == SALLYPORT_E_NOT_READY,
     "a call with a key needs a connection too");
  OK(sallyport_call(client, "SUBSCRIBE", NULL, on_result, NULL) == SALLYPORT_E_ARGUMENT, "subscriptions have their own function");
  OK(sallyport_set_activity(client, "{\"state\":\"x\"}", NULL, NULL) == SALLYPORT_DEFERRED, "a presence is kept for later");
  OK(sallyport_set_activity(client, "{\"state\":\"x\"}", on_deferred, &ends[0]) == SALLYPORT_DEFERRED &&
         sallyport_set_activity(client, "{\"state\":\"y\"}", on_deferred, &ends[1]) == SALLYPORT_DEFERRED && ends[0] == 0,
     "so is a newer one");
  id = sallyport_subscribe(client, "ACTIVITY_JOIN", NULL, on_event, NULL);
  OK(id > 0 && sallyport_get_subscription(client, id, NULL) == SALLYPORT_SUBSCRIPTION_WAITING, "subscribes before connect");
  OK(sallyport_subscribe(client, "READY", NULL, on_event, NULL) > 0, "an automatic event needs no subscription");
  OK(sallyport_subscribe(client, "X", NULL, on_event, NULL) == SALLYPORT_E_LIMIT, "subscriptions are limited");
  OK(sallyport_unsubscribe(client, id) == SALLYPORT_OK && sallyport_unsubscribe(client, id) == SALLYPORT_E_ARGUMENT,
     "unsubscribes once");
  OK(sallyport_subscribe(client, "X", NULL, NULL, NULL) == SALLYPORT_E_ARGUMENT, "a subscription needs a callback");
  OK(sallyport_connect(client, 0) == SALLYPORT_OK, "connects");
  for (i = 0; i < 3; i++) (void)sallyport_poll(client, 0);
  OK(ends[0] == SALLYPORT_E_REPLACED && ends[1] == 0, "which replaced it in the next poll");
  OK(sallyport_get_state(client)->name == SALLYPORT_OFFLINE, "is offline after one scan");
  OK(sallyport_get_state(client)->error->code == SALLYPORT_E_NO_SERVER, "because there is no server");
  OK(sallyport_close(client) == SALLYPORT_OK && sallyport_close(client) == SALLYPORT_OK, "closes, also twice");
  OK(sallyport_poll(client, 0) == SALLYPORT_E_CLOSED && sallyport_connect(client, 0) == SALLYPORT_E_CLOSED &&
         sallyport_call(client, "X", NULL, on_result, NULL) == SALLYPORT_E_CLOSED &&
         sallyport_subscribe(client, "X", NULL, on_event, NULL) == SALLYPORT_E_CLOSED,
     "is unusable then");
  sallyport_destroy(client);
  OK(ends[1] == SALLYPORT_E_CLOSED, "closing ends a presence that was never shown");
  OK(calls_back == 0, "a function that fails does not call back");
}

static int allowed;
static long in_use;
static void *limited(void *user, void *block, size_t old_size, size_t new_size) {
  (void)user;
  if (new_size == 0) {
    in_use -= (long)old_size;
    free(block);
    return NULL;
  }
  if (allowed-- <= 0) return NULL;
  in_use += (long)new_size - (block == NULL ? 0 : (long)old_size);
  return realloc(block, new_size);
}

static void test_memory(void) {
  sallyport_options options;
  sallyport_client *client;
  int most;
  int is_balanced = 1;
  sallyport_options_init(&options, sizeof options);
  options.application_id = "42";
  options.runtime_dir = "/nonexistent-sallyport";
  options.allocate = limited;
  for (most = 0; most < 8; most++) {
    allowed = most;
    client = sallyport_create(&options);
    if (client != NULL) {
      (void)sallyport_subscribe(client, "ACTIVITY_JOIN", "{\"a\":1}", on_event, NULL);
      (void)sallyport_set_activity(client, "{\"state\":\"x\"}", on_result, NULL);
      (void)sallyport_connect(client, 0);
      (void)sallyport_poll(client, 0);
      sallyport_destroy(client);
    }
    is_balanced = is_balanced && in_use == 0;
  }
  OK(is_balanced, "any allocation may fail: everything is freed with its size");
}

static void test_records(void) {
  sallyport_lobby lobby;
  uint64_t id = 0;
  OK(sallyport_read_lobby(parsed("{\"id\":\"9\",\"members\":[{\"id\":\"1\"}]}"), &lobby, sizeof lobby), "reads a record");
  OK(sallyport_json_snowflake(lobby.id, &id) && id == 9 && sallyport_json_count(lobby.members) == 1 &&
         sallyport_json_type_of(lobby.flags) == SALLYPORT_JSON_MISSING,
     "with its fields");
  OK(!sallyport_read_lobby(parsed("[]"), &lobby, sizeof lobby), "an array is no record");
  SAME(sallyport_error_name(SALLYPORT_ERROR_INVALID_LOBBY), "INVALID_LOBBY", "names the errors of the server");
  SAME(sallyport_error_name(-999), "UNKNOWN_ERROR", "and unknown ones");
}

/** Whether the next report is this state, with this error. */
static int reports(sallyport_client *client, sallyport_state_name name, int code) {
  sallyport_report report;
  report.size = sizeof report;
  if (!sallyport_next_report(client, &report) || report.kind != SALLYPORT_REPORT_STATE || report.state->name != name) return 0;
  if (report.state->size != sizeof *report.state || report.error != NULL) return 0;
  if (code == SALLYPORT_OK) return report.state->error == NULL;
  return report.state->error != NULL && report.state->error->code == code && *report.state->error->message != 0;
}

/** A game that was built with an older header has smaller structs, one with a newer header larger ones. */
static void test_sizes(void) {
  struct {
    sallyport_options options;
    unsigned char more[16];
  } larger;
  struct {
    sallyport_lobby lobby;
    sallyport_json later;
  } record;
  size_t old = offsetof(sallyport_options, now_ms), i;
  unsigned char *bytes = (unsigned char *)&larger;
  int is_untouched = 1, is_zero = 1;
  memset(&larger, 0xaa, sizeof larger);
  sallyport_options_init(&larger.options, old);
  for (i = old; i < sizeof larger; i++) is_untouched = is_untouched && bytes[i] == 0xaa;
  OK(is_untouched && larger.options.size == old && larger.options.slot == -1, "writes no more than smaller options have");
  sallyport_options_init(&larger.options, sizeof larger);
  for (i = sizeof larger.options; i < sizeof larger; i++) is_zero = is_zero && bytes[i] == 0;
  OK(is_zero && larger.options.size == sizeof larger, "fills larger options with zeros");
  memset(&record, 0xaa, sizeof record);
  OK(sallyport_read_lobby(parsed("{\"id\":\"9\"}"), &record.lobby, sizeof record.lobby.id), "reads an older record");
  OK(record.lobby.id.length == 3 && ((unsigned char *)&record.lobby)[sizeof record.lobby.id] == 0xaa, "writes no more than it has");
  OK(sallyport_read_lobby(parsed("{\"id\":\"9\"}"), &record.lobby, sizeof record), "reads a newer record");
  OK(sallyport_json_type_of(record.later) == SALLYPORT_JSON_MISSING, "whose later fields are missing");
}

static void test_queue(void) {
  sallyport_options options;
  sallyport_client *client;
  sallyport_report report;
  struct {
    sallyport_report report;
    unsigned char more[16];
  } sized;
  static int tag;
  report.size = sizeof report;
  sallyport_options_init(&options, sizeof options);
  options.application_id = "42";
  options.runtime_dir = "/nonexistent";
  options.queue_reports = 1;
  options.allocate = limited;
  allowed = 4;
  OK(sallyport_create(&options) == NULL && in_use == 0, "a queue without memory frees everything");
  allowed = 100;
  client = sallyport_create(&options);
  OK(sallyport_subscribe(client, "ACTIVITY_JOIN", NULL, sallyport_queue_event, &tag) > 0, "a queue is a callback");
  (void)sallyport_connect(client, 0);
  OK(sallyport_next_report(client, &report) == 0, "nothing is reported outside poll");
  OK(sallyport_poll(client, 0) == 0, "a search without a server");
  OK(reports(client, SALLYPORT_OFFLINE, SALLYPORT_E_NO_SERVER), "is reported");
  sallyport_queue_result(client, NULL, parsed("{\"a\":1}"), &tag);
  OK(sallyport_poll(client, 0) == 0 && sallyport_connect(client, 0) == SALLYPORT_OK, "a report waits");
  OK(sallyport_poll(client, 0) == 0 && sallyport_get_state(client)->name == SALLYPORT_CONNECTING, "until then poll does nothing");
  OK(sallyport_next_report(client, &report) == 1 && report.kind == SALLYPORT_REPORT_RESULT && report.user == &tag, "it is taken");
  OK(report.error == NULL && report.state == NULL && report.data.length == 7 && strcmp(report.data.text, "{\"a\":1}") == 0, "with its data");
  sallyport_queue_event(client, "ACTIVITY_JOIN", parsed("[7]"), &tag);
  memset(&sized, 0xaa, sizeof sized);
  sized.report.size = 0;
  OK(sallyport_next_report(client, &sized.report) == 0, "a report without a size is refused");
  sized.report.size = offsetof(sallyport_report, data);
  OK(sallyport_next_report(client, &sized.report) == 1 && sized.report.kind == SALLYPORT_REPORT_EVENT, "an older report is taken");
  OK(((unsigned char *)&sized)[offsetof(sallyport_report, data)] == 0xaa, "and no more is written than it has");
  sallyport_queue_event(client, "ACTIVITY_JOIN", parsed("[7]"), &tag);
  OK(sallyport_next_report(client, &report) == 1 && report.kind == SALLYPORT_REPORT_EVENT && strcmp(report.data.text, "[7]") == 0, "an event too");
  (void)sallyport_close(client);
  OK(reports(client, SALLYPORT_CLOSED, SALLYPORT_OK) && !sallyport_next_report(client, &report), "closing is the last report");
  sallyport_destroy(client);
  OK(in_use == 0, "nothing is left behind");
  OK(sallyport_next_report(NULL, &report) == 0, "no client has no reports");
}

int main(void) {
  test_grammar();
  test_depth();
  test_strings();
  test_numbers();
  test_access();
  test_writer();
  test_crypto();
  test_keys();
  test_frames();
  test_delays();
  test_options();
  test_misuse();
  test_memory();
  test_sizes();
  test_queue();
  test_records();
  OK(sallyport_process_id() != 0, "a process has an id");
  return tap_end();
}
