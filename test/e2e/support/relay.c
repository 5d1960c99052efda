/* A program that carries bytes between its own streams and a socket, and can behave as programs do that want to be taken for others.
 *
 *   relay [--hide] [--limit] [--orphan | [--forge] --leave PROGRAM] SOCKET
 *   relay --idle              waits to be ended
 *   relay --as PID            ends when its child ends, which has this number and idles (needs the right to choose)
 *
 *   --hide            tells the system to show nothing of it
 *   --limit           confines itself once it is connected: no_new_privs, and with Landlock no file at all
 *   --forge           the child names its parent as the sender of what it sends (needs a process namespace of its own)
 *   --orphan          a child connects and ends; its parent goes on with the connection
 *   --leave PROGRAM   the process that connected becomes PROGRAM --idle; a child goes on with its connection
 */
#define _GNU_SOURCE
#include <linux/landlock.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int fail(const char *what) {
  perror(what);
  return 1;
}

static int dial(int fd, const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) exit(fail(path));
  /* Whoever started it reads from its other end who connected. */
  fprintf(stderr, "%d\n", (int)getpid());
  return fd;
}

static int dial_by_child(int fd, const char *path) {
  pid_t child = fork();
  if (child == 0) {
    dial(fd, path);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  return fd;
}

/* Of the process that the messages name as their sender; 0: they name none. */
static pid_t forged = 0;

static ssize_t put_forged(int to, char *bytes, size_t size) {
  struct iovec part = {.iov_base = bytes, .iov_len = size};
  struct ucred sender = {.pid = forged, .uid = getuid(), .gid = getgid()};
  union {
    char bytes[CMSG_SPACE(sizeof sender)];
    struct cmsghdr header;
  } control = {.header = {.cmsg_len = CMSG_LEN(sizeof sender), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_CREDENTIALS}};
  memcpy(CMSG_DATA(&control.header), &sender, sizeof sender);
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  return sendmsg(to, &message, 0);
}

static int carry_all(int from, int to) {
  char bytes[65536];
  ssize_t got = read(from, bytes, sizeof bytes);
  for (ssize_t at = 0, put; at < got; at += put) {
    size_t rest = (size_t)(got - at);
    put = forged != 0 && to != 1 ? put_forged(to, bytes + at, rest) : write(to, bytes + at, rest);
    if (put < 0) return 0;
  }
  return got > 0;
}

static void limit(void) {
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  struct landlock_ruleset_attr none = {.handled_access_fs = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE};
  int rules = (int)syscall(SYS_landlock_create_ruleset, &none, sizeof none, 0);
  if (rules >= 0) syscall(SYS_landlock_restrict_self, rules, 0);
}

static void *carry_in(void *fd) {
  while (carry_all(0, *(int *)fd)) continue;
  exit(0);
}

/* Each direction by itself: a full socket must not keep answers from being read. */
static int carry(int fd) {
  pthread_t in;
  if (pthread_create(&in, NULL, carry_in, &fd) != 0) return fail("pthread_create");
  while (carry_all(fd, 1)) continue;
  return 0;
}

static int idle(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  while (pause() < 0) continue;
  return 0;
}

static int idle_as(pid_t number) {
  struct clone_args how = {.exit_signal = SIGCHLD, .set_tid = (uint64_t)(uintptr_t)&number, .set_tid_size = 1};
  long child = syscall(SYS_clone3, &how, sizeof how);
  if (child < 0) return fail("clone3");
  if (child == 0) return idle();
  printf("%ld\n", child);
  fflush(stdout);
  waitpid((pid_t)child, NULL, 0);
  return 0;
}

int main(int argc, char **argv) {
  const char *becomes = NULL;
  int is_orphan = 0, is_limited = 0, is_forging = 0, at = 1;
  for (; at < argc && argv[at][0] == '-'; at++) {
    if (strcmp(argv[at], "--idle") == 0) return idle();
    if (strcmp(argv[at], "--as") == 0) return idle_as((pid_t)atoi(argv[at + 1]));
    if (strcmp(argv[at], "--hide") == 0) prctl(PR_SET_DUMPABLE, 0);
    if (strcmp(argv[at], "--limit") == 0) is_limited = 1;
    if (strcmp(argv[at], "--forge") == 0) is_forging = 1;
    if (strcmp(argv[at], "--orphan") == 0) is_orphan = 1;
    if (strcmp(argv[at], "--leave") == 0) becomes = argv[++at];
  }
  if (at >= argc) return 2;
  signal(SIGPIPE, SIG_IGN);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (is_orphan) return carry(dial_by_child(fd, argv[at]));
  dial(fd, argv[at]);
  if (is_limited) limit();
  if (is_forging) forged = getpid();
  if (becomes == NULL || fork() == 0) return carry(fd);
  execl(becomes, becomes, "--idle", (char *)NULL);
  return fail(becomes);
}
