/** The discovery rule on Unix: where servers of this user may listen; and the clock and the process. */
#include "posix.h"

#if !defined(_WIN32)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

/** Adds the slots of `directory` and `folder` (may be ""). A path that is too long for a socket is left out. */
static int sally_add_slots(const char *directory, const char *folder, const char *prefix, int slot,
                           sally_candidate *candidates, int count) {
  size_t length = strlen(directory);
  int first = slot < 0 ? 0 : slot;
  int last = slot < 0 ? SALLYPORT_SLOT_COUNT - 1 : slot;
  while (length > 0 && directory[length - 1] == '/') length--;
  if (length >= SALLY_PATH_SIZE) return count;
  for (; first <= last && count < SALLY_MAX_CANDIDATES; first++) {
    int written = snprintf(candidates[count].path, SALLY_PATH_SIZE, "%.*s/%s%s%s-%d", (int)length, directory, folder,
                           *folder == 0 ? "" : "/", prefix, first);
    if (written > 0 && written < SALLY_PATH_SIZE) count++;
  }
  return count;
}

int sally_list_candidates(const char *runtime_dir, const char *prefix, int slot, sally_candidate *candidates) {
  const char *directory = runtime_dir;
  struct stat facts;
  int count;
  if (runtime_dir != NULL) return sally_add_slots(runtime_dir, "", prefix, slot, candidates, 0);
  directory = sally_default_directory();
  /* Other users can create sockets there: only the private folder of this user is searched. */
  if (stat(directory, &facts) == 0 && (facts.st_mode & 022) != 0) {
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
