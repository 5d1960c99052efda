/**
 * JSON without allocation: values are slices of a text, and a writer fills a buffer of the caller.
 *
 * A reader never changes the text and never recurses. Every function is safe for every value, also for one that is
 * missing or of another type; it then returns 0 or SALLYPORT_JSON_MISSING.
 */
#ifndef SALLYPORT_JSON_H
#define SALLYPORT_JSON_H

#include <stddef.h>
#include <stdint.h>

#include "sallyport/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Deepest nesting of arrays and objects that the reader and the writer accept. */
#define SALLYPORT_JSON_MAX_DEPTH 64

/** One value as a slice of a text that `sallyport_json_parse` accepted. Valid as long as that text. */
typedef struct sallyport_json {
  const char *text;
  size_t length;
} sallyport_json;

typedef enum sallyport_json_type {
  SALLYPORT_JSON_MISSING = 0,
  SALLYPORT_JSON_NULL,
  SALLYPORT_JSON_BOOL,
  SALLYPORT_JSON_NUMBER,
  SALLYPORT_JSON_STRING,
  SALLYPORT_JSON_ARRAY,
  SALLYPORT_JSON_OBJECT
} sallyport_json_type;

/**
 * Checks a whole text: grammar, UTF-8 and depth. Returns 1 and sets `*value`, or returns 0 and leaves a missing value.
 * The text needs no terminating zero.
 */
SALLYPORT_API int sallyport_json_parse(const char *text, size_t length, sallyport_json *value);

SALLYPORT_API sallyport_json_type sallyport_json_type_of(sallyport_json value);

/** The member of an object; missing if there is none. Of equal keys the last counts. Compares keys after unescaping. */
SALLYPORT_API sallyport_json sallyport_json_get(sallyport_json object, const char *key);

/** The member at a path of keys, e.g. "user.id". A key with a dot needs `sallyport_json_get`. */
SALLYPORT_API sallyport_json sallyport_json_at(sallyport_json object, const char *path);

/** Reads several members in one pass: `values[i]` is the member `keys[i]`, or missing. */
SALLYPORT_API void sallyport_json_fields(sallyport_json object, const char *const *keys, size_t count,
                                         sallyport_json *values);

/** Whether the value is a string that equals `text` after unescaping. */
SALLYPORT_API int sallyport_json_equals(sallyport_json value, const char *text);

/**
 * Unescapes a string into `buffer` and ends it with a zero. Returns 1, or 0 if the value is no string or does not fit;
 * the buffer then holds "" if it has room. `*length` (may be null) is the length of the unescaped string in bytes,
 * without the zero, also when it does not fit. A lone surrogate becomes U+FFFD. The string may contain zeros.
 */
SALLYPORT_API int sallyport_json_string(sallyport_json value, char *buffer, size_t size, size_t *length);

/** The same, but cuts a string that does not fit at the end of a character. Returns 0 only if the value is no string. */
SALLYPORT_API int sallyport_json_string_cut(sallyport_json value, char *buffer, size_t size);

/** An integer in range, also when written as 3.0 or 3e2. Returns 0 for any other value. */
SALLYPORT_API int sallyport_json_int64(sallyport_json value, int64_t *number);

SALLYPORT_API int sallyport_json_double(sallyport_json value, double *number);

/** An id: a string of 1 to 20 decimal digits, or a whole number. */
SALLYPORT_API int sallyport_json_snowflake(sallyport_json value, uint64_t *id);

/** `*flag` becomes 0 or 1. */
SALLYPORT_API int sallyport_json_bool(sallyport_json value, int *flag);

/** Number of items of an array or members of an object; 0 for any other value. */
SALLYPORT_API size_t sallyport_json_count(sallyport_json value);

/** Position in an array or object. */
typedef struct sallyport_json_iterator {
  const char *next;
  const char *end;
  int is_object;
} sallyport_json_iterator;

/** Starts at the first item or member; a value without items gives an iterator that ends at once. */
SALLYPORT_API sallyport_json_iterator sallyport_json_iterate(sallyport_json value);

/** Moves on. Returns 1 and sets `*value`, and `*key` (may be null; missing in arrays), or returns 0 at the end. */
SALLYPORT_API int sallyport_json_next(sallyport_json_iterator *iterator, sallyport_json *key, sallyport_json *value);

/**
 * Writes JSON into a buffer of the caller. After an error (no room, invalid UTF-8, a value without a key, a nesting that
 * is too deep or does not match) every call does nothing, and `sallyport_writer_finish` returns null.
 */
typedef struct sallyport_writer {
  char *text;
  size_t size;
  size_t length;
  uint64_t objects; /* bit n: level n is an object */
  uint64_t filled;  /* bit n: level n has a member */
  int depth;
  int has_key;
  int is_done;
  int has_failed;
} sallyport_writer;

SALLYPORT_API void sallyport_writer_init(sallyport_writer *writer, char *buffer, size_t size);
SALLYPORT_API void sallyport_write_object(sallyport_writer *writer);
SALLYPORT_API void sallyport_write_array(sallyport_writer *writer);
/** Ends the innermost object or array. */
SALLYPORT_API void sallyport_write_end(sallyport_writer *writer);
SALLYPORT_API void sallyport_write_key(sallyport_writer *writer, const char *key);
/** A null pointer writes null. */
SALLYPORT_API void sallyport_write_string(sallyport_writer *writer, const char *text);
SALLYPORT_API void sallyport_write_string_n(sallyport_writer *writer, const char *text, size_t length);
SALLYPORT_API void sallyport_write_int64(sallyport_writer *writer, int64_t number);
/** An id as the protocol writes it: decimal digits in quotes. */
SALLYPORT_API void sallyport_write_snowflake(sallyport_writer *writer, uint64_t id);
/** Fails for a number that JSON cannot write (not finite). */
SALLYPORT_API void sallyport_write_double(sallyport_writer *writer, double number);
SALLYPORT_API void sallyport_write_bool(sallyport_writer *writer, int flag);
SALLYPORT_API void sallyport_write_null(sallyport_writer *writer);
/** Copies a value that `sallyport_json_parse` accepted. */
SALLYPORT_API void sallyport_write_json(sallyport_writer *writer, sallyport_json value);
/** The text, ended with a zero; null after an error or if the value is not complete. */
SALLYPORT_API const char *sallyport_writer_finish(sallyport_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
