/** The engine's interface for extensions in C: its functions, its values, and the little that this extension needs of them. */
#ifndef SALLY_ENGINE_H
#define SALLY_ENGINE_H

#include <gdextension_interface.h>

/** Functions of the engine: X(type, name). */
#define SALLY_ENGINE_FUNCTIONS(X) \
  X(GDExtensionInterfaceArrayOperatorIndex, array_operator_index) \
  X(GDExtensionInterfaceClassdbConstructObject2, classdb_construct_object2) \
  X(GDExtensionInterfaceClassdbRegisterExtensionClass4, classdb_register_extension_class4) \
  X(GDExtensionInterfaceClassdbRegisterExtensionClassIntegerConstant, classdb_register_extension_class_integer_constant) \
  X(GDExtensionInterfaceClassdbRegisterExtensionClassMethod, classdb_register_extension_class_method) \
  X(GDExtensionInterfaceClassdbRegisterExtensionClassProperty, classdb_register_extension_class_property) \
  X(GDExtensionInterfaceClassdbRegisterExtensionClassSignal, classdb_register_extension_class_signal) \
  X(GDExtensionInterfaceClassdbUnregisterExtensionClass, classdb_unregister_extension_class) \
  X(GDExtensionInterfaceDictionaryOperatorIndex, dictionary_operator_index) \
  X(GDExtensionInterfaceGetVariantFromTypeConstructor, get_variant_from_type_constructor) \
  X(GDExtensionInterfaceGetVariantGetInternalPtrFunc, variant_get_ptr_internal_getter) \
  X(GDExtensionInterfaceObjectSetInstance, object_set_instance) \
  X(GDExtensionInterfacePrintError, print_error) \
  X(GDExtensionInterfacePrintWarning, print_warning) \
  X(GDExtensionInterfaceRefSetObject, ref_set_object) \
  X(GDExtensionInterfaceStringNameNewWithUtf8Chars, string_name_new_with_utf8_chars) \
  X(GDExtensionInterfaceStringNewWithUtf8CharsAndLen2, string_new_with_utf8_chars_and_len2) \
  X(GDExtensionInterfaceStringToUtf8Chars, string_to_utf8_chars) \
  X(GDExtensionInterfaceVariantCall, variant_call) \
  X(GDExtensionInterfaceVariantConstruct, variant_construct) \
  X(GDExtensionInterfaceVariantCanConvertStrict, variant_can_convert_strict) \
  X(GDExtensionInterfaceVariantDestroy, variant_destroy) \
  X(GDExtensionInterfaceVariantGetKeyed, variant_get_keyed) \
  X(GDExtensionInterfaceVariantGetPtrConstructor, variant_get_ptr_constructor) \
  X(GDExtensionInterfaceVariantGetPtrDestructor, variant_get_ptr_destructor) \
  X(GDExtensionInterfaceVariantGetType, variant_get_type) \
  X(GDExtensionInterfaceVariantIterGet, variant_iter_get) \
  X(GDExtensionInterfaceVariantIterInit, variant_iter_init) \
  X(GDExtensionInterfaceVariantIterNext, variant_iter_next) \
  X(GDExtensionInterfaceVariantNewCopy, variant_new_copy) \
  X(GDExtensionInterfaceVariantNewNil, variant_new_nil) \
  X(GDExtensionInterfaceVariantStringify, variant_stringify)

typedef struct sally_engine {
  GDExtensionClassLibraryPtr library;
#define SALLY_FUNCTION_FIELD(type, name) type name;
  SALLY_ENGINE_FUNCTIONS(SALLY_FUNCTION_FIELD)
#undef SALLY_FUNCTION_FIELD
} sally_engine;

extern sally_engine gd;

/** Loads the functions. Returns 0 if this engine does not have all of them. */
int sally_engine_load(GDExtensionInterfaceGetProcAddress get, GDExtensionClassLibraryPtr library);

/** Room for a value of any type: 24 bytes in the usual engine, 40 in one with double precision. */
typedef struct sally_variant {
  uint64_t words[5];
} sally_variant;

/** Room for a String, a StringName, a Dictionary, an Array or a PackedStringArray. */
typedef struct sally_builtin {
  uint64_t words[2];
} sally_builtin;

#define SALLY_NIL GDEXTENSION_VARIANT_TYPE_NIL
#define SALLY_BOOL GDEXTENSION_VARIANT_TYPE_BOOL
#define SALLY_INT GDEXTENSION_VARIANT_TYPE_INT
#define SALLY_FLOAT GDEXTENSION_VARIANT_TYPE_FLOAT
#define SALLY_STRING GDEXTENSION_VARIANT_TYPE_STRING
#define SALLY_STRING_NAME GDEXTENSION_VARIANT_TYPE_STRING_NAME
#define SALLY_OBJECT GDEXTENSION_VARIANT_TYPE_OBJECT
#define SALLY_DICTIONARY GDEXTENSION_VARIANT_TYPE_DICTIONARY
#define SALLY_ARRAY GDEXTENSION_VARIANT_TYPE_ARRAY
#define SALLY_TEXTS GDEXTENSION_VARIANT_TYPE_PACKED_STRING_ARRAY

/** Sets the empty value of a type: "", {}, [], 0, false, null. */
void sally_builtin_init(GDExtensionVariantType type, void *builtin);
void sally_builtin_free(GDExtensionVariantType type, void *builtin);
/** Makes a copy; `*to` has no value yet. */
void sally_builtin_copy(GDExtensionVariantType type, const void *from, void *to);

void sally_string_init(sally_builtin *string, const char *text, size_t length);
void sally_name_init(sally_builtin *name, const char *text);
/** Replaces the text of an initialised String. */
void sally_string_set(void *string, const char *text);
/** A copy of a String that ends with a zero, for `free`; null without memory. */
char *sally_string_text(const void *string);

/** Each of these makes a value; `sally_variant_free` ends it. `sally_variant_of` copies a built-in value. */
void sally_variant_of(GDExtensionVariantType type, const void *builtin, sally_variant *variant);
void sally_variant_text(sally_variant *variant, const char *text, size_t length);
void sally_variant_int(sally_variant *variant, int64_t number);
void sally_variant_object(sally_variant *variant, GDExtensionObjectPtr object);
void sally_variant_free(sally_variant *variant);
/** The built-in value inside a variant of that type. */
void *sally_variant_inside(GDExtensionVariantType type, const void *variant);

/** Calls a method of an object and drops what it returns. */
void sally_object_call(GDExtensionObjectPtr object, const char *method, const sally_variant *const *args, int count);
/** Calls a method without arguments that returns a whole number. */
int64_t sally_object_int(GDExtensionObjectPtr object, const char *method);
/** Emits a signal of an object. */
void sally_emit(GDExtensionObjectPtr object, const char *signal, const sally_variant *const *args, int count);

/** Prints for the developer of the game. */
void sally_print_error(const char *function, const char *sentence);
void sally_print_warning(const char *function, const char *sentence);

/** Whether this is the thread that loaded the extension. */
int sally_is_main_thread(void);

#endif
