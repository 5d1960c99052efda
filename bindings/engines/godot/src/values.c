/** JSON as values of the engine, and back. */
#include "values.h"

#include <stdlib.h>
#include <string.h>

/** The first room of a text, and the largest: more than any server accepts. */
#define FIRST_ROOM 4096
#define LARGEST_ROOM (4u * 1024 * 1024)

static void read_value(sallyport_json json, int *left, sally_variant *value);

/** Replaces an initialised value. */
static void put(void *place, sally_variant *value) {
  gd.variant_destroy(place);
  gd.variant_new_copy(place, value);
  sally_variant_free(value);
}

static void read_text(sallyport_json json, sally_variant *value) {
  char small[256];
  char *room = json.length < sizeof small ? small : (char *)malloc(json.length + 1);
  size_t length = 0;
  size_t i;
  if (room == NULL) {
    gd.variant_new_nil(value);
    return;
  }
  if (!sallyport_json_string(json, room, json.length + 1, &length)) length = 0;
  /* The engine's texts hold no zero. */
  for (i = 0; i < length; i++)
    if (room[i] == 0) room[i] = ' ';
  sally_variant_text(value, room, length);
  if (room != small) free(room);
}

static void read_number(sallyport_json json, sally_variant *value) {
  int64_t whole;
  double number = 0;
  if (memchr(json.text, '.', json.length) == NULL && sallyport_json_int64(json, &whole)) {
    sally_variant_int(value, whole);
    return;
  }
  (void)sallyport_json_double(json, &number);
  sally_variant_of(SALLY_FLOAT, &number, value);
}

static void read_array(sallyport_json json, int *left, sally_variant *value) {
  sallyport_json_iterator iterator = sallyport_json_iterate(json);
  sally_builtin array;
  sally_variant size;
  const sally_variant *args[1];
  sallyport_json item;
  GDExtensionInt index = 0;
  sally_builtin name;
  sally_variant ignored;
  GDExtensionCallError error;
  sally_builtin_init(SALLY_ARRAY, &array);
  sally_variant_of(SALLY_ARRAY, &array, value);
  size_t count = sallyport_json_count(json);
  if (count > (size_t)*left) {
    *left = -1;
    count = 0;
  }
  sally_variant_int(&size, (int64_t)count);
  args[0] = &size;
  sally_name_init(&name, "resize");
  gd.variant_call(value, &name, (const GDExtensionConstVariantPtr *)args, 1, &ignored, &error);
  sally_variant_free(&ignored);
  sally_builtin_free(SALLY_STRING_NAME, &name);
  while (*left >= 0 && sallyport_json_next(&iterator, NULL, &item)) {
    sally_variant one;
    read_value(item, left, &one);
    put(gd.array_operator_index(&array, index++), &one);
  }
  sally_builtin_free(SALLY_ARRAY, &array);
}

static void read_object(sallyport_json json, int *left, sally_variant *value) {
  sallyport_json_iterator iterator = sallyport_json_iterate(json);
  sally_builtin dictionary;
  sallyport_json key;
  sallyport_json member;
  sally_builtin_init(SALLY_DICTIONARY, &dictionary);
  sally_variant_of(SALLY_DICTIONARY, &dictionary, value);
  while (*left >= 0 && sallyport_json_next(&iterator, &key, &member)) {
    sally_variant name;
    sally_variant one;
    read_text(key, &name);
    read_value(member, left, &one);
    put(gd.dictionary_operator_index(&dictionary, &name), &one);
    sally_variant_free(&name);
  }
  sally_builtin_free(SALLY_DICTIONARY, &dictionary);
}

/** The reader of the C client has bounded the depth. */
static void read_value(sallyport_json json, int *left, sally_variant *value) {
  int flag = 0;
  GDExtensionBool truth;
  --*left;
  switch (*left < 0 ? SALLYPORT_JSON_MISSING : sallyport_json_type_of(json)) {
    case SALLYPORT_JSON_BOOL:
      (void)sallyport_json_bool(json, &flag);
      truth = (GDExtensionBool)flag;
      sally_variant_of(SALLY_BOOL, &truth, value);
      return;
    case SALLYPORT_JSON_NUMBER:
      read_number(json, value);
      return;
    case SALLYPORT_JSON_STRING:
      read_text(json, value);
      return;
    case SALLYPORT_JSON_ARRAY:
      read_array(json, left, value);
      return;
    case SALLYPORT_JSON_OBJECT:
      read_object(json, left, value);
      return;
    default:
      gd.variant_new_nil(value);
  }
}

int sally_value_of_json(sallyport_json json, sally_variant *value) {
  int left = SALLY_MOST_VALUES;
  read_value(json, &left, value);
  if (left >= 0) return 1;
  sally_variant_free(value);
  gd.variant_new_nil(value);
  return 0;
}

/** A text being written; `problem` is a sentence that stops it. */
typedef struct output {
  sallyport_writer writer;
  int depth;
  const char *problem;
} output;

static void write_value(output *out, const sally_variant *value);

static void write_string(output *out, const void *string, int is_key) {
  char *text = sally_string_text(string);
  if (text == NULL) out->problem = "there is no memory for the arguments";
  else if (is_key) sallyport_write_key(&out->writer, text);
  else sallyport_write_string(&out->writer, text);
  free(text);
}

/** A StringName or a String. */
static void write_name(output *out, const sally_variant *value, int is_key) {
  sally_builtin string;
  sally_builtin_init(SALLY_STRING, &string);
  gd.variant_stringify(value, &string);
  write_string(out, &string, is_key);
  sally_builtin_free(SALLY_STRING, &string);
}

static void write_key(output *out, const sally_variant *key) {
  GDExtensionVariantType type = gd.variant_get_type(key);
  if (type == SALLY_STRING || type == SALLY_STRING_NAME) write_name(out, key, 1);
  else out->problem = "the arguments have a key that is no text";
}

static void write_items(output *out, const sally_variant *value, int is_object) {
  sally_variant at;
  GDExtensionBool is_valid = 0;
  int has_more = gd.variant_iter_init(value, &at, &is_valid);
  if (is_object) sallyport_write_object(&out->writer);
  else sallyport_write_array(&out->writer);
  while (is_valid && has_more && out->problem == NULL && !out->writer.has_failed) {
    sally_variant key;
    sally_variant one;
    gd.variant_iter_get(value, &at, &key, &is_valid);
    if (is_object) {
      write_key(out, &key);
      gd.variant_get_keyed(value, &key, &one, &is_valid);
      write_value(out, &one);
      sally_variant_free(&one);
    } else {
      write_value(out, &key);
    }
    sally_variant_free(&key);
    has_more = gd.variant_iter_next(value, &at, &is_valid);
  }
  sally_variant_free(&at);
  sallyport_write_end(&out->writer);
}

static void write_float(output *out, double number) {
  /* Neither infinite nor undefined. */
  if (number - number == 0) sallyport_write_double(&out->writer, number);
  else out->problem = "the arguments have a number that is not finite";
}

static void write_value(output *out, const sally_variant *value) {
  GDExtensionVariantType type = gd.variant_get_type(value);
  if (out->depth == SALLYPORT_JSON_MAX_DEPTH) {
    out->problem = "the arguments are nested too deeply, or contain themselves";
    return;
  }
  out->depth++;
  switch (type) {
    case SALLY_NIL:
      sallyport_write_null(&out->writer);
      break;
    case SALLY_BOOL:
      sallyport_write_bool(&out->writer, *(const GDExtensionBool *)sally_variant_inside(type, value));
      break;
    case SALLY_INT:
      sallyport_write_int64(&out->writer, *(const int64_t *)sally_variant_inside(type, value));
      break;
    case SALLY_FLOAT:
      write_float(out, *(const double *)sally_variant_inside(type, value));
      break;
    case SALLY_STRING:
    case SALLY_STRING_NAME:
      write_name(out, value, 0);
      break;
    case SALLY_DICTIONARY:
      write_items(out, value, 1);
      break;
    case SALLY_ARRAY:
    case SALLY_TEXTS:
    case GDEXTENSION_VARIANT_TYPE_PACKED_INT32_ARRAY:
    case GDEXTENSION_VARIANT_TYPE_PACKED_INT64_ARRAY:
    case GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT32_ARRAY:
    case GDEXTENSION_VARIANT_TYPE_PACKED_FLOAT64_ARRAY:
      write_items(out, value, 0);
      break;
    default:
      out->problem = "the arguments have a value that JSON cannot carry; use texts, numbers, bools, arrays and dictionaries";
  }
  out->depth--;
}

const char *sally_json_of_dictionary(const void *dictionary, char **json) {
  static const char too_large[] = "the arguments are too large, or hold a text that is not valid";
  sally_variant value;
  output out;
  size_t size;
  *json = NULL;
  out.problem = too_large;
  sally_variant_of(SALLY_DICTIONARY, dictionary, &value);
  for (size = FIRST_ROOM; out.problem == too_large && size <= LARGEST_ROOM; size *= 8) {
    *json = (char *)malloc(size);
    memset(&out, 0, sizeof out);
    if (*json == NULL) {
      out.problem = "there is no memory for the arguments";
      break;
    }
    sallyport_writer_init(&out.writer, *json, size);
    write_value(&out, &value);
    if (out.problem == NULL && sallyport_writer_finish(&out.writer) != NULL) break;
    if (out.problem == NULL) out.problem = too_large;
    free(*json);
    *json = NULL;
  }
  sally_variant_free(&value);
  return out.problem;
}
