/** What the client must know of files before it trusts them. */
#ifndef SALLY_FILES_UNIX_H
#define SALLY_FILES_UNIX_H

#include <stdint.h>

typedef enum sally_file_kind { SALLY_FILE_OTHER = 0, SALLY_FILE_SOCKET, SALLY_FILE_FOLDER } sally_file_kind;

typedef struct sally_file {
  sally_file_kind kind;
  uint64_t owner;
  /** Users besides the owner may write; in a folder they may also replace what others own, unless it is sticky. */
  int is_writable_by_others;
  int is_sticky;
  /** These tell two files apart, also if one took the place of the other. */
  uint64_t device;
  uint64_t number;
  int64_t changed_s;
  int64_t changed_ns;
} sally_file;

/** Reads the facts of a file; with `follows`, of what a symbolic link leads to. Returns 0 if there is none. */
int sally_file_read(const char *path, int follows, sally_file *file);

#endif
