/** Methods of SallyportClient that return a call. */
#include <stdlib.h>

#include "client_node.h"
#include "objects.h"
#include "values.h"

/** Starts a method that returns a call. Returns null if it ended already. */
static sally_call_object *begin(sally_client_node *self, const char *method, void *result) {
  sallyport_error error = {sizeof(sallyport_error), 0, NULL, NULL, 0, 0, 0};
  sally_call_object *call;
  if (!sally_node_is_allowed(method)) return NULL;
  call = sally_call_make(self);
  sally_return_object(result, sally_call_engine_object(call));
  error.code = sally_node_prepare(self);
  if (error.code == SALLYPORT_OK) return call;
  error.name = sallyport_error_name(error.code);
  error.message = sally_node_problem(self);
  sally_call_fail_later(call, &error);
  return NULL;
}

static void on_result(sallyport_client *client, const sallyport_error *error, sallyport_json data, void *user) {
  sally_call_object *call = (sally_call_object *)user;
  /* A script that awaits a sign-in finds its account shown. */
  if (error == NULL) sally_node_show_account((sally_client_node *)sally_call_owner(call), (int)sallyport_get_account(client));
  if (((const sally_client_node *)sally_call_owner(call))->is_leaving) sally_call_fail_later(call, error);
  else sally_call_finish(call, error, data);
}

/** Ends a method that returns a call: one that was not sent fails. */
static void sent(sally_client_node *self, sally_call_object *call, int code) {
  if (code < 0) sally_call_fail_later(call, sallyport_last_error(self->native));
}

/** Arguments as JSON; a call whose arguments cannot be written fails. Returns null then. */
static char *json_or_fail(const void *dictionary, sally_call_object *call) {
  sallyport_error error = {sizeof(sallyport_error), SALLYPORT_E_JSON, "E_JSON", NULL, 0, 0, 0};
  char *json;
  error.message = sally_json_of_dictionary(dictionary, &json);
  if (json == NULL) sally_call_fail_later(call, &error);
  return json;
}

void sally_client_request(void *instance, const void *const *args, void *result) {
  sally_client_node *self = (sally_client_node *)instance;
  sally_call_object *call = begin(self, "SallyportClient.request", result);
  char *json = call == NULL ? NULL : json_or_fail(args[1], call);
  char *command;
  char *key;
  const char *given;
  if (json == NULL) return;
  command = sally_string_text(args[0]);
  key = sally_string_text(args[3]);
  given = key == NULL || *key == 0 ? NULL : key;
  sent(self, call, sallyport_call_keyed(self->native, command, json, given, *(const int64_t *)args[2], on_result, call));
  free(key);
  free(command);
  free(json);
}

void sally_client_set_activity(void *instance, const void *const *args, void *result) {
  sally_client_node *self = (sally_client_node *)instance;
  sally_call_object *call = begin(self, "SallyportClient.set_activity", result);
  char *json = call == NULL ? NULL : json_or_fail(args[0], call);
  if (json == NULL) return;
  sent(self, call, sallyport_set_activity(self->native, json, on_result, call));
  free(json);
}

void sally_client_clear_activity(void *instance, const void *const *args, void *result) {
  sally_client_node *self = (sally_client_node *)instance;
  sally_call_object *call = begin(self, "SallyportClient.clear_activity", result);
  (void)args;
  if (call != NULL) sent(self, call, sallyport_clear_activity(self->native, on_result, call));
}

typedef int (*sign_in_fn)(sallyport_client *client, const char *scopes, sallyport_result_fn on_result, void *user);

static void sign_in_by(sign_in_fn run, const char *method, void *instance, const void *const *args, void *result) {
  sally_client_node *self = (sally_client_node *)instance;
  sally_call_object *call = begin(self, method, result);
  char *scopes = call == NULL ? NULL : sally_string_text(args[0]);
  const char *used = scopes == NULL || *scopes == 0 ? SALLYPORT_DEFAULT_PRESENCE_SCOPES : scopes;
  if (call != NULL) sent(self, call, run(self->native, used, on_result, call));
  free(scopes);
}

void sally_client_sign_in(void *instance, const void *const *args, void *result) {
  sign_in_by(sallyport_sign_in, "SallyportClient.sign_in", instance, args, result);
}

void sally_client_ask_to_sign_in(void *instance, const void *const *args, void *result) {
  sign_in_by(sallyport_ask_to_sign_in, "SallyportClient.ask_to_sign_in", instance, args, result);
}

void sally_client_sign_out(void *instance, const void *const *args, void *result) {
  sally_client_node *self = (sally_client_node *)instance;
  sally_call_object *call = begin(self, "SallyportClient.sign_out", result);
  (void)args;
  if (call != NULL) sent(self, call, sallyport_sign_out(self->native, on_result, call));
}

void sally_client_sign_in_silently(void *instance, const void *const *args, void *result) {
  sally_client_node *self = (sally_client_node *)instance;
  sally_call_object *call = begin(self, "SallyportClient.sign_in_silently", result);
  (void)args;
  if (call != NULL) sent(self, call, sallyport_sign_in_silently(self->native, on_result, call));
}

void sally_client_ping(void *instance, const void *const *args, void *result) {
  sally_client_node *self = (sally_client_node *)instance;
  sally_call_object *call = begin(self, "SallyportClient.ping", result);
  (void)args;
  if (call != NULL) sent(self, call, sallyport_ping(self->native, on_result, call));
}
