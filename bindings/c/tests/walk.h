/** Uses every reader of JSON on a value, for the fuzz tests. */
#ifndef SALLY_WALK_H
#define SALLY_WALK_H

#include "sallyport/json.h"

/** Uses every reader on a value and on what is in it. Returns the number of values. */
static int walk(sallyport_json value, int depth) {
  sallyport_json_iterator iterator = sallyport_json_iterate(value);
  sallyport_json key;
  sallyport_json inner;
  char buffer[16];
  double real;
  int64_t whole;
  uint64_t id;
  int flag;
  int count = 1;
  (void)sallyport_json_string(value, buffer, sizeof buffer, NULL);
  (void)sallyport_json_string_cut(value, buffer, 5);
  (void)sallyport_json_double(value, &real);
  (void)sallyport_json_int64(value, &whole);
  (void)sallyport_json_snowflake(value, &id);
  (void)sallyport_json_bool(value, &flag);
  (void)sallyport_json_equals(value, "READY");
  (void)sallyport_json_at(value, "data.user.id");
  while (depth < SALLYPORT_JSON_MAX_DEPTH + 2 && sallyport_json_next(&iterator, &key, &inner)) {
    (void)sallyport_json_string_cut(key, buffer, sizeof buffer);
    count += walk(inner, depth + 1);
  }
  return count;
}

#endif
