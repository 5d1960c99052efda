/** Classes of the extension as tables: methods, properties, signals and constants; and the registration of these at the engine. */
#ifndef SALLY_CLASSES_H
#define SALLY_CLASSES_H

#include "engine.h"

#define SALLY_MOST_ARGUMENTS 4

/** An argument, a result, a property or an argument of a signal. */
typedef struct sally_value_row {
  const char *name; /* null: none */
  GDExtensionVariantType type;
  /** Class of an object, or an enumeration ("SallyportClient.State") of a number. */
  const char *of;
  /** How the editor shows it: a `PropertyHint` and its text. */
  uint32_t hint;
  const char *hint_text;
} sally_value_row;

/** `args` and `result` point to built-in values, as in a call by pointer. */
typedef void (*sally_method_fn)(void *self, const void *const *args, void *result);

typedef struct sally_method_row {
  const char *name;
  sally_method_fn run;
  /** `name` is "" for a method that returns something. */
  sally_value_row result;
  /** Arguments from here on may be left out. They are then empty, or `otherwise` for a number. */
  int required;
  int64_t otherwise;
  sally_value_row arguments[SALLY_MOST_ARGUMENTS];
} sally_method_row;

typedef struct sally_property_row {
  sally_value_row value;
  const char *setter; /* "" for none */
  const char *getter;
} sally_property_row;

typedef struct sally_signal_row {
  const char *name;
  sally_value_row arguments[SALLY_MOST_ARGUMENTS];
} sally_signal_row;

typedef struct sally_constant_row {
  const char *enumeration;
  const char *name;
  int64_t value;
} sally_constant_row;

/** Tables end with a null name. */
typedef struct sally_class {
  const char *name;
  const char *parent;
  /** Whether scripts make instances. */
  int is_abstract;
  /** Whether the editor makes placeholders instead of instances. */
  int is_runtime;
  void *(*create)(GDExtensionObjectPtr object);
  void (*destroy)(void *self);
  void (*notify)(void *self, int32_t what); /* null: none */
  const sally_method_row *methods;
  const sally_property_row *properties;
  const sally_signal_row *signals;
  const sally_constant_row *constants;
} sally_class;

extern const sally_class SALLY_CLIENT_CLASS;
extern const sally_class SALLY_CALL_CLASS;
extern const sally_class SALLY_ERROR_CLASS;

void sally_class_register(const sally_class *description);
void sally_class_unregister(const sally_class *description);

/** Makes an object of a class of this extension; `*self` is its instance. */
GDExtensionObjectPtr sally_class_make(const sally_class *description, void **self);

/** What methods do with `result`. */
void sally_return_bool(void *result, int flag);
void sally_return_int(void *result, int64_t number);
void sally_return_text(void *result, const char *text);
void sally_return_object(void *result, GDExtensionObjectPtr object);

#endif
