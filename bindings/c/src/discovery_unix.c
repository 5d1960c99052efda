/** The discovery rule on Unix: where servers of this user may listen; and the clock and the process. */
#include "posix.h"

#if !defined(_WIN32) && !defined(SALLYPORT_NO_SYSTEM)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "files_unix.h"
#include "platform.h"

int64_t sally_system_now_ms(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

uint32_t sally_process_id(void) { return (uint32_t)getpid(); }

/** The first variable that is set names the directory; later ones are not tried. */
static const char *sally_default_directory(void) {
  static const char *const variables[] = {"XDG_RUNTIME_DIR", "TMPDIR", "TMP", "TEMP"};
  size_t i;
  for (i = 0; i < sizeof variables / sizeof variables[0]; i++) {
    const char *value = getenv(variables[i]);
    if (value != NULL && *value != 0) return value;
  }
  return "/tmp";
}

/** The part of a path before the end, which moves to the slash before it; its length is `*size`. */
static const char *sally_part_before(const char *path, size_t *end, size_t *size) {
  size_t last = *end;
  while (last > 0 && path[last - 1] == '/') last--;
  for (*end = last; *end > 0 && path[*end - 1] != '/';) (*end)--;
  *size = last - *end;
  return path + *end;
}

static int sally_is_part(const char *part, size_t size, const char *name) {
  return size == strlen(name) && memcmp(part, name, size) == 0;
}

/**
 * Whether Flatpaks and Snaps can make a socket with this path, as it is called outside of them: in the folder of an application,
 * `app/ID` or `.flatpak/ID/xdg-run`, or `snap.NAME`. A container has no other folders, so inside of one they count as any other.
 */
static int sally_is_packaged(const char *path) {
#if defined(__linux__)
  size_t end = strlen(path);
  size_t size;
  size_t above_size;
  size_t dots = 0;
  size_t i;
  const char *part = sally_part_before(path, &end, &size);
  const char *above;
  part = sally_part_before(path, &end, &size);
  above = sally_part_before(path, &end, &above_size);
  for (i = 0; i < size; i++) dots += part[i] == '.';
  if (size > 5 && memcmp(part, "snap.", 5) == 0) return !sally_is_contained();
  if (sally_is_part(above, above_size, "app") && dots >= 2) return !sally_is_contained();
  if (!sally_is_part(part, size, "xdg-run")) return 0;
  above = sally_part_before(path, &end, &above_size);
  return sally_is_part(above, above_size, ".flatpak") && !sally_is_contained();
#else
  (void)path;
  return 0;
#endif
}

/** Adds the slots of `directory` and `folder` (may be ""). A path that is too long for a socket is left out. */
static int sally_add_slots(const char *directory, const char *folder, const char *prefix, int slot,
                           sally_candidate *candidates, int count) {
  size_t length = strlen(directory);
  int first = slot < 0 ? 0 : slot;
  int last = slot < 0 ? SALLYPORT_SLOT_COUNT - 1 : slot;
  int is_packaged = -1;
  while (length > 0 && directory[length - 1] == '/') length--;
  if (length >= SALLY_PATH_SIZE) return count;
  for (; first <= last && count < SALLY_MAX_CANDIDATES; first++) {
    int written = snprintf(candidates[count].path, SALLY_PATH_SIZE, "%.*s/%s%s%s-%d", (int)length, directory, folder,
                           *folder == 0 ? "" : "/", prefix, first);
    if (written <= 0 || written >= SALLY_PATH_SIZE) continue;
    if (is_packaged < 0) is_packaged = sally_is_packaged(candidates[count].path);
    candidates[count++].is_packaged = is_packaged;
  }
  return count;
}

int sally_list_candidates(const char *runtime_dir, const char *prefix, int slot, sally_candidate *candidates) {
  const char *directory = runtime_dir;
  sally_file facts;
  int count;
  if (runtime_dir != NULL) return sally_add_slots(runtime_dir, "", prefix, slot, candidates, 0);
  directory = sally_default_directory();
  /* Other users can create sockets there: only the private folder of this user is searched. */
  if (sally_file_read(directory, 1, &facts) && facts.is_writable_by_others) {
    char folder[40];
    (void)snprintf(folder, sizeof folder, "sallyport-%lu", (unsigned long)getuid());
    return sally_add_slots(directory, folder, prefix, slot, candidates, 0);
  }
  count = sally_add_slots(directory, "", prefix, slot, candidates, 0);
#if defined(__linux__)
  /* Where packaged desktop clients put their sockets. */
  count = sally_add_slots(directory, "app/com.discordapp.Discord", prefix, slot, candidates, count);
  count = sally_add_slots(directory, "snap.discord", prefix, slot, candidates, count);
#endif
  return count;
}
#else
/** A source without a declaration is no C. */
typedef int sally_no_folders_here;
#endif
