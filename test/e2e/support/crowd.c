/*
 * A program that opens many connections and reads none of them. Arguments: socket, number of connections, bytes of a PING or 0.
 * It greets on each, sends PINGs for as long as the daemon reads, prints "full" when nothing moves for a second, and ends with its input.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { HANDSHAKE = 0, PING = 3, HEADER = 8, MOST = 1 << 20 };

static size_t frame(char *into, int opcode, size_t bytes) {
  for (int at = 0; at < 4; at++) {
    into[at] = (char)((unsigned)opcode >> (8 * at));
    into[4 + at] = (char)(bytes >> (8 * at));
  }
  return HEADER + bytes;
}

static int greet(const struct sockaddr_un *address) {
  static char hello[256];
  const char *text = "{\"v\":1,\"client_id\":\"999000111\",\"contract\":\"1.0\",\"streams\":true}";
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0) return -1;
  memcpy(hello + HEADER, text, strlen(text));
  size_t bytes = frame(hello, HANDSHAKE, strlen(text));
  if (connect(fd, (const struct sockaddr *)address, sizeof *address) != 0 || send(fd, hello, bytes, MSG_NOSIGNAL) < 0) {
    close(fd);
    return -1;
  }
  fcntl(fd, F_SETFL, O_NONBLOCK);
  return fd;
}

int main(int count, char **words) {
  if (count != 4) return 2;
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", words[1]);
  int connections = atoi(words[2]);
  size_t ping = (size_t)atoi(words[3]);
  char *bytes = calloc(1, HEADER + MOST);
  int *sockets = calloc((size_t)connections, sizeof *sockets);
  size_t *sent = calloc((size_t)connections, sizeof *sent);
  if (bytes == NULL || sockets == NULL || sent == NULL || ping > MOST) return 3;
  size_t whole = frame(bytes, PING, ping);
  for (int at = 0; at < connections; at++) sockets[at] = greet(&address);
  for (int idle = 0; ping > 0 && idle < 100;) {
    int moved = 0;
    for (int at = 0; at < connections; at++) {
      while (sockets[at] >= 0) {
        ssize_t more = send(sockets[at], bytes + sent[at], whole - sent[at], MSG_NOSIGNAL);
        if (more < 0 && (errno == EAGAIN || errno == EINTR)) break;
        if (more < 0) {
          close(sockets[at]);
          sockets[at] = -1;
          break;
        }
        sent[at] = (sent[at] + (size_t)more) % whole;
        moved = 1;
      }
    }
    idle = moved ? 0 : idle + 1;
    if (!moved) poll(NULL, 0, 10);
  }
  puts("full");
  fflush(stdout);
  char end;
  return read(STDIN_FILENO, &end, 1) < 0;
}
