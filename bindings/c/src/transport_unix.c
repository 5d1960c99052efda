/**
 * Unix sockets of this user only. Where other users can write, another user can listen first at the name that games try.
 * So the client checks owner and kind of the socket, its folder, that it was not replaced, and the process of the peer.
 */
#include "posix.h"

#if !defined(_WIN32) && !defined(SALLYPORT_NO_SYSTEM)
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include "files_unix.h"
#include "peer_unix.h"
#include "platform.h"

#if defined(MSG_NOSIGNAL)
#define SALLY_SEND_FLAGS MSG_NOSIGNAL
#else
#define SALLY_SEND_FLAGS 0
#endif


void sally_transport_init(sally_transport *transport) { transport->socket = -1; }
int sally_transport_is_open(const sally_transport *transport) { return transport->socket >= 0; }

/** Checks the socket and its folder. `*facts` identifies the socket file. */
static int sally_check_path(const char *path, sally_file *facts, sally_reason *reason) {
  char folder[SALLY_PATH_SIZE];
  sally_file around;
  const char *slash = strrchr(path, '/');
  if (!sally_file_read(path, 0, facts)) return sally_reason_set(reason, SALLYPORT_E_NO_SERVER, "no server was found; start one with: sallyport run", path);
  if (facts->kind != SALLY_FILE_SOCKET) return sally_reason_set(reason, SALLYPORT_E_NO_SERVER, "the file is not a socket", path);
  if (facts->owner != getuid())
    return sally_reason_set(reason, SALLYPORT_E_FOREIGN_SERVER, "the socket belongs to another user of the system", path);
  if (slash == NULL || slash == path || (size_t)(slash - path) >= sizeof folder) {
    memcpy(folder, slash == path ? "/" : ".", 2);
  } else {
    memcpy(folder, path, (size_t)(slash - path));
    folder[slash - path] = 0;
  }
  if (!sally_file_read(folder, 1, &around) || around.kind != SALLY_FILE_FOLDER || (around.owner != getuid() && around.owner != 0) ||
      (around.is_writable_by_others && !around.is_sticky))
    return sally_reason_set(reason, SALLYPORT_E_FOREIGN_SERVER, "other users of the system can replace the socket", path);
  return SALLYPORT_OK;
}

static int sally_is_same_file(const sally_file *a, const sally_file *b) {
  return a->device == b->device && a->number == b->number && a->changed_s == b->changed_s && a->changed_ns == b->changed_ns;
}

static int sally_prepare(int fd) {
  int flags = fcntl(fd, F_GETFL, 0);
#if defined(SO_NOSIGPIPE)
  int on = 1;
  (void)setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

/** Contained programs of this user can listen there: such a server is used only if the game allows it. */
static int sally_check_contained(const sally_trust *trust, const char *path, sally_reason *reason) {
  if (!trust->may_be_contained || trust->allows_contained) return SALLYPORT_OK;
  return sally_reason_set(reason, SALLYPORT_E_FOREIGN_SERVER,
                          "a contained program may have started the server; start a bridge with: sallyport run; or set "
                          "allow_packaged_client to use the platform's own client",
                          path);
}

static int sally_check_peer(int fd, const char *path, const sally_file *before, sally_trust *trust, sally_reason *reason) {
  sally_file after;
  uid_t uid = 0;
  int code = sally_check_path(path, &after, reason);
  if (code != SALLYPORT_OK) return code;
  if (!sally_is_same_file(before, &after))
    return sally_reason_set(reason, SALLYPORT_E_FOREIGN_SERVER, "the socket was replaced while the client connected", path);
  if (!sally_peer_uid(fd, &uid))
    return sally_reason_set(reason, SALLYPORT_E_FOREIGN_SERVER, "the system does not name the user of the server", path);
  if (uid != getuid())
    return sally_reason_set(reason, SALLYPORT_E_FOREIGN_SERVER, "the server runs as another user of the system", path);
  if (!trust->may_be_contained) trust->may_be_contained = !sally_peer_is_outside(fd);
  return sally_check_contained(trust, path, reason);
}

int sally_transport_open(sally_transport *transport, const sally_memory *memory, const sally_candidate *candidate,
                         sally_trust *trust, sally_reason *reason) {
  const char *path = candidate->path;
  struct sockaddr_un address;
  sally_file before;
  size_t length = strlen(path);
  int fd;
  int code;
  (void)memory;
  transport->socket = -1;
  if (length >= sizeof address.sun_path)
    return sally_reason_set(reason, SALLYPORT_E_NO_SERVER, "the path is too long for a socket", path);
  trust->may_be_contained = candidate->is_packaged;
  code = sally_check_path(path, &before, reason);
  if (code == SALLYPORT_OK) code = sally_check_contained(trust, path, reason);
  if (code != SALLYPORT_OK) return code;
  fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0) return sally_reason_set(reason, SALLYPORT_E_SYSTEM, "the system gave no socket", NULL);
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  memcpy(address.sun_path, path, length + 1);
  if (!sally_prepare(fd)) {
    code = sally_reason_set(reason, SALLYPORT_E_SYSTEM, "the system gave no socket that does not block", NULL);
  } else if (connect(fd, (const struct sockaddr *)(const void *)&address, sizeof address) != 0) {
    code = sally_reason_set(reason, SALLYPORT_E_NO_SERVER, "no server listens there", path);
  } else {
    code = sally_check_peer(fd, path, &before, trust, reason);
  }
  if (code == SALLYPORT_OK) transport->socket = fd;
  else (void)close(fd);
  return code;
}

long sally_transport_read(sally_transport *transport, char *data, size_t size) {
  ssize_t got;
  do got = recv(transport->socket, data, size, 0);
  while (got < 0 && errno == EINTR);
  if (got > 0) return (long)got;
  return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? 0 : -1;
}

long sally_transport_write(sally_transport *transport, const char *data, size_t size) {
  ssize_t sent;
  do sent = send(transport->socket, data, size, SALLY_SEND_FLAGS);
  while (sent < 0 && errno == EINTR);
  if (sent >= 0) return (long)sent;
  return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -1;
}

void sally_transport_close(sally_transport *transport) {
  if (transport->socket >= 0) (void)close(transport->socket);
  transport->socket = -1;
}

void sally_transport_wait(sally_transport *const *transports, const int *writes, int count, int timeout_ms) {
  struct pollfd files[8];
  nfds_t used = 0;
  int i;
  for (i = 0; i < count && used < 8; i++) {
    if (transports[i]->socket < 0) continue;
    files[used].fd = transports[i]->socket;
    files[used].events = (short)(writes[i] ? POLLIN | POLLOUT : POLLIN);
    files[used].revents = 0;
    used++;
  }
  (void)poll(files, used, timeout_ms);
}
#else
/** A source without a declaration is no C. */
typedef int sally_no_sockets_here;
#endif
