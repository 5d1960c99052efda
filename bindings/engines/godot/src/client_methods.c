/** Methods and properties of SallyportClient, as the table of its class. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client_node.h"
#include "values.h"

int sally_node_is_allowed(const char *method) {
  if (sally_is_main_thread()) return 1;
  sally_print_error(method, "SallyportClient must be used on the main thread; use call_deferred from another one");
  return 0;
}

/** The same for a property: a thread that makes a scene owns the node until it enters the tree. */
static int may_access(const sally_client_node *self, const char *property) {
  return (!self->is_in_tree && self->native == NULL) || sally_node_is_allowed(property);
}

/** A client that was made keeps its settings. */
static void warn_if_late(const sally_client_node *self, const char *property) {
  if (self->native != NULL) sally_print_error(property, "the setting changes at the next open(), because the client is open; call close() before");
}

static void subscribe(void *instance, const void *const *args, void *result) {
  sally_client_node *self = (sally_client_node *)instance;
  const sally_wanted *wanted;
  const char *problem;
  char *json;
  int code;
  sally_return_int(result, SALLYPORT_E_STATE);
  if (!sally_node_is_allowed("SallyportClient.subscribe")) return;
  problem = sally_json_of_dictionary(args[1], &json);
  if (problem != NULL) {
    sally_print_error("SallyportClient.subscribe", problem);
    sally_return_int(result, SALLYPORT_E_JSON);
    return;
  }
  if (strcmp(json, "{}") == 0) {
    free(json);
    json = NULL;
  }
  wanted = sally_wanted_add(self, sally_string_text(args[0]), json, 0, &code);
  sally_return_int(result, wanted == NULL ? code : wanted->id);
}

static void unsubscribe(void *instance, const void *const *args, void *result) {
  sally_client_node *self = (sally_client_node *)instance;
  sally_wanted **place = &self->wanted;
  sally_wanted *wanted;
  sally_return_bool(result, 0);
  if (!sally_node_is_allowed("SallyportClient.unsubscribe")) return;
  while (*place != NULL && (*place)->id != *(const int64_t *)args[0]) place = &(*place)->next;
  wanted = *place;
  if (wanted == NULL) return;
  *place = wanted->next;
  if (wanted->native > 0) (void)sallyport_unsubscribe(self->native, wanted->native);
  sally_wanted_free(wanted);
  sally_return_bool(result, 1);
}

static void open_client(void *self, const void *const *args, void *result) {
  sally_return_int(result, SALLYPORT_E_STATE);
  if (sally_node_is_allowed("SallyportClient.open")) sally_return_int(result, sally_node_open((sally_client_node *)self, *(const int64_t *)args[0]));
}

static void close_client(void *self, const void *const *args, void *result) {
  (void)args;
  (void)result;
  if (sally_node_is_allowed("SallyportClient.close")) sally_node_close((sally_client_node *)self);
}

static void poll_client(void *self, const void *const *args, void *result) {
  (void)args;
  sally_return_int(result, SALLYPORT_E_STATE);
  if (sally_node_is_allowed("SallyportClient.poll")) sally_return_int(result, sally_node_poll((sally_client_node *)self));
}

static const sallyport_client *native_of(const void *self) { return ((const sally_client_node *)self)->native; }

static void get_state(void *self, const void *const *args, void *result) {
  const sallyport_state *state;
  (void)args;
  sally_return_int(result, SALLYPORT_OFFLINE);
  if (!sally_node_is_allowed("SallyportClient.get_state")) return;
  state = sallyport_get_state(native_of(self));
  if (state != NULL) sally_return_int(result, state->name);
  else sally_return_int(result, ((const sally_client_node *)self)->is_closed ? SALLYPORT_CLOSED : SALLYPORT_OFFLINE);
}

static void is_session_ready(void *self, const void *const *args, void *result) {
  const sallyport_state *state;
  (void)args;
  sally_return_bool(result, 0);
  if (!sally_node_is_allowed("SallyportClient.is_session_ready")) return;
  state = sallyport_get_state(native_of(self));
  sally_return_bool(result, state != NULL && state->name == SALLYPORT_READY);
}

/** What the reconnect restored, as long as the state is READY. */
static void get_restored(void *self, const void *const *args, void *result) {
  static const char *const outcomes[] = {"none", "done", "failed"};
  const sallyport_state *state;
  sallyport_writer writer;
  sallyport_json json;
  sally_variant value;
  char text[256];
  (void)args;
  if (!sally_node_is_allowed("SallyportClient.get_restored")) return;
  state = sallyport_get_state(native_of(self));
  if (state == NULL || state->name != SALLYPORT_READY) return;
  sallyport_writer_init(&writer, text, sizeof text);
  sallyport_write_object(&writer);
  sallyport_write_key(&writer, "outage_ms");
  sallyport_write_int64(&writer, state->outage_ms);
  sallyport_write_key(&writer, "sign_in");
  sallyport_write_string(&writer, outcomes[state->sign_in]);
  sallyport_write_key(&writer, "presence");
  sallyport_write_string(&writer, outcomes[state->presence]);
  sallyport_write_key(&writer, "active_subscriptions");
  sallyport_write_int64(&writer, state->active_subscriptions);
  sallyport_write_key(&writer, "refused_subscriptions");
  sallyport_write_int64(&writer, state->refused_subscriptions);
  sallyport_write_end(&writer);
  (void)sallyport_json_parse(text, writer.length, &json);
  (void)sally_value_of_json(json, &value);
  sally_builtin_free(SALLY_DICTIONARY, result);
  sally_builtin_copy(SALLY_DICTIONARY, sally_variant_inside(SALLY_DICTIONARY, &value), result);
  sally_variant_free(&value);
}

static void get_account(void *self, const void *const *args, void *result) {
  (void)args;
  sally_return_int(result, SALLYPORT_SIGNED_OUT);
  if (sally_node_is_allowed("SallyportClient.get_account")) sally_return_int(result, sallyport_get_account(native_of(self)));
}

static void get_user_id(void *self, const void *const *args, void *result) {
  uint64_t id;
  char text[24] = "";
  (void)args;
  if (!sally_node_is_allowed("SallyportClient.get_user_id")) return;
  id = sallyport_user_id(native_of(self));
  if (id != 0) (void)snprintf(text, sizeof text, "%llu", (unsigned long long)id);
  sally_return_text(result, text);
}

static void is_bridge(void *self, const void *const *args, void *result) {
  (void)args;
  sally_return_bool(result, 0);
  if (sally_node_is_allowed("SallyportClient.is_bridge")) sally_return_bool(result, sallyport_server_is_bridge(native_of(self)));
}

static void create_key(void *self, const void *const *args, void *result) {
  char key[SALLYPORT_KEY_SIZE];
  (void)self;
  (void)args;
  if (sally_node_is_allowed("SallyportClient.create_key") && sallyport_key_create(key) == SALLYPORT_OK) sally_return_text(result, key);
}

static void get_server_path(void *self, const void *const *args, void *result) {
  (void)args;
  if (sally_node_is_allowed("SallyportClient.get_server_path")) sally_return_text(result, sallyport_server_path(native_of(self)));
}

#define GETTER(field, name, refuse, give) \
  static void get_##field(void *instance, const void *const *args, void *result) { \
    const sally_client_node *self = (const sally_client_node *)instance; \
    (void)args; \
    refuse; \
    if (may_access(self, "SallyportClient." name)) give; \
  }
#define TEXT_PROPERTY(field, name) \
  static void set_##field(void *instance, const void *const *args, void *result) { \
    sally_client_node *self = (sally_client_node *)instance; \
    char *text; \
    (void)result; \
    if (!may_access(self, "SallyportClient." name)) return; \
    text = sally_string_text(args[0]); \
    if (strcmp(text, text_of(self->field)) != 0) warn_if_late(self, "SallyportClient." name); \
    free(self->field); \
    self->field = text; \
  } \
  GETTER(field, name, (void)result, sally_return_text(result, text_of(self->field)))
#define FLAG_PROPERTY(field, name) \
  static void set_##field(void *instance, const void *const *args, void *result) { \
    sally_client_node *self = (sally_client_node *)instance; \
    int flag = *(const GDExtensionBool *)args[0] != 0; \
    (void)result; \
    if (!may_access(self, "SallyportClient." name)) return; \
    if (flag != self->field) warn_if_late(self, "SallyportClient." name); \
    self->field = flag; \
  } \
  GETTER(field, name, sally_return_bool(result, 0), sally_return_bool(result, self->field))
/** From 1 to `most`, as the C client takes it. */
#define LIMIT_PROPERTY(field, most) \
  static void set_##field(void *instance, const void *const *args, void *result) { \
    sally_client_node *self = (sally_client_node *)instance; \
    int64_t number = *(const int64_t *)args[0]; \
    (void)result; \
    if (!may_access(self, "SallyportClient." #field)) return; \
    if (number < 1 || number > (most)) { \
      sally_print_error("SallyportClient." #field, "the limit is a number from 1 to " #most); \
      return; \
    } \
    if (number != self->field) warn_if_late(self, "SallyportClient." #field); \
    self->field = (int)number; \
  } \
  GETTER(field, #field, sally_return_int(result, 0), sally_return_int(result, self->field))

static const char *text_of(const char *text) { return text == NULL ? "" : text; }

TEXT_PROPERTY(application_id, "application_id")
TEXT_PROPERTY(runtime_dir, "runtime_dir")
TEXT_PROPERTY(sdk_version, "sdk_version")
FLAG_PROPERTY(requires_bridge, "require_bridge")
FLAG_PROPERTY(allows_packaged_client, "allow_packaged_client")
LIMIT_PROPERTY(max_pending_calls, 4096)
LIMIT_PROPERTY(max_subscriptions, 1024)

/** It matters only when the node enters the tree. */
static void set_opens_by_itself(void *self, const void *const *args, void *result) {
  (void)result;
  if (may_access((const sally_client_node *)self, "SallyportClient.auto_open"))
    ((sally_client_node *)self)->opens_by_itself = *(const GDExtensionBool *)args[0] != 0;
}
GETTER(opens_by_itself, "auto_open", sally_return_bool(result, 0), sally_return_bool(result, self->opens_by_itself))

static void set_events(void *instance, const void *const *args, void *result) {
  sally_client_node *self = (sally_client_node *)instance;
  (void)result;
  if (!may_access(self, "SallyportClient.events")) return;
  warn_if_late(self, "SallyportClient.events");
  sally_builtin_free(SALLY_TEXTS, &self->events);
  sally_builtin_copy(SALLY_TEXTS, args[0], &self->events);
}

static void get_events(void *instance, const void *const *args, void *result) {
  const sally_client_node *self = (const sally_client_node *)instance;
  (void)args;
  if (!may_access(self, "SallyportClient.events")) return;
  sally_builtin_free(SALLY_TEXTS, result);
  sally_builtin_copy(SALLY_TEXTS, &self->events, result);
}

#define NOTHING {NULL, SALLY_NIL, NULL, 0, NULL}
#define A(name, type) {name, type, NULL, 0, NULL}
#define ENUM(name, of) {name, SALLY_INT, of, 0, NULL}
#define CALL {"", SALLY_OBJECT, "SallyportCall", 0, NULL}
static const sally_method_row METHODS[] = {
    {"open", open_client, A("", SALLY_INT), 0, -1, {A("timeout_ms", SALLY_INT)}},
    {"close", close_client, NOTHING, 0, 0, {{0}}},
    {"poll", poll_client, A("", SALLY_INT), 0, 0, {{0}}},
    {"request",
     sally_client_request,
     CALL,
     1,
     0,
     {A("command", SALLY_STRING), A("args", SALLY_DICTIONARY), A("timeout_ms", SALLY_INT), A("key", SALLY_STRING)}},
    {"create_key", create_key, A("", SALLY_STRING), 0, 0, {{0}}},
    {"set_activity", sally_client_set_activity, CALL, 1, 0, {A("activity", SALLY_DICTIONARY)}},
    {"clear_activity", sally_client_clear_activity, CALL, 0, 0, {{0}}},
    {"sign_in", sally_client_sign_in, CALL, 0, 0, {A("scopes", SALLY_STRING)}},
    {"ask_to_sign_in", sally_client_ask_to_sign_in, CALL, 0, 0, {A("scopes", SALLY_STRING)}},
    {"sign_out", sally_client_sign_out, CALL, 0, 0, {{0}}},
    {"sign_in_silently", sally_client_sign_in_silently, CALL, 0, 0, {{0}}},
    {"ping", sally_client_ping, CALL, 0, 0, {{0}}},
    {"subscribe", subscribe, A("", SALLY_INT), 1, 0, {A("event", SALLY_STRING), A("args", SALLY_DICTIONARY)}},
    {"unsubscribe", unsubscribe, A("", SALLY_BOOL), 1, 0, {A("subscription", SALLY_INT)}},
    {"get_state", get_state, ENUM("", "SallyportClient.State"), 0, 0, {{0}}},
    {"is_session_ready", is_session_ready, A("", SALLY_BOOL), 0, 0, {{0}}},
    {"get_account", get_account, ENUM("", "SallyportClient.Account"), 0, 0, {{0}}},
    {"get_restored", get_restored, A("", SALLY_DICTIONARY), 0, 0, {{0}}},
    {"get_user_id", get_user_id, A("", SALLY_STRING), 0, 0, {{0}}},
    {"is_bridge", is_bridge, A("", SALLY_BOOL), 0, 0, {{0}}},
    {"get_server_path", get_server_path, A("", SALLY_STRING), 0, 0, {{0}}},
    {"set_application_id", set_application_id, NOTHING, 1, 0, {A("id", SALLY_STRING)}},
    {"get_application_id", get_application_id, A("", SALLY_STRING), 0, 0, {{0}}},
    {"set_runtime_dir", set_runtime_dir, NOTHING, 1, 0, {A("folder", SALLY_STRING)}},
    {"get_runtime_dir", get_runtime_dir, A("", SALLY_STRING), 0, 0, {{0}}},
    {"set_sdk_version", set_sdk_version, NOTHING, 1, 0, {A("text", SALLY_STRING)}},
    {"get_sdk_version", get_sdk_version, A("", SALLY_STRING), 0, 0, {{0}}},
    {"set_auto_open", set_opens_by_itself, NOTHING, 1, 0, {A("enabled", SALLY_BOOL)}},
    {"get_auto_open", get_opens_by_itself, A("", SALLY_BOOL), 0, 0, {{0}}},
    {"set_require_bridge", set_requires_bridge, NOTHING, 1, 0, {A("enabled", SALLY_BOOL)}},
    {"get_require_bridge", get_requires_bridge, A("", SALLY_BOOL), 0, 0, {{0}}},
    {"set_allow_packaged_client", set_allows_packaged_client, NOTHING, 1, 0, {A("enabled", SALLY_BOOL)}},
    {"get_allow_packaged_client", get_allows_packaged_client, A("", SALLY_BOOL), 0, 0, {{0}}},
    {"set_max_pending_calls", set_max_pending_calls, NOTHING, 1, 0, {A("calls", SALLY_INT)}},
    {"get_max_pending_calls", get_max_pending_calls, A("", SALLY_INT), 0, 0, {{0}}},
    {"set_max_subscriptions", set_max_subscriptions, NOTHING, 1, 0, {A("subscriptions", SALLY_INT)}},
    {"get_max_subscriptions", get_max_subscriptions, A("", SALLY_INT), 0, 0, {{0}}},
    {"set_events", set_events, NOTHING, 1, 0, {A("events", SALLY_TEXTS)}},
    {"get_events", get_events, A("", SALLY_TEXTS), 0, 0, {{0}}},
    {NULL, NULL, {0}, 0, 0, {{0}}},
};

static const sally_property_row PROPERTIES[] = {
    {A("application_id", SALLY_STRING), "set_application_id", "get_application_id"},
    {A("auto_open", SALLY_BOOL), "set_auto_open", "get_auto_open"},
    {A("events", SALLY_TEXTS), "set_events", "get_events"},
    {A("require_bridge", SALLY_BOOL), "set_require_bridge", "get_require_bridge"},
    {A("allow_packaged_client", SALLY_BOOL), "set_allow_packaged_client", "get_allow_packaged_client"},
    {A("max_pending_calls", SALLY_INT), "set_max_pending_calls", "get_max_pending_calls"},
    {A("max_subscriptions", SALLY_INT), "set_max_subscriptions", "get_max_subscriptions"},
    {A("runtime_dir", SALLY_STRING), "set_runtime_dir", "get_runtime_dir"},
    {A("sdk_version", SALLY_STRING), "set_sdk_version", "get_sdk_version"},
    {{0}, NULL, NULL},
};

#define STATE(name) {"State", "STATE_" #name, SALLYPORT_##name}
#define ACCOUNT(name) {"Account", "ACCOUNT_" #name, SALLYPORT_##name}
static const sally_constant_row CONSTANTS[] = {
    STATE(OFFLINE),      STATE(CONNECTING),  STATE(READY),     STATE(WAITING),  STATE(CLOSED),
    ACCOUNT(SIGNED_OUT), ACCOUNT(SIGNED_IN), ACCOUNT(REVOKED), {NULL, NULL, 0},
};

const sally_class SALLY_CLIENT_CLASS = {"SallyportClient", "Node",     0,          1,
                                        sally_node_create, sally_node_destroy, sally_node_notify, METHODS,
                                        PROPERTIES,        SALLY_CLIENT_SIGNALS, CONSTANTS};
