/** The JSON writer: fills a buffer of the caller, checks the order of calls and the UTF-8 of texts. */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "json_internal.h"

void sallyport_writer_init(sallyport_writer *writer, char *buffer, size_t size) {
  if (writer == NULL) return;
  memset(writer, 0, sizeof *writer);
  writer->text = buffer;
  writer->size = size;
  writer->has_failed = buffer == NULL || size == 0;
}

static void sally_put(sallyport_writer *writer, const char *text, size_t length) {
  if (writer->has_failed) return;
  /* One byte stays free for the zero at the end. */
  if (length >= writer->size - writer->length) {
    writer->has_failed = 1;
    return;
  }
  memcpy(writer->text + writer->length, text, length);
  writer->length += length;
}

static uint64_t sally_level(const sallyport_writer *writer) { return (uint64_t)1 << (writer->depth - 1); }
static int sally_in_object(const sallyport_writer *writer) {
  return writer->depth > 0 && (writer->objects & sally_level(writer)) != 0;
}

static void sally_comma(sallyport_writer *writer) {
  if (writer->depth == 0) return;
  if ((writer->filled & sally_level(writer)) != 0) sally_put(writer, ",", 1);
  writer->filled |= sally_level(writer);
}

/** Before every value: a comma if needed; fails if a value may not stand here. */
static int sally_before_value(sallyport_writer *writer) {
  if (writer == NULL || writer->has_failed) return 0;
  if ((writer->depth == 0 && writer->is_done) || (sally_in_object(writer) && !writer->has_key)) {
    writer->has_failed = 1;
    return 0;
  }
  if (writer->has_key) writer->has_key = 0;
  else sally_comma(writer);
  if (writer->depth == 0) writer->is_done = 1;
  return 1;
}

static void sally_open(sallyport_writer *writer, int is_object) {
  if (!sally_before_value(writer)) return;
  if (writer->depth == SALLYPORT_JSON_MAX_DEPTH) {
    writer->has_failed = 1;
    return;
  }
  sally_put(writer, is_object ? "{" : "[", 1);
  writer->depth++;
  writer->filled &= ~sally_level(writer);
  if (is_object) writer->objects |= sally_level(writer);
  else writer->objects &= ~sally_level(writer);
}

void sallyport_write_object(sallyport_writer *writer) { sally_open(writer, 1); }
void sallyport_write_array(sallyport_writer *writer) { sally_open(writer, 0); }

void sallyport_write_end(sallyport_writer *writer) {
  if (writer == NULL || writer->has_failed) return;
  if (writer->depth == 0 || writer->has_key) {
    writer->has_failed = 1;
    return;
  }
  sally_put(writer, sally_in_object(writer) ? "}" : "]", 1);
  writer->depth--;
}

static void sally_put_string(sallyport_writer *writer, const char *text, size_t length) {
  static const char hex[] = "0123456789abcdef";
  size_t at = 0;
  sally_put(writer, "\"", 1);
  while (at < length && !writer->has_failed) {
    unsigned char c = (unsigned char)text[at];
    if (c == '"' || c == '\\') {
      char escape[2];
      escape[0] = '\\';
      escape[1] = (char)c;
      sally_put(writer, escape, 2);
      at++;
    } else if (c < 0x20 || c == 0x7f) {
      char escape[6] = {'\\', 'u', '0', '0', 0, 0};
      escape[4] = hex[c >> 4];
      escape[5] = hex[c & 15];
      sally_put(writer, escape, 6);
      at++;
    } else {
      size_t bytes = sally_utf8_length((const unsigned char *)text + at, length - at);
      if (bytes == 0) writer->has_failed = 1;
      else sally_put(writer, text + at, bytes);
      at += bytes;
    }
  }
  sally_put(writer, "\"", 1);
}

void sallyport_write_key(sallyport_writer *writer, const char *key) {
  if (writer == NULL || writer->has_failed) return;
  if (key == NULL || !sally_in_object(writer) || writer->has_key) {
    writer->has_failed = 1;
    return;
  }
  sally_comma(writer);
  sally_put_string(writer, key, strlen(key));
  sally_put(writer, ":", 1);
  writer->has_key = 1;
}

void sallyport_write_string_n(sallyport_writer *writer, const char *text, size_t length) {
  if (text == NULL) sallyport_write_null(writer);
  else if (sally_before_value(writer)) sally_put_string(writer, text, length);
}

void sallyport_write_string(sallyport_writer *writer, const char *text) {
  sallyport_write_string_n(writer, text, text == NULL ? 0 : strlen(text));
}

/** Decimal digits at the end of `buffer` of 20 bytes; returns the first. */
static const char *sally_decimal(uint64_t number, char *buffer, size_t *length) {
  char *at = buffer + 20;
  do {
    *--at = (char)('0' + (char)(number % 10));
    number /= 10;
  } while (number > 0);
  *length = (size_t)(buffer + 20 - at);
  return at;
}

void sallyport_write_int64(sallyport_writer *writer, int64_t number) {
  char buffer[20];
  size_t length;
  const char *digits = sally_decimal(number < 0 ? (uint64_t)0 - (uint64_t)number : (uint64_t)number, buffer, &length);
  if (!sally_before_value(writer)) return;
  if (number < 0) sally_put(writer, "-", 1);
  sally_put(writer, digits, length);
}

void sallyport_write_snowflake(sallyport_writer *writer, uint64_t id) {
  char buffer[20];
  size_t length;
  const char *digits = sally_decimal(id, buffer, &length);
  sallyport_write_string_n(writer, digits, length);
}

void sallyport_write_double(sallyport_writer *writer, double number) {
  char text[40];
  char *point;
  int length;
  if (!sally_before_value(writer)) return;
  if (number - number != 0) {
    writer->has_failed = 1;
    return;
  }
  length = snprintf(text, sizeof text, "%.17g", number);
  point = strchr(text, localeconv()->decimal_point[0]);
  if (point != NULL) *point = '.';
  if (length > 0) sally_put(writer, text, (size_t)length);
}

void sallyport_write_bool(sallyport_writer *writer, int flag) {
  if (sally_before_value(writer)) sally_put(writer, flag ? "true" : "false", flag ? 4 : 5);
}

void sallyport_write_null(sallyport_writer *writer) {
  if (sally_before_value(writer)) sally_put(writer, "null", 4);
}

void sallyport_write_json(sallyport_writer *writer, sallyport_json value) {
  if (writer != NULL && sallyport_json_type_of(value) == SALLYPORT_JSON_MISSING) writer->has_failed = 1;
  if (sally_before_value(writer)) sally_put(writer, value.text, value.length);
}

const char *sallyport_writer_finish(sallyport_writer *writer) {
  if (writer == NULL || writer->has_failed || writer->depth != 0 || !writer->is_done) return NULL;
  writer->text[writer->length] = 0;
  return writer->text;
}
