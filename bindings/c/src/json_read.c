/** The JSON reader: one check of the whole text, then slices. No recursion, no allocation, every access within the slice. */
#include <string.h>

#include "json_internal.h"

typedef struct sally_scan {
  const unsigned char *at;
  const unsigned char *end;
} sally_scan;

static int sally_is_space(int c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
static int sally_is_digit(int c) { return c >= '0' && c <= '9'; }

static void sally_skip_space(sally_scan *scan) {
  while (scan->at < scan->end && sally_is_space(*scan->at)) scan->at++;
}

static int sally_hex_value(unsigned char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

size_t sally_utf8_length(const unsigned char *at, size_t left) {
  unsigned char c;
  if (left == 0) return 0;
  c = at[0];
  if (c < 0x80) return 1;
  if (c >= 0xc2 && c <= 0xdf) return left >= 2 && (at[1] & 0xc0) == 0x80 ? 2 : 0;
  if (c >= 0xe0 && c <= 0xef) {
    if (left < 3 || (at[1] & 0xc0) != 0x80 || (at[2] & 0xc0) != 0x80) return 0;
    if (c == 0xe0 && at[1] < 0xa0) return 0;
    if (c == 0xed && at[1] > 0x9f) return 0;
    return 3;
  }
  if (c >= 0xf0 && c <= 0xf4) {
    if (left < 4 || (at[1] & 0xc0) != 0x80 || (at[2] & 0xc0) != 0x80 || (at[3] & 0xc0) != 0x80) return 0;
    if (c == 0xf0 && at[1] < 0x90) return 0;
    if (c == 0xf4 && at[1] > 0x8f) return 0;
    return 4;
  }
  return 0;
}

/** At the opening quote; moves behind the closing one. */
static int sally_check_string(sally_scan *scan) {
  scan->at++;
  while (scan->at < scan->end) {
    unsigned char c = *scan->at;
    if (c == '"') {
      scan->at++;
      return 1;
    }
    if (c < 0x20) return 0;
    if (c == '\\') {
      if (scan->end - scan->at < 2) return 0;
      c = scan->at[1];
      if (c == 'u') {
        int i;
        if (scan->end - scan->at < 6) return 0;
        for (i = 2; i < 6; i++)
          if (sally_hex_value(scan->at[i]) < 0) return 0;
        scan->at += 6;
      } else {
        if (c == 0 || strchr("\"\\/bfnrt", c) == NULL) return 0;
        scan->at += 2;
      }
    } else if (c < 0x80) {
      scan->at++;
    } else {
      size_t length = sally_utf8_length(scan->at, (size_t)(scan->end - scan->at));
      if (length == 0) return 0;
      scan->at += length;
    }
  }
  return 0;
}

static int sally_check_digits(sally_scan *scan) {
  const unsigned char *start = scan->at;
  while (scan->at < scan->end && sally_is_digit(*scan->at)) scan->at++;
  return scan->at > start;
}

static int sally_check_number(sally_scan *scan) {
  if (*scan->at == '-') scan->at++;
  if (scan->at < scan->end && *scan->at == '0') scan->at++;
  else if (!sally_check_digits(scan)) return 0;
  if (scan->at < scan->end && *scan->at == '.') {
    scan->at++;
    if (!sally_check_digits(scan)) return 0;
  }
  if (scan->at < scan->end && (*scan->at == 'e' || *scan->at == 'E')) {
    scan->at++;
    if (scan->at < scan->end && (*scan->at == '+' || *scan->at == '-')) scan->at++;
    if (!sally_check_digits(scan)) return 0;
  }
  return 1;
}

static int sally_check_word(sally_scan *scan, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(scan->end - scan->at) < length || memcmp(scan->at, word, length) != 0) return 0;
  scan->at += length;
  return 1;
}

static int sally_check_scalar(sally_scan *scan) {
  switch (*scan->at) {
    case '"':
      return sally_check_string(scan);
    case 't':
      return sally_check_word(scan, "true");
    case 'f':
      return sally_check_word(scan, "false");
    case 'n':
      return sally_check_word(scan, "null");
    default:
      return (*scan->at == '-' || sally_is_digit(*scan->at)) && sally_check_number(scan);
  }
}

/** After `{` or `,` of an object: the key and its colon. */
static int sally_check_key(sally_scan *scan) {
  sally_skip_space(scan);
  if (scan->at >= scan->end || *scan->at != '"' || !sally_check_string(scan)) return 0;
  sally_skip_space(scan);
  if (scan->at >= scan->end || *scan->at != ':') return 0;
  scan->at++;
  return 1;
}

/** Checks one value. The open arrays and objects are bits of one number, so the depth is bounded. */
static int sally_check_value(sally_scan *scan) {
  uint64_t objects = 0;
  int depth = 0;
  for (;;) {
    sally_skip_space(scan);
    if (scan->at >= scan->end) return 0;
    if (*scan->at == '{' || *scan->at == '[') {
      int is_object = *scan->at == '{';
      if (depth == SALLYPORT_JSON_MAX_DEPTH) return 0;
      objects = (objects << 1) | (uint64_t)is_object;
      depth++;
      scan->at++;
      sally_skip_space(scan);
      if (scan->at >= scan->end) return 0;
      if (*scan->at != (is_object ? '}' : ']')) {
        if (is_object && !sally_check_key(scan)) return 0;
        continue;
      }
    } else if (!sally_check_scalar(scan)) {
      return 0;
    }
    /* A value is complete; close what it completes, or go to the next one. */
    for (;;) {
      int is_object = (int)(objects & 1);
      if (depth == 0) return 1;
      sally_skip_space(scan);
      if (scan->at >= scan->end) return 0;
      if (*scan->at == ',') {
        scan->at++;
        if (is_object && !sally_check_key(scan)) return 0;
        break;
      }
      if (*scan->at != (is_object ? '}' : ']')) return 0;
      scan->at++;
      objects >>= 1;
      depth--;
    }
  }
}

int sallyport_json_parse(const char *text, size_t length, sallyport_json *value) {
  sally_scan scan;
  const unsigned char *start;
  const unsigned char *stop;
  if (value == NULL) return 0;
  value->text = NULL;
  value->length = 0;
  if (text == NULL) return 0;
  scan.at = (const unsigned char *)text;
  scan.end = scan.at + length;
  sally_skip_space(&scan);
  start = scan.at;
  if (!sally_check_value(&scan)) return 0;
  stop = scan.at;
  sally_skip_space(&scan);
  if (scan.at != scan.end) return 0;
  value->text = (const char *)start;
  value->length = (size_t)(stop - start);
  return 1;
}

sallyport_json_type sallyport_json_type_of(sallyport_json value) {
  if (value.text == NULL || value.length == 0) return SALLYPORT_JSON_MISSING;
  switch (value.text[0]) {
    case '{':
      return SALLYPORT_JSON_OBJECT;
    case '[':
      return SALLYPORT_JSON_ARRAY;
    case '"':
      return SALLYPORT_JSON_STRING;
    case 't':
    case 'f':
      return SALLYPORT_JSON_BOOL;
    case 'n':
      return SALLYPORT_JSON_NULL;
    default:
      return value.text[0] == '-' || sally_is_digit((unsigned char)value.text[0]) ? SALLYPORT_JSON_NUMBER
                                                                                  : SALLYPORT_JSON_MISSING;
  }
}

/** Moves behind the string that begins at `at`; the text was checked, so only quotes and backslashes matter. */
static const char *sally_skip_string(const char *at, const char *end) {
  for (at++; at < end; at++) {
    if (*at == '\\') {
      at++;
    } else if (*at == '"') {
      return at + 1;
    }
  }
  return end;
}

static const char *sally_skip_value(const char *at, const char *end) {
  size_t depth = 0;
  while (at < end) {
    char c = *at;
    if (c == '"') {
      at = sally_skip_string(at, end);
      if (depth == 0) return at;
      continue;
    }
    if (c == '{' || c == '[') {
      depth++;
    } else if (c == '}' || c == ']') {
      if (depth == 0) return at;
      depth--;
      if (depth == 0) return at + 1;
    } else if (depth == 0 && (c == ',' || c == ':' || sally_is_space(c))) {
      return at;
    }
    at++;
  }
  return end;
}

static const char *sally_skip_between(const char *at, const char *end) {
  while (at < end && (sally_is_space(*at) || *at == ',' || *at == ':')) at++;
  return at;
}

sallyport_json_iterator sallyport_json_iterate(sallyport_json value) {
  sallyport_json_iterator iterator = {NULL, NULL, 0};
  sallyport_json_type type = sallyport_json_type_of(value);
  if ((type != SALLYPORT_JSON_ARRAY && type != SALLYPORT_JSON_OBJECT) || value.length < 2) return iterator;
  iterator.next = value.text + 1;
  iterator.end = value.text + value.length - 1;
  iterator.is_object = type == SALLYPORT_JSON_OBJECT;
  return iterator;
}

static int sally_next_slice(sallyport_json_iterator *iterator, sallyport_json *slice) {
  const char *start = sally_skip_between(iterator->next, iterator->end);
  const char *stop = sally_skip_value(start, iterator->end);
  iterator->next = stop;
  if (stop <= start) return 0;
  slice->text = start;
  slice->length = (size_t)(stop - start);
  return 1;
}

int sallyport_json_next(sallyport_json_iterator *iterator, sallyport_json *key, sallyport_json *value) {
  sallyport_json name = {NULL, 0};
  sallyport_json found = {NULL, 0};
  int has_next = iterator != NULL && iterator->next != NULL &&
                 (!iterator->is_object || sally_next_slice(iterator, &name)) && sally_next_slice(iterator, &found);
  if (key != NULL) *key = name;
  if (value != NULL) *value = found;
  return has_next;
}

size_t sallyport_json_count(sallyport_json value) {
  sallyport_json_iterator iterator = sallyport_json_iterate(value);
  size_t count = 0;
  while (sallyport_json_next(&iterator, NULL, NULL)) count++;
  return count;
}

void sallyport_json_fields(sallyport_json object, const char *const *keys, size_t count, sallyport_json *values) {
  sallyport_json_iterator iterator = sallyport_json_iterate(object);
  sallyport_json key;
  sallyport_json value;
  size_t i;
  for (i = 0; i < count; i++) {
    values[i].text = NULL;
    values[i].length = 0;
  }
  if (!iterator.is_object) return;
  while (sallyport_json_next(&iterator, &key, &value)) {
    for (i = 0; i < count; i++)
      if (sallyport_json_equals(key, keys[i])) values[i] = value;
  }
}

sallyport_json sallyport_json_get(sallyport_json object, const char *key) {
  sallyport_json value = {NULL, 0};
  if (key != NULL) sallyport_json_fields(object, &key, 1, &value);
  return value;
}

sallyport_json sallyport_json_at(sallyport_json object, const char *path) {
  sallyport_json value = object;
  while (path != NULL && *path != 0) {
    char key[64];
    size_t length = strcspn(path, ".");
    if (length >= sizeof key) {
      value.text = NULL;
      value.length = 0;
      return value;
    }
    memcpy(key, path, length);
    key[length] = 0;
    value = sallyport_json_get(value, key);
    path += path[length] == '.' ? length + 1 : length;
  }
  return value;
}
