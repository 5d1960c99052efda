/** SallyportError: why a call failed, or why there is no connection. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "objects.h"

typedef struct error_object {
  sallyport_error error;
  char name[64];
  char message[512];
} error_object;

static void *create(GDExtensionObjectPtr object) {
  (void)object;
  return calloc(1, sizeof(error_object));
}

static void get_code(void *self, const void *const *args, void *result) {
  (void)args;
  sally_return_int(result, ((error_object *)self)->error.code);
}

static void get_code_name(void *self, const void *const *args, void *result) {
  (void)args;
  sally_return_text(result, ((error_object *)self)->name);
}

static void get_message(void *self, const void *const *args, void *result) {
  (void)args;
  sally_return_text(result, ((error_object *)self)->message);
}

static void is_retryable(void *self, const void *const *args, void *result) {
  (void)args;
  sally_return_bool(result, ((error_object *)self)->error.is_retryable);
}

static void get_retry_after_ms(void *self, const void *const *args, void *result) {
  (void)args;
  sally_return_int(result, ((error_object *)self)->error.retry_after_ms);
}

static void get_close_code(void *self, const void *const *args, void *result) {
  (void)args;
  sally_return_int(result, ((error_object *)self)->error.close_code);
}

static const sally_method_row METHODS[] = {
    {"get_code", get_code, {"", SALLY_INT, NULL, 0, NULL}, 0, 0, {{0}}},
    {"get_code_name", get_code_name, {"", SALLY_STRING, NULL, 0, NULL}, 0, 0, {{0}}},
    {"get_message", get_message, {"", SALLY_STRING, NULL, 0, NULL}, 0, 0, {{0}}},
    {"is_retryable", is_retryable, {"", SALLY_BOOL, NULL, 0, NULL}, 0, 0, {{0}}},
    {"get_retry_after_ms", get_retry_after_ms, {"", SALLY_INT, NULL, 0, NULL}, 0, 0, {{0}}},
    {"get_close_code", get_close_code, {"", SALLY_INT, NULL, 0, NULL}, 0, 0, {{0}}},
    {NULL, NULL, {0}, 0, 0, {{0}}},
};

static const sally_property_row PROPERTIES[] = {
    {{"code", SALLY_INT, NULL, 0, NULL}, "", "get_code"},
    {{"code_name", SALLY_STRING, NULL, 0, NULL}, "", "get_code_name"},
    {{"message", SALLY_STRING, NULL, 0, NULL}, "", "get_message"},
    {{"retry_after_ms", SALLY_INT, NULL, 0, NULL}, "", "get_retry_after_ms"},
    {{"close_code", SALLY_INT, NULL, 0, NULL}, "", "get_close_code"},
    {{0}, NULL, NULL},
};

static const sally_signal_row SIGNALS[] = {{NULL, {{0}}}};

/** The codes of the C client without their prefix. Codes of the server are in SallyportProtocol. */
#define CODE(name) {"Code", #name, SALLYPORT_E_##name}
static const sally_constant_row CONSTANTS[] = {
    CODE(ARGUMENT),  CODE(STATE),   CODE(REENTRANT), CODE(MEMORY),         CODE(LIMIT),         CODE(TOO_LARGE),
    CODE(JSON),      CODE(NOT_READY), CODE(CONNECTION_LOST), CODE(TIMEOUT), CODE(NO_SERVER),    CODE(FOREIGN_SERVER),
    CODE(SERVER_CLOSED), CODE(PROTOCOL), CODE(CLOSED), CODE(SYSTEM), CODE(REPLACED), {NULL, NULL, 0},
};

const sally_class SALLY_ERROR_CLASS = {"SallyportError", "RefCounted", 1, 0, create, free, NULL, METHODS, PROPERTIES, SIGNALS, CONSTANTS};

void sally_error_make(const sallyport_error *error, sally_variant *value) {
  void *self;
  GDExtensionObjectPtr object = sally_class_make(&SALLY_ERROR_CLASS, &self);
  error_object *made = (error_object *)self;
  sally_variant_object(value, object);
  made->error = *error;
  (void)snprintf(made->name, sizeof made->name, "%s", error->name);
  (void)snprintf(made->message, sizeof made->message, "%s", error->message);
}
