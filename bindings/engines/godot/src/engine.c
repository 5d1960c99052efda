/** The engine's functions, loaded once, and small helpers over them. */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
typedef DWORD sally_thread;
static sally_thread sally_this_thread(void) { return GetCurrentThreadId(); }
static int sally_same_thread(sally_thread a, sally_thread b) { return a == b; }
#else
#include <pthread.h>
typedef pthread_t sally_thread;
static sally_thread sally_this_thread(void) { return pthread_self(); }
static int sally_same_thread(sally_thread a, sally_thread b) { return pthread_equal(a, b); }
#endif

/** Most arguments of a signal, with its name. */
#define SALLY_EMIT_ARGS 4

sally_engine gd;
static sally_thread main_thread;

/** Functions of the engine's types, by type. */
static GDExtensionVariantFromTypeConstructorFunc from_type[GDEXTENSION_VARIANT_TYPE_VARIANT_MAX];
static GDExtensionVariantGetInternalPtrFunc inside_of[GDEXTENSION_VARIANT_TYPE_VARIANT_MAX];
static GDExtensionPtrConstructor construct[GDEXTENSION_VARIANT_TYPE_VARIANT_MAX];
static GDExtensionPtrConstructor copy[GDEXTENSION_VARIANT_TYPE_VARIANT_MAX];
static GDExtensionPtrDestructor destruct[GDEXTENSION_VARIANT_TYPE_VARIANT_MAX];

int sally_engine_load(GDExtensionInterfaceGetProcAddress get, GDExtensionClassLibraryPtr library) {
  static const GDExtensionVariantType types[] = {SALLY_BOOL,   SALLY_INT,        SALLY_FLOAT, SALLY_STRING, SALLY_STRING_NAME,
                                                 SALLY_OBJECT, SALLY_DICTIONARY, SALLY_ARRAY, SALLY_TEXTS};
  GDExtensionInterfaceFunctionPtr found;
  size_t i;
  gd.library = library;
/* A function pointer of the right type has the same representation; a cast would warn. */
#define SALLY_LOAD(type, name) \
  found = get(#name); \
  if (found == NULL) return 0; \
  memcpy(&gd.name, &found, sizeof found);
  SALLY_ENGINE_FUNCTIONS(SALLY_LOAD)
#undef SALLY_LOAD
  for (i = 0; i < sizeof types / sizeof *types; i++) {
    from_type[types[i]] = gd.get_variant_from_type_constructor(types[i]);
    inside_of[types[i]] = gd.variant_get_ptr_internal_getter(types[i]);
    construct[types[i]] = gd.variant_get_ptr_constructor(types[i], 0);
    copy[types[i]] = gd.variant_get_ptr_constructor(types[i], 1);
    destruct[types[i]] = gd.variant_get_ptr_destructor(types[i]);
  }
  main_thread = sally_this_thread();
  return 1;
}

int sally_is_main_thread(void) { return sally_same_thread(main_thread, sally_this_thread()); }

void sally_builtin_init(GDExtensionVariantType type, void *builtin) {
  memset(builtin, 0, type == SALLY_NIL ? sizeof(sally_variant) : sizeof(sally_builtin));
  if (type == SALLY_NIL) gd.variant_new_nil(builtin);
  else if (destruct[type] != NULL) construct[type](builtin, NULL);
}

void sally_builtin_free(GDExtensionVariantType type, void *builtin) {
  if (type == SALLY_NIL) gd.variant_destroy(builtin);
  else if (type == SALLY_OBJECT) gd.ref_set_object(builtin, NULL);
  else if (destruct[type] != NULL) destruct[type](builtin);
}

void sally_builtin_copy(GDExtensionVariantType type, const void *from, void *to) {
  const GDExtensionConstTypePtr args[1] = {from};
  memset(to, 0, sizeof(sally_builtin));
  copy[type](to, args);
}

void sally_string_init(sally_builtin *string, const char *text, size_t length) {
  memset(string, 0, sizeof *string);
  (void)gd.string_new_with_utf8_chars_and_len2(string, text, (GDExtensionInt)length);
}

void sally_name_init(sally_builtin *name, const char *text) {
  memset(name, 0, sizeof *name);
  gd.string_name_new_with_utf8_chars(name, text);
}

void sally_string_set(void *string, const char *text) {
  destruct[SALLY_STRING](string);
  (void)gd.string_new_with_utf8_chars_and_len2(string, text, (GDExtensionInt)strlen(text));
}

char *sally_string_text(const void *string) {
  GDExtensionInt length = gd.string_to_utf8_chars(string, NULL, 0);
  char *text = (char *)malloc((size_t)length + 1);
  if (text == NULL) return NULL;
  (void)gd.string_to_utf8_chars(string, text, length);
  text[length] = 0;
  return text;
}

void sally_variant_of(GDExtensionVariantType type, const void *builtin, sally_variant *variant) {
  void *value;
  memcpy(&value, &builtin, sizeof value);
  if (type == SALLY_NIL) gd.variant_new_copy(variant, builtin);
  else from_type[type](variant, value);
}

void sally_variant_text(sally_variant *variant, const char *text, size_t length) {
  sally_builtin string;
  sally_string_init(&string, text, length);
  sally_variant_of(SALLY_STRING, &string, variant);
  sally_builtin_free(SALLY_STRING, &string);
}

void sally_variant_int(sally_variant *variant, int64_t number) { sally_variant_of(SALLY_INT, &number, variant); }

void sally_variant_object(sally_variant *variant, GDExtensionObjectPtr object) {
  if (object == NULL) gd.variant_new_nil(variant);
  else sally_variant_of(SALLY_OBJECT, &object, variant);
}

void sally_variant_free(sally_variant *variant) { gd.variant_destroy(variant); }

void *sally_variant_inside(GDExtensionVariantType type, const void *variant) {
  void *value;
  memcpy(&value, &variant, sizeof value);
  return inside_of[type](value);
}

/** `result` is for the caller to free. */
static void call_method(GDExtensionObjectPtr object, const char *method, const sally_variant *const *args, int count, sally_variant *result) {
  sally_builtin name;
  sally_variant self;
  GDExtensionCallError error;
  sally_name_init(&name, method);
  sally_variant_object(&self, object);
  gd.variant_call(&self, &name, (const GDExtensionConstVariantPtr *)args, count, result, &error);
  sally_variant_free(&self);
  sally_builtin_free(SALLY_STRING_NAME, &name);
}

void sally_object_call(GDExtensionObjectPtr object, const char *method, const sally_variant *const *args, int count) {
  sally_variant result;
  call_method(object, method, args, count, &result);
  sally_variant_free(&result);
}

int64_t sally_object_int(GDExtensionObjectPtr object, const char *method) {
  sally_variant result;
  int64_t number;
  call_method(object, method, NULL, 0, &result);
  number = *(const int64_t *)sally_variant_inside(SALLY_INT, &result);
  sally_variant_free(&result);
  return number;
}

void sally_emit(GDExtensionObjectPtr object, const char *signal, const sally_variant *const *args, int count) {
  const sally_variant *all[SALLY_EMIT_ARGS];
  sally_builtin name;
  sally_variant first;
  int i;
  sally_name_init(&name, signal);
  sally_variant_of(SALLY_STRING_NAME, &name, &first);
  all[0] = &first;
  for (i = 0; i < count; i++) all[i + 1] = args[i];
  sally_object_call(object, "emit_signal", all, count + 1);
  sally_variant_free(&first);
  sally_builtin_free(SALLY_STRING_NAME, &name);
}

void sally_print_error(const char *function, const char *sentence) {
  gd.print_error(sentence, function, "sallyport", 0, 0);
}

void sally_print_warning(const char *function, const char *sentence) {
  gd.print_warning(sentence, function, "sallyport", 0, 0);
}
