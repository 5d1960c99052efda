/**
 * Stands in for a client of the platform that takes a slot: it probes a slot by connecting, removes a file that refuses, and binds; or binds
 * elsewhere and renames the socket into the slot, which it had found free. Then it watches its name for the rest of its life.
 *
 *   slot-client FOLDER bind|rename US_BEFORE_LISTEN MS_TO_LIVE leave|remove
 *
 * It prints the slot and "kept", or "lost" if the name was no longer its own at any look. "rename" prints "none" when the slot was taken meanwhile.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 10, BACKLOG = 128, LOOK_US = 200 };

static struct sockaddr_un address_of(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  return address;
}

/** 0: a server listens there. Otherwise what the system says. */
static int probe(const char *path) {
  struct sockaddr_un address = address_of(path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  int code = connect(fd, (struct sockaddr *)&address, sizeof address) == 0 ? 0 : errno;
  close(fd);
  return code;
}

static int bind_at(const char *path, int us_before_listen) {
  struct sockaddr_un address = address_of(path);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0) {
    close(fd);
    return -1;
  }
  if (us_before_listen > 0) usleep(us_before_listen);
  if (listen(fd, BACKLOG) != 0) exit(3);
  return fd;
}

static long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int main(int count, char **words) {
  char path[100], part[100];
  struct stat own, seen;
  int slot, fd = -1, is_rename, pause, is_lost = 0;
  long end;
  if (count != 6) return 2;
  is_rename = strcmp(words[2], "rename") == 0;
  pause = atoi(words[3]);
  end = now_ms() + atol(words[4]);
  snprintf(part, sizeof part, "%s/.client-%d", words[1], (int)getpid());
  for (slot = 0; slot < SLOTS && fd < 0; slot++) {
    int code;
    snprintf(path, sizeof path, "%s/discord-ipc-%d", words[1], slot);
    code = probe(path);
    if (code == 0) continue;
    if (code == ECONNREFUSED) unlink(path);
    fd = bind_at(is_rename ? part : path, pause);
    if (fd < 0 || !is_rename) continue;
    /* A client that renames does not want another program's name either. */
    if (syscall(SYS_renameat2, AT_FDCWD, part, AT_FDCWD, path, 1 /* RENAME_NOREPLACE */) != 0) {
      close(fd);
      unlink(part);
      fd = -1;
    }
  }
  if (fd < 0) return puts("none") < 0;
  slot--;
  if (stat(path, &own) != 0) is_lost = 1;
  do {
    if (stat(path, &seen) != 0 || seen.st_ino != own.st_ino) is_lost = 1;
    usleep(LOOK_US);
  } while (now_ms() < end);
  if (probe(path) != 0) is_lost = 1;
  if (strcmp(words[5], "remove") == 0 && stat(path, &seen) == 0 && seen.st_ino == own.st_ino) unlink(path);
  printf("%d %s\n", slot, is_lost ? "lost" : "kept");
  return 0;
}
