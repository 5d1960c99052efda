/**
 * The line protocol of the conformance kit for an adapter in C or C++: requests as lines of JSON on the standard input, events on the
 * standard output. An adapter has a table of actions, a function that polls its client, and calls `adapter_run`.
 */
#ifndef SALLY_ADAPTER_H
#define SALLY_ADAPTER_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sallyport/json.h"

/** Room for a call that is larger than any server accepts. */
#define ADAPTER_LINE_SIZE (4u * 1024 * 1024)

typedef struct adapter_action {
  const char *name;
  void (*run)(sallyport_json request);
} adapter_action;

/** A value of a request as text that ends with a zero: a string unescaped, anything else as JSON; null if it is missing or null. */
static char *adapter_text(sallyport_json request, const char *key) {
  sallyport_json value = sallyport_json_get(request, key);
  sallyport_json_type type = sallyport_json_type_of(value);
  char *text;
  if (type == SALLYPORT_JSON_MISSING || type == SALLYPORT_JSON_NULL) return NULL;
  text = (char *)malloc(value.length + 1);
  if (text == NULL) abort();
  if (type == SALLYPORT_JSON_STRING) {
    if (!sallyport_json_string(value, text, value.length + 1, NULL)) abort();
  } else {
    memcpy(text, value.text, value.length);
    text[value.length] = 0;
  }
  return text;
}

/** A number of a request; `otherwise` if it is missing. */
static long adapter_number(sallyport_json request, const char *key, long otherwise) {
  int64_t number = otherwise;
  (void)sallyport_json_int64(sallyport_json_get(request, key), &number);
  return (long)number;
}

/** Prints a text as JSON. */
static void adapter_print_text(const char *text) {
  size_t size = 6 * strlen(text) + 3;
  char *buffer = (char *)malloc(size);
  sallyport_writer writer;
  const char *json;
  if (buffer == NULL) abort();
  sallyport_writer_init(&writer, buffer, size);
  sallyport_write_string(&writer, text);
  json = sallyport_writer_finish(&writer);
  (void)fputs(json == NULL ? "\"\"" : json, stdout);
  free(buffer);
}

static void adapter_print_json(sallyport_json value) {
  if (value.length == 0) (void)fputs("null", stdout);
  else (void)fwrite(value.text, 1, value.length, stdout);
}

/** `{"event":"result","id":…,"data":…}` */
static void adapter_result(long id, sallyport_json data) {
  printf("{\"event\":\"result\",\"id\":%ld,\"data\":", id);
  adapter_print_json(data);
  (void)puts("}");
}

/** `{"event":"result","id":…,"error":{…}}`; `kind` as the page of the kit names them. */
static void adapter_failure(long id, const char *kind, int code, const char *message, long retry_after_ms) {
  printf("{\"event\":\"result\",\"id\":%ld,\"error\":{\"kind\":\"%s\",\"code\":%d,\"retry_after_ms\":%ld,\"message\":", id, kind, code, retry_after_ms);
  adapter_print_text(message);
  (void)puts("}}");
}

/** `{"event":"dispatch","name":…,"data":…}` */
static void adapter_dispatch(const char *name, sallyport_json data) {
  (void)fputs("{\"event\":\"dispatch\",\"name\":", stdout);
  adapter_print_text(name);
  (void)fputs(",\"data\":", stdout);
  adapter_print_json(data);
  (void)puts("}");
}

/** `{"event":"state","name":…}`; `message` may be null. */
static void adapter_state(const char *name, int close_code, const char *message) {
  printf("{\"event\":\"state\",\"name\":\"%s\",\"close_code\":%d,\"message\":", name, close_code);
  adapter_print_text(message == NULL ? "" : message);
  (void)puts("}");
}

static void adapter_obey(const adapter_action *actions, const char *line, size_t length) {
  sallyport_json request;
  sallyport_json name;
  if (!sallyport_json_parse(line, length, &request)) abort();
  name = sallyport_json_get(request, "do");
  if (sallyport_json_equals(name, "echo")) {
    printf("{\"event\":\"echo\",\"id\":%ld}\n", adapter_number(request, "id", 0));
    return;
  }
  for (; actions->name != NULL; actions++) {
    if (!sallyport_json_equals(name, actions->name)) continue;
    actions->run(request);
    return;
  }
  abort();
}

/** Obeys the whole lines that came. Returns 0 at the end of the input. */
static int adapter_read(const adapter_action *actions) {
  static char *lines;
  static size_t length;
  char *end;
  ssize_t got;
  if (lines == NULL) lines = (char *)malloc(ADAPTER_LINE_SIZE);
  if (lines == NULL) abort();
  got = read(0, lines + length, ADAPTER_LINE_SIZE - length);
  if (got == 0) {
    free(lines);
    lines = NULL;
    return 0;
  }
  if (got > 0) length += (size_t)got;
  while ((end = (char *)memchr(lines, '\n', length)) != NULL) {
    size_t bytes = (size_t)(end - lines) + 1;
    adapter_obey(actions, lines, bytes - 1);
    memmove(lines, lines + bytes, length - bytes);
    length -= bytes;
  }
  return 1;
}

/** Obeys and polls until the input ends. The table ends with a null name; `poll_client` waits at most two milliseconds. */
static void adapter_run(const adapter_action *actions, void (*poll_client)(void)) {
  (void)fcntl(0, F_SETFL, fcntl(0, F_GETFL, 0) | O_NONBLOCK);
  while (adapter_read(actions)) {
    poll_client();
    (void)fflush(stdout);
  }
}

#endif
