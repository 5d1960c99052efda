/**
 * The process at the other end of a Unix socket: its user, and whether it runs in a container.
 *
 * What a process sees is told by the mount at its root and by the users of its namespace. The kernel writes both for every reader, while
 * the links in /proc/PID/ns can be read of processes only that allow to be traced. A bridge forbids that, because it holds secrets.
 */
#include "posix.h"

#if !defined(_WIN32) && !defined(SALLYPORT_NO_SYSTEM)
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "peer_unix.h"
#include "platform.h"

#if defined(SO_PEERCRED) && defined(__linux__)
/** What Linux writes for SO_PEERCRED. */
typedef struct sally_credentials {
  int pid;
  unsigned uid;
  unsigned gid;
} sally_credentials;
#endif

int sally_peer_uid(int fd, uid_t *uid) {
#if defined(SO_PEERCRED) && defined(__linux__)
  sally_credentials peer;
  socklen_t size = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || size != sizeof peer) return 0;
  *uid = peer.uid;
  return 1;
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__)
  gid_t gid;
  return getpeereid(fd, uid, &gid) == 0;
#else
  (void)fd;
  (void)uid;
  return 0;
#endif
}

#if defined(__linux__)
/** Files at the root of a Flatpak and of a Snap. Outside of them, neither another user nor a contained program can make a file there. */
static const char *const SALLY_CONTAINER_MARKS[] = {"/.flatpak-info", "/meta/snap.yaml"};

/* Linux 6.5; the headers of a system may be older. */
#if !defined(SO_PEERPIDFD) && (defined(__x86_64__) || defined(__i386__) || defined(__aarch64__) || defined(__arm__))
#define SO_PEERPIDFD 77
#endif

/** Bytes of a list of mounts that are read, so that a server with many of them does not hold up a frame of the game. */
#define SALLY_MOUNTS_LIMIT 1048576

/** Where a process runs. No two mount namespaces share a mount, so its number names the namespace. */
typedef struct sally_place {
  char root_mount[24];
  char users[512];
} sally_place;

int sally_is_contained(void) {
  size_t i;
  for (i = 0; i < sizeof SALLY_CONTAINER_MARKS / sizeof SALLY_CONTAINER_MARKS[0]; i++)
    if (access(SALLY_CONTAINER_MARKS[i], F_OK) == 0) return 1;
  return 0;
}

static int sally_open_of(const char *process, const char *name) {
  char path[64];
  (void)snprintf(path, sizeof path, "/proc/%s/%s", process, name);
  return open(path, O_RDONLY | O_CLOEXEC);
}

/** Finds the mount at "/" in lines `NUMBER PARENT DEVICE ROOT POINT …`, and copies its number. Returns 0 if there is none. */
static int sally_read_root_mount(int fd, char *number, size_t size) {
  char text[4096];
  size_t length = 0;
  size_t point = 0;
  int field = 0;
  int is_root = 0;
  long left = SALLY_MOUNTS_LIMIT;
  ssize_t got;
  while (left > 0 && (got = read(fd, text, sizeof text)) > 0) {
    ssize_t i;
    left -= got;
    for (i = 0; i < got; i++) {
      if (text[i] == '\n') {
        field = 0;
        length = point = 0;
      } else if (text[i] == ' ') {
        number[length] = 0;
        if (field == 4 && is_root && point == 1) return 1;
        field++;
      } else if (field == 0 && length < size - 1) {
        number[length++] = text[i];
      } else if (field == 4) {
        is_root = text[i] == '/';
        point++;
      }
    }
  }
  return 0;
}

/** `process` is its number, or "self". Returns 0 if the system does not say. */
static int sally_read_place(const char *process, sally_place *place) {
  int mounts = sally_open_of(process, "mountinfo");
  int users = sally_open_of(process, "uid_map");
  ssize_t got = 0;
  int is_read = 0;
  memset(place, 0, sizeof *place);
  if (mounts >= 0 && users >= 0) {
    is_read = sally_read_root_mount(mounts, place->root_mount, sizeof place->root_mount);
    got = read(users, place->users, sizeof place->users - 1);
  }
  if (mounts >= 0) (void)close(mounts);
  if (users >= 0) (void)close(users);
  return is_read && got > 0;
}

/** Whether the process that began to listen still has its number. Before Linux 6.5 the system does not say. */
static int sally_has_number(int fd) {
#if defined(SO_PEERPIDFD)
  struct pollfd process;
  socklen_t size = sizeof process.fd;
  int is_alive;
  process.events = POLLIN;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &process.fd, &size) != 0) return errno == ENOPROTOOPT;
  is_alive = poll(&process, 1, 0) == 0;
  (void)close(process.fd);
  return is_alive;
#else
  (void)fd;
  return 1;
#endif
}

static int sally_is_place(const char *process, const sally_place *place) {
  sally_place other;
  return sally_read_place(process, &other) && strcmp(other.root_mount, place->root_mount) == 0 &&
         strcmp(other.users, place->users) == 0;
}

int sally_peer_is_outside(int fd) {
  sally_credentials peer;
  socklen_t size = sizeof peer;
  sally_place place;
  char number[24];
  if (sally_is_contained()) return 1;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || size != sizeof peer) return 0;
  /* It has no number here, so this process is in a container and the server is not in it. */
  if (peer.pid == 0) return 1;
  (void)snprintf(number, sizeof number, "%ld", (long)peer.pid);
  /* In a container that shows the processes of the system, the first process is outside, as a bridge is. */
  return sally_read_place(number, &place) && (sally_is_place("self", &place) || sally_is_place("1", &place)) && sally_has_number(fd);
}
#else
int sally_is_contained(void) { return 0; }

int sally_peer_is_outside(int fd) {
  (void)fd;
  return 1;
}
#endif
#else
/** A source without a declaration is no C. */
typedef int sally_no_peers_here;
#endif
