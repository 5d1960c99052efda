/** SallyportCall: one call of the game, and what became of it. Scripts await `completed`. */
#include <stdlib.h>
#include <string.h>

#include "objects.h"
#include "values.h"

struct sally_call_object {
  GDExtensionObjectPtr object;
  void *owner;
  /** The reference of the client while the call waits. */
  sally_variant reference;
  int is_completed;
  sally_variant data;
  sally_variant error; /* null, or a SallyportError */
};

static void *create(GDExtensionObjectPtr object) {
  sally_call_object *self = (sally_call_object *)calloc(1, sizeof *self);
  self->object = object;
  gd.variant_new_nil(&self->data);
  gd.variant_new_nil(&self->error);
  return self;
}

static void destroy(void *instance) {
  sally_call_object *self = (sally_call_object *)instance;
  sally_variant_free(&self->data);
  sally_variant_free(&self->error);
  free(self);
}

static void is_completed(void *self, const void *const *args, void *result) {
  (void)args;
  sally_return_bool(result, ((sally_call_object *)self)->is_completed);
}

static void is_ok(void *instance, const void *const *args, void *result) {
  const sally_call_object *self = (const sally_call_object *)instance;
  (void)args;
  sally_return_bool(result, self->is_completed && gd.variant_get_type(&self->error) == SALLY_NIL);
}

static void get_data(void *self, const void *const *args, void *result) {
  (void)args;
  gd.variant_destroy(result);
  gd.variant_new_copy(result, &((sally_call_object *)self)->data);
}

static void get_error(void *instance, const void *const *args, void *result) {
  const sally_call_object *self = (const sally_call_object *)instance;
  GDExtensionObjectPtr error = NULL;
  (void)args;
  if (gd.variant_get_type(&self->error) == SALLY_OBJECT)
    memcpy(&error, sally_variant_inside(SALLY_OBJECT, &self->error), sizeof error);
  sally_return_object(result, error);
}

static const sally_method_row METHODS[] = {
    {"is_completed", is_completed, {"", SALLY_BOOL, NULL, 0, NULL}, 0, 0, {{0}}},
    {"is_ok", is_ok, {"", SALLY_BOOL, NULL, 0, NULL}, 0, 0, {{0}}},
    {"get_data", get_data, {"", SALLY_NIL, NULL, 0, NULL}, 0, 0, {{0}}},
    {"get_error", get_error, {"", SALLY_OBJECT, "SallyportError", 0, NULL}, 0, 0, {{0}}},
    {NULL, NULL, {0}, 0, 0, {{0}}},
};

static const sally_property_row PROPERTIES[] = {
    {{"data", SALLY_NIL, NULL, 0, NULL}, "", "get_data"},
    {{"error", SALLY_OBJECT, "SallyportError", 0, NULL}, "", "get_error"},
    {{0}, NULL, NULL},
};

static const sally_signal_row SIGNALS[] = {
    {"completed", {{"call", SALLY_OBJECT, "SallyportCall", 0, NULL}, {0}}},
    {NULL, {{0}}},
};

static const sally_constant_row CONSTANTS[] = {{NULL, NULL, 0}};

const sally_class SALLY_CALL_CLASS = {"SallyportCall", "RefCounted", 1, 0, create, destroy, NULL, METHODS, PROPERTIES, SIGNALS, CONSTANTS};

sally_call_object *sally_call_make(void *owner) {
  void *self;
  GDExtensionObjectPtr object = sally_class_make(&SALLY_CALL_CLASS, &self);
  sally_call_object *call = (sally_call_object *)self;
  call->owner = owner;
  sally_variant_object(&call->reference, object);
  return call;
}

void *sally_call_owner(const sally_call_object *call) { return call->owner; }


GDExtensionObjectPtr sally_call_engine_object(const sally_call_object *call) { return call->object; }

static void complete(sally_call_object *self, const sallyport_error *error, sallyport_json data) {
  static const sallyport_error too_many = {sizeof(sallyport_error), SALLYPORT_E_PROTOCOL, "E_PROTOCOL", "the response has too many values for the engine", 0, 0, 0};
  sally_variant_free(&self->data);
  if (!sally_value_of_json(data, &self->data)) error = &too_many;
  sally_variant_free(&self->error);
  if (error == NULL) gd.variant_new_nil(&self->error);
  else sally_error_make(error, &self->error);
  self->is_completed = 1;
}

void sally_call_finish(sally_call_object *self, const sallyport_error *error, sallyport_json data) {
  /* `self` may end with this reference. */
  sally_variant reference = self->reference;
  const sally_variant *args[1];
  args[0] = &reference;
  complete(self, error, data);
  sally_emit(self->object, "completed", args, 1);
  sally_variant_free(&reference);
}

void sally_call_fail_later(sally_call_object *self, const sallyport_error *error) {
  static const sallyport_json missing = {NULL, 0};
  sally_variant reference = self->reference;
  const sally_variant *args[3];
  sally_variant method;
  sally_variant signal;
  complete(self, error, missing);
  /* The engine's queue holds the reference until it has emitted. */
  sally_variant_text(&method, "emit_signal", strlen("emit_signal"));
  sally_variant_text(&signal, "completed", strlen("completed"));
  args[0] = &method;
  args[1] = &signal;
  args[2] = &reference;
  sally_object_call(self->object, "call_deferred", args, 3);
  sally_variant_free(&method);
  sally_variant_free(&signal);
  sally_variant_free(&reference);
}
