#include "find_socket.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 10, AF_UNIX_FAMILY = 1 };
enum { KIND = 0170000, FOLDER = 0040000, SOCKET = 0140000, OTHERS_WRITE = 0022, STICKY = 01000, ROOT = 0 };

/** The daemon listens here for this bridge, beside its slot. */
#define WINE_SOCKET "sallyport-wine-"

/** The first variable that is set names the folder. Wine sets TMP and TEMP to Windows folders, which cannot have sockets. */
static const char *default_folder(void) {
  static const char *const variables[] = {"XDG_RUNTIME_DIR", "TMPDIR", "TMP", "TEMP"};
  size_t at;
  for (at = 0; at < sizeof variables / sizeof *variables; at++) {
    const char *value = getenv(variables[at]);
    if (value != NULL && *value == '/') return value;
  }
  return "/tmp";
}

/** Whether only this user or root can replace what is in the folder. `*is_shared`: others can create sockets there. */
static int is_safe_folder(search *memory, int *is_shared) {
  const lx_facts *facts = &memory->facts;
  if (!lx_lstat(memory->folder, &memory->facts) || (facts->mode & KIND) != FOLDER) return 0;
  *is_shared = (facts->mode & OTHERS_WRITE) != 0;
  return (facts->uid == lx_uid() || facts->uid == ROOT) && (!*is_shared || (facts->mode & STICKY) != 0);
}

/** Checks the owner before and after the connection, as clients on Linux do. */
static int connect_to(search *memory, const char *kind, const char *prefix, int slot) {
  const size_t size = sizeof memory->address.path;
  int fd;
  const int length = snprintf(memory->address.path, size, "%s/%s%s-%d", memory->folder, kind, prefix, slot);
  if (length < 0 || (size_t)length >= size) return LX_FAILED;
  memory->address.family = AF_UNIX_FAMILY;
  if (!lx_lstat(memory->address.path, &memory->facts)) return LX_FAILED;
  if ((memory->facts.mode & KIND) != SOCKET || memory->facts.uid != lx_uid()) return LX_FAILED;
  fd = lx_connect(&memory->address);
  if (fd == LX_FAILED || lx_is_own_peer(fd, memory->credentials)) return fd;
  lx_close(fd);
  return LX_FAILED;
}

static int first_of(search *memory, const char *kind, const char *prefix) {
  int slot, fd = LX_FAILED;
  for (slot = 0; slot < SLOTS && fd == LX_FAILED; slot++) fd = connect_to(memory, kind, prefix, slot);
  return fd;
}

/** Looks in memory->folder. */
static found_socket search_folder(search *memory, const char *prefix) {
  found_socket found = {LX_FAILED, 1};
  found.fd = first_of(memory, WINE_SOCKET, prefix);
  if (found.fd != LX_FAILED) return found;
  found.is_introduced = 0;
  found.fd = first_of(memory, "", prefix);
  return found;
}

found_socket find_socket(search *memory, const char *folder, const char *prefix) {
  const found_socket none = {LX_FAILED, 0};
  const size_t size = sizeof memory->folder;
  int is_shared = 0;
  int length = snprintf(memory->folder, size, "%s", folder == NULL ? default_folder() : folder);
  if (length <= 0 || (size_t)length >= size || !is_safe_folder(memory, &is_shared)) return none;
  if (is_shared && folder == NULL) {
    /* Other users can create sockets there, and the daemon has a private folder below. A chosen folder is used alone. */
    const int more = snprintf(memory->folder + length, size - (size_t)length, "/sallyport-%u", lx_uid());
    if (more < 0 || (size_t)more >= size - (size_t)length || !is_safe_folder(memory, &is_shared) || is_shared) return none;
  }
  return search_folder(memory, prefix);
}
