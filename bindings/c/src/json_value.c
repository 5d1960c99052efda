/** Values of the JSON reader: strings with their escapes, and numbers. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "json_internal.h"

#define SALLY_REPLACEMENT 0xfffdu

static unsigned sally_hex4(const char *at) {
  unsigned value = 0;
  int i;
  for (i = 0; i < 4; i++) {
    unsigned c = (unsigned char)at[i];
    value = value * 16 + (c <= '9' ? c - '0' : (c | 0x20u) - 'a' + 10);
  }
  return value & 0xffffu;
}

static size_t sally_encode_utf8(unsigned code, char *out) {
  if (code < 0x80) {
    out[0] = (char)code;
    return 1;
  }
  if (code < 0x800) {
    out[0] = (char)(0xc0 | (code >> 6));
    out[1] = (char)(0x80 | (code & 0x3f));
    return 2;
  }
  if (code < 0x10000) {
    out[0] = (char)(0xe0 | (code >> 12));
    out[1] = (char)(0x80 | ((code >> 6) & 0x3f));
    out[2] = (char)(0x80 | (code & 0x3f));
    return 3;
  }
  out[0] = (char)(0xf0 | (code >> 18));
  out[1] = (char)(0x80 | ((code >> 12) & 0x3f));
  out[2] = (char)(0x80 | ((code >> 6) & 0x3f));
  out[3] = (char)(0x80 | (code & 0x3f));
  return 4;
}

/** The characters of a string in pieces of at most four bytes: `at` moves on; 0 at the end. */
static size_t sally_next_piece(const char **at, const char *end, char piece[4]) {
  const char *from = *at;
  unsigned code;
  if (from >= end) return 0;
  if (*from != '\\') {
    size_t length = sally_utf8_length((const unsigned char *)from, (size_t)(end - from));
    if (length == 0) length = 1;
    memcpy(piece, from, length);
    *at = from + length;
    return length;
  }
  if (end - from < 2) return 0;
  if (from[1] != 'u') {
    static const char escapes[] = "bfnrt";
    static const char values[] = "\b\f\n\r\t";
    const char *found = from[1] == 0 ? NULL : strchr(escapes, from[1]);
    piece[0] = found == NULL ? from[1] : values[found - escapes];
    *at = from + 2;
    return 1;
  }
  if (end - from < 6) return 0;
  code = sally_hex4(from + 2);
  *at = from + 6;
  if (code >= 0xd800 && code <= 0xdbff && end - from >= 12 && from[6] == '\\' && from[7] == 'u') {
    unsigned low = sally_hex4(from + 8);
    if (low >= 0xdc00 && low <= 0xdfff) {
      *at = from + 12;
      return sally_encode_utf8(0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00), piece);
    }
  }
  return sally_encode_utf8(code >= 0xd800 && code <= 0xdfff ? SALLY_REPLACEMENT : code, piece);
}

static int sally_inside(sallyport_json value, const char **at, const char **end) {
  if (sallyport_json_type_of(value) != SALLYPORT_JSON_STRING || value.length < 2) return 0;
  *at = value.text + 1;
  *end = value.text + value.length - 1;
  return 1;
}

int sallyport_json_equals(sallyport_json value, const char *text) {
  const char *at;
  const char *end;
  char piece[4];
  size_t length;
  if (text == NULL || !sally_inside(value, &at, &end)) return 0;
  while ((length = sally_next_piece(&at, end, piece)) > 0) {
    if (strncmp(text, piece, length) != 0 || memchr(piece, 0, length) != NULL) return 0;
    text += length;
  }
  return *text == 0;
}

/** Returns whether all of it fitted; `*length` is the length of all. */
static int sally_unescape(const char *at, const char *end, char *buffer, size_t size, size_t *length, size_t *written) {
  char piece[4];
  size_t bytes;
  int fits = size > 0;
  *length = 0;
  *written = 0;
  while ((bytes = sally_next_piece(&at, end, piece)) > 0) {
    *length += bytes;
    if (!fits || size - *written <= bytes) {
      fits = 0;
      continue;
    }
    memcpy(buffer + *written, piece, bytes);
    *written += bytes;
  }
  if (size > 0) buffer[*written] = 0;
  return fits;
}

int sallyport_json_string(sallyport_json value, char *buffer, size_t size, size_t *length) {
  const char *at;
  const char *end;
  size_t all = 0;
  size_t written = 0;
  int fits = 0;
  if (buffer == NULL) size = 0;
  if (sally_inside(value, &at, &end)) fits = sally_unescape(at, end, buffer, size, &all, &written);
  if (!fits && size > 0) buffer[0] = 0;
  if (length != NULL) *length = all;
  return fits;
}

int sallyport_json_string_cut(sallyport_json value, char *buffer, size_t size) {
  const char *at;
  const char *end;
  size_t all;
  size_t written;
  if (buffer == NULL || size == 0) return 0;
  buffer[0] = 0;
  if (!sally_inside(value, &at, &end)) return 0;
  (void)sally_unescape(at, end, buffer, size, &all, &written);
  return 1;
}

size_t sally_utf8_cut(const char *text, size_t length) {
  size_t start = length;
  if (length == 0) return 0;
  while (start > 0 && ((unsigned char)text[start - 1] & 0xc0) == 0x80) start--;
  if (start == 0) return 0;
  return sally_utf8_length((const unsigned char *)text + start - 1, length - start + 1) == 0 ? start - 1 : length;
}

/** Longest number that is read; a longer one is refused rather than cut. */
#define SALLY_NUMBER_SIZE 128

int sallyport_json_double(sallyport_json value, double *number) {
  char copy[SALLY_NUMBER_SIZE];
  char *dot;
  char *end = NULL;
  double read;
  if (number == NULL || sallyport_json_type_of(value) != SALLYPORT_JSON_NUMBER || value.length >= sizeof copy) return 0;
  memcpy(copy, value.text, value.length);
  copy[value.length] = 0;
  dot = strchr(copy, '.');
  /* strtod expects the decimal point of the locale that the game set; JSON always writes a dot. */
  if (dot != NULL) {
    const char *point = localeconv()->decimal_point;
    if (point != NULL && point[0] != 0 && point[1] == 0) *dot = point[0];
  }
  read = strtod(copy, &end);
  if (end == NULL || *end != 0 || read - read != 0) return 0;
  *number = read;
  return 1;
}

static int sally_digits(const char *at, size_t length, uint64_t limit, uint64_t *number) {
  uint64_t read = 0;
  size_t i;
  if (length == 0) return 0;
  for (i = 0; i < length; i++) {
    unsigned digit = (unsigned)(unsigned char)at[i] - '0';
    if (digit > 9 || read > (limit - digit) / 10) return 0;
    read = read * 10 + digit;
  }
  *number = read;
  return 1;
}

int sallyport_json_int64(sallyport_json value, int64_t *number) {
  double real;
  uint64_t digits;
  int is_negative;
  if (number == NULL || sallyport_json_type_of(value) != SALLYPORT_JSON_NUMBER) return 0;
  is_negative = value.text[0] == '-';
  if (sally_digits(value.text + is_negative, value.length - (size_t)is_negative, (uint64_t)INT64_MAX, &digits)) {
    *number = is_negative ? -(int64_t)digits : (int64_t)digits;
    return 1;
  }
  if (memchr(value.text, '.', value.length) == NULL && memchr(value.text, 'e', value.length) == NULL &&
      memchr(value.text, 'E', value.length) == NULL)
    return 0;
  /* 2^53: above it a double does not hold every integer. */
  if (!sallyport_json_double(value, &real) || real < -9007199254740992.0 || real > 9007199254740992.0) return 0;
  if (real != (double)(int64_t)real) return 0;
  *number = (int64_t)real;
  return 1;
}

int sallyport_json_snowflake(sallyport_json value, uint64_t *id) {
  if (id == NULL) return 0;
  if (sallyport_json_type_of(value) == SALLYPORT_JSON_STRING && value.length >= 2)
    return sally_digits(value.text + 1, value.length - 2, UINT64_MAX, id);
  if (sallyport_json_type_of(value) == SALLYPORT_JSON_NUMBER) return sally_digits(value.text, value.length, UINT64_MAX, id);
  return 0;
}

int sallyport_json_bool(sallyport_json value, int *flag) {
  if (flag == NULL || sallyport_json_type_of(value) != SALLYPORT_JSON_BOOL) return 0;
  *flag = value.text[0] == 't';
  return 1;
}
