/** Facts of files. */
#include "posix.h"

#if !defined(_WIN32) && !defined(SALLYPORT_NO_SYSTEM)

#include "files_unix.h"

#define SALLY_TYPE_BITS 0170000u
#define SALLY_SOCKET_BITS 0140000u
#define SALLY_FOLDER_BITS 0040000u
#define SALLY_STICKY_BIT 01000u
#define SALLY_OTHERS_WRITE 022u

static void sally_file_mode(sally_file *file, unsigned mode) {
  unsigned type = mode & SALLY_TYPE_BITS;
  file->kind = type == SALLY_SOCKET_BITS ? SALLY_FILE_SOCKET : type == SALLY_FOLDER_BITS ? SALLY_FILE_FOLDER : SALLY_FILE_OTHER;
  file->is_writable_by_others = (mode & SALLY_OTHERS_WRITE) != 0;
  file->is_sticky = (mode & SALLY_STICKY_BIT) != 0;
}

/* glibc has had statx since 2.28. Programs that use its stat need 2.33, and the runtimes of some stores are older. */
#if defined(__linux__) && defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 28)

#include <linux/stat.h>

#define SALLY_AT_FDCWD (-100)
#define SALLY_AT_SYMLINK_NOFOLLOW 0x100

extern int statx(int folder, const char *path, int flags, unsigned int mask, struct statx *facts);

int sally_file_read(const char *path, int follows, sally_file *file) {
  struct statx facts;
  if (statx(SALLY_AT_FDCWD, path, follows ? 0 : SALLY_AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &facts) != 0) return 0;
  sally_file_mode(file, facts.stx_mode);
  file->owner = facts.stx_uid;
  file->device = ((uint64_t)facts.stx_dev_major << 32) | facts.stx_dev_minor;
  file->number = facts.stx_ino;
  file->changed_s = facts.stx_ctime.tv_sec;
  file->changed_ns = facts.stx_ctime.tv_nsec;
  return 1;
}

#else

#include <sys/stat.h>

#if defined(__APPLE__)
#define SALLY_CHANGED(facts) ((facts).st_ctimespec)
#else
#define SALLY_CHANGED(facts) ((facts).st_ctim)
#endif

int sally_file_read(const char *path, int follows, sally_file *file) {
  struct stat facts;
  if ((follows ? stat(path, &facts) : lstat(path, &facts)) != 0) return 0;
  sally_file_mode(file, (unsigned)facts.st_mode);
  file->owner = (uint64_t)facts.st_uid;
  file->device = (uint64_t)facts.st_dev;
  file->number = (uint64_t)facts.st_ino;
  file->changed_s = (int64_t)SALLY_CHANGED(facts).tv_sec;
  file->changed_ns = (int64_t)SALLY_CHANGED(facts).tv_nsec;
  return 1;
}

#endif

#else
/** A source without a declaration is no C. */
typedef int sally_no_file_facts_here;
#endif
