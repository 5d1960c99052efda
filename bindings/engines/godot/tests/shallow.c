/**
 * Takes the place of dlopen: the engine loads extensions with RTLD_DEEPBIND, which the address sanitizer refuses. To be preloaded before
 * the sanitizer.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

void *dlopen(const char *path, int flags) {
  static void *(*original)(const char *, int);
  if (original == NULL) {
    void *found = dlsym(RTLD_NEXT, "dlopen");
    memcpy(&original, &found, sizeof original);
  }
  return original(path, flags & ~RTLD_DEEPBIND);
}
