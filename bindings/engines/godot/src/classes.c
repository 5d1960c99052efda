/** Registers the classes of the tables. One pair of functions carries the calls of all methods. */
#include "classes.h"

#include <stdlib.h>
#include <string.h>

#define USAGE_DEFAULT 6u
#define USAGE_READ_ONLY 268435456u
#define USAGE_CLASS_IS_ENUM 65536u
#define USAGE_NIL_IS_VARIANT 131072u
#define NOTIFICATION_POSTINITIALIZE 0

/** A row as the engine reads it, with the names that it points to. */
typedef struct shown_value {
  GDExtensionPropertyInfo info;
  sally_builtin name;
  sally_builtin of;
  sally_builtin hint_text;
} shown_value;

static const char *text_or_empty(const char *text) { return text == NULL ? "" : text; }

static void show(const sally_value_row *row, shown_value *shown) {
  const char *hint = text_or_empty(row->hint_text);
  memset(shown, 0, sizeof *shown);
  sally_name_init(&shown->name, text_or_empty(row->name));
  sally_name_init(&shown->of, text_or_empty(row->of));
  sally_string_init(&shown->hint_text, hint, strlen(hint));
  shown->info.type = row->type;
  shown->info.name = &shown->name;
  shown->info.class_name = &shown->of;
  shown->info.hint = row->hint;
  shown->info.hint_string = &shown->hint_text;
  shown->info.usage = USAGE_DEFAULT;
  if (row->of != NULL && row->type == SALLY_INT) shown->info.usage |= USAGE_CLASS_IS_ENUM;
  if (row->type == SALLY_NIL) shown->info.usage |= USAGE_NIL_IS_VARIANT;
}

static void unshow(shown_value *shown) {
  sally_builtin_free(SALLY_STRING_NAME, &shown->name);
  sally_builtin_free(SALLY_STRING_NAME, &shown->of);
  sally_builtin_free(SALLY_STRING, &shown->hint_text);
}

static int count_of(const sally_value_row *rows) {
  int count = 0;
  while (count < SALLY_MOST_ARGUMENTS && rows[count].name != NULL) count++;
  return count;
}

/** The value of an argument that a caller left out. */
static void default_of(const sally_method_row *method, int index, sally_variant *value) {
  GDExtensionVariantType type = method->arguments[index].type;
  sally_builtin empty;
  if (type == SALLY_INT) {
    sally_variant_int(value, method->otherwise);
    return;
  }
  sally_builtin_init(type, &empty);
  sally_variant_of(type, &empty, value);
  sally_builtin_free(type, &empty);
}

static void call_by_pointer(void *method, GDExtensionClassInstancePtr self, const GDExtensionConstTypePtr *args,
                            GDExtensionTypePtr result) {
  ((const sally_method_row *)method)->run(self, args, result);
}

/** Makes `*value` a value of the type of the argument. Returns 0 and sets the error if it cannot be one. */
static int convert(const sally_method_row *method, int index, const void *arg, sally_variant *value, GDExtensionCallError *error) {
  GDExtensionVariantType type = method->arguments[index].type;
  GDExtensionVariantType given = gd.variant_get_type(arg);
  if (given == type) {
    gd.variant_new_copy(value, arg);
    return 1;
  }
  if (gd.variant_can_convert_strict(given, type)) {
    gd.variant_construct(type, value, &arg, 1, error);
    if (error->error == GDEXTENSION_CALL_OK) return 1;
  }
  error->error = GDEXTENSION_CALL_ERROR_INVALID_ARGUMENT;
  error->argument = index;
  error->expected = (int32_t)type;
  return 0;
}

static void call_by_value(void *userdata, GDExtensionClassInstancePtr self, const GDExtensionConstVariantPtr *args,
                          GDExtensionInt given, GDExtensionVariantPtr result, GDExtensionCallError *error) {
  const sally_method_row *method = (const sally_method_row *)userdata;
  sally_variant values[SALLY_MOST_ARGUMENTS];
  const void *inside[SALLY_MOST_ARGUMENTS];
  sally_variant room;
  int count = count_of(method->arguments);
  int made = 0;
  error->error = GDEXTENSION_CALL_OK;
  if (given > count || given < method->required) {
    error->error = given > count ? GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS : GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS;
    error->expected = given > count ? count : method->required;
    return;
  }
  while (made < count && error->error == GDEXTENSION_CALL_OK) {
    if (made >= given) default_of(method, made, &values[made]);
    else if (!convert(method, made, args[made], &values[made], error)) break;
    inside[made] = sally_variant_inside(method->arguments[made].type, &values[made]);
    made++;
  }
  if (error->error == GDEXTENSION_CALL_OK) {
    sally_builtin_init(method->result.type, &room);
    method->run(self, inside, &room);
    if (method->result.name != NULL) {
      gd.variant_destroy(result);
      sally_variant_of(method->result.type, &room, (sally_variant *)result);
    }
    sally_builtin_free(method->result.type, &room);
  }
  while (made > 0) sally_variant_free(&values[--made]);
}

/** Whether a method changes nothing, by its name. */
static int is_question(const char *name) { return strncmp(name, "get_", 4) == 0 || strncmp(name, "is_", 3) == 0; }

static void register_method(const sally_builtin *class_name, const sally_method_row *method) {
  GDExtensionClassMethodInfo info;
  shown_value result;
  shown_value arguments[SALLY_MOST_ARGUMENTS];
  GDExtensionPropertyInfo infos[SALLY_MOST_ARGUMENTS];
  GDExtensionClassMethodArgumentMetadata metadata[SALLY_MOST_ARGUMENTS] = {0};
  sally_variant defaults[SALLY_MOST_ARGUMENTS];
  GDExtensionVariantPtr default_places[SALLY_MOST_ARGUMENTS];
  sally_builtin name;
  int count = count_of(method->arguments);
  int i;
  memset(&info, 0, sizeof info);
  memset(infos, 0, sizeof infos);
  sally_name_init(&name, method->name);
  show(&method->result, &result);
  for (i = 0; i < count; i++) {
    show(&method->arguments[i], &arguments[i]);
    infos[i] = arguments[i].info;
  }
  for (i = method->required; i < count; i++) {
    default_of(method, i, &defaults[i - method->required]);
    default_places[i - method->required] = &defaults[i - method->required];
  }
  info.name = &name;
  memcpy(&info.method_userdata, &method, sizeof method);
  info.call_func = call_by_value;
  info.ptrcall_func = call_by_pointer;
  info.method_flags = GDEXTENSION_METHOD_FLAGS_DEFAULT | (is_question(method->name) ? GDEXTENSION_METHOD_FLAG_CONST : 0u);
  info.has_return_value = method->result.name != NULL;
  info.return_value_info = &result.info;
  info.argument_count = (uint32_t)count;
  info.arguments_info = infos;
  info.arguments_metadata = metadata;
  info.default_argument_count = (uint32_t)(count - method->required);
  info.default_arguments = default_places;
  gd.classdb_register_extension_class_method(gd.library, class_name, &info);
  for (i = method->required; i < count; i++) sally_variant_free(&defaults[i - method->required]);
  for (i = 0; i < count; i++) unshow(&arguments[i]);
  unshow(&result);
  sally_builtin_free(SALLY_STRING_NAME, &name);
}

static void register_property(const sally_builtin *class_name, const sally_property_row *row) {
  shown_value value;
  sally_builtin setter;
  sally_builtin getter;
  show(&row->value, &value);
  /* Scripts read it; the editor neither shows nor stores it. */
  if (*row->setter == 0) value.info.usage = (value.info.usage & USAGE_NIL_IS_VARIANT) | USAGE_READ_ONLY;
  sally_name_init(&setter, row->setter);
  sally_name_init(&getter, row->getter);
  gd.classdb_register_extension_class_property(gd.library, class_name, &value.info, &setter, &getter);
  sally_builtin_free(SALLY_STRING_NAME, &setter);
  sally_builtin_free(SALLY_STRING_NAME, &getter);
  unshow(&value);
}

static void register_signal(const sally_builtin *class_name, const sally_signal_row *row) {
  shown_value arguments[SALLY_MOST_ARGUMENTS];
  GDExtensionPropertyInfo infos[SALLY_MOST_ARGUMENTS];
  sally_builtin name;
  int count = count_of(row->arguments);
  int i;
  memset(infos, 0, sizeof infos);
  for (i = 0; i < count; i++) {
    show(&row->arguments[i], &arguments[i]);
    infos[i] = arguments[i].info;
  }
  sally_name_init(&name, row->name);
  gd.classdb_register_extension_class_signal(gd.library, class_name, &name, infos, count);
  sally_builtin_free(SALLY_STRING_NAME, &name);
  for (i = 0; i < count; i++) unshow(&arguments[i]);
}

static void register_constant(const sally_builtin *class_name, const sally_constant_row *row) {
  sally_builtin enumeration;
  sally_builtin name;
  sally_name_init(&enumeration, row->enumeration);
  sally_name_init(&name, row->name);
  gd.classdb_register_extension_class_integer_constant(gd.library, class_name, &enumeration, &name, row->value, 0);
  sally_builtin_free(SALLY_STRING_NAME, &enumeration);
  sally_builtin_free(SALLY_STRING_NAME, &name);
}

GDExtensionObjectPtr sally_class_make(const sally_class *description, void **self) {
  sally_builtin parent;
  sally_builtin name;
  GDExtensionObjectPtr object;
  sally_name_init(&parent, description->parent);
  sally_name_init(&name, description->name);
  object = gd.classdb_construct_object2(&parent);
  *self = description->create(object);
  gd.object_set_instance(object, &name, *self);
  sally_builtin_free(SALLY_STRING_NAME, &parent);
  sally_builtin_free(SALLY_STRING_NAME, &name);
  return object;
}

static GDExtensionObjectPtr create_instance(void *userdata, GDExtensionBool notifies) {
  void *self;
  GDExtensionObjectPtr object = sally_class_make((const sally_class *)userdata, &self);
  sally_variant what;
  const sally_variant *args[1];
  if (!notifies) return object;
  sally_variant_int(&what, NOTIFICATION_POSTINITIALIZE);
  args[0] = &what;
  sally_object_call(object, "notification", args, 1);
  sally_variant_free(&what);
  return object;
}

static void free_instance(void *userdata, GDExtensionClassInstancePtr self) { ((const sally_class *)userdata)->destroy(self); }

static void notify_client(GDExtensionClassInstancePtr self, int32_t what, GDExtensionBool is_reversed) {
  (void)is_reversed;
  SALLY_CLIENT_CLASS.notify(self, what);
}

void sally_class_register(const sally_class *description) {
  GDExtensionClassCreationInfo4 info;
  sally_builtin name;
  sally_builtin parent;
  int i;
  memset(&info, 0, sizeof info);
  info.is_abstract = (GDExtensionBool)description->is_abstract;
  info.is_exposed = 1;
  info.is_runtime = (GDExtensionBool)description->is_runtime;
  info.notification_func = description->notify == NULL ? NULL : notify_client;
  info.create_instance_func = create_instance;
  info.free_instance_func = free_instance;
  memcpy(&info.class_userdata, &description, sizeof description);
  sally_name_init(&name, description->name);
  sally_name_init(&parent, description->parent);
  gd.classdb_register_extension_class4(gd.library, &name, &parent, &info);
  for (i = 0; description->constants[i].name != NULL; i++) register_constant(&name, &description->constants[i]);
  for (i = 0; description->methods[i].name != NULL; i++) register_method(&name, &description->methods[i]);
  for (i = 0; description->properties[i].getter != NULL; i++) register_property(&name, &description->properties[i]);
  for (i = 0; description->signals[i].name != NULL; i++) register_signal(&name, &description->signals[i]);
  sally_builtin_free(SALLY_STRING_NAME, &parent);
  sally_builtin_free(SALLY_STRING_NAME, &name);
}

void sally_class_unregister(const sally_class *description) {
  sally_builtin name;
  sally_name_init(&name, description->name);
  gd.classdb_unregister_extension_class(gd.library, &name);
  sally_builtin_free(SALLY_STRING_NAME, &name);
}

void sally_return_bool(void *result, int flag) { *(GDExtensionBool *)result = (GDExtensionBool)(flag != 0); }
void sally_return_int(void *result, int64_t number) { *(int64_t *)result = number; }
void sally_return_text(void *result, const char *text) { sally_string_set(result, text); }
void sally_return_object(void *result, GDExtensionObjectPtr object) { gd.ref_set_object(result, object); }
