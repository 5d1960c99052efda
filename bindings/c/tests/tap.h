/** A harness in one file: prints the Test Anything Protocol, one line per test. */
#ifndef SALLY_TAP_H
#define SALLY_TAP_H

#include <stdio.h>
#include <string.h>

static int tap_count;
static int tap_failed;

static void tap_ok(int is_ok, const char *name, const char *file, int line) {
  tap_count++;
  printf("%sok %d - %s\n", is_ok ? "" : "not ", tap_count, name);
  if (is_ok) return;
  tap_failed++;
  printf("# %s:%d\n", file, line);
}

#define OK(condition, name) tap_ok((condition) != 0, name, __FILE__, __LINE__)
#define SAME(text, expected, name) tap_ok((text) != NULL && strcmp((text), (expected)) == 0, name, __FILE__, __LINE__)

static int tap_end(void) {
  printf("1..%d\n", tap_count);
  return tap_failed == 0 ? 0 : 1;
}

#endif
