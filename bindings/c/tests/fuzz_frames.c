/** For libFuzzer: any bytes, in pieces of any length, through the decoder of frames. The first byte chooses the pieces. */
#include "../src/posix.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../src/connection.h"

#define MOST_BYTES (8L * 1024 * 1024)

static long bytes_in_use;

static void *counted(void *user, void *block, size_t old_size, size_t new_size) {
  (void)user;
  bytes_in_use += (long)new_size - (block == NULL ? 0L : (long)old_size);
  if (bytes_in_use > MOST_BYTES) abort();
  if (new_size > 0) return realloc(block, new_size);
  free(block);
  return NULL;
}

/** What was sent so far, and how much of it came back as frames. */
typedef struct stream {
  const uint8_t *bytes;
  size_t sent;
  size_t taken;
} stream;

/** Takes every frame that is complete, and compares it with what was sent. Returns 0 when the connection broke. */
static int take(sally_connection *connection, const sally_memory *memory, stream *of) {
  for (;;) {
    sally_frame frame;
    sally_reason reason = {SALLYPORT_OK, 0, ""};
    int found = sally_connection_next(connection, memory, &frame, &reason);
    size_t left = of->sent - of->taken;
    if (found < 0 && reason.code == SALLYPORT_OK) abort();
    if (found <= 0) return found == 0;
    if (left < SALLYPORT_HEADER_BYTES || left - SALLYPORT_HEADER_BYTES < frame.length ||
        memcmp(frame.payload, of->bytes + of->taken + SALLYPORT_HEADER_BYTES, frame.length) != 0)
      abort();
    of->taken += SALLYPORT_HEADER_BYTES + frame.length;
    sally_connection_consume(connection, &frame);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sally_memory memory;
  sally_connection connection;
  int ends[2];
  stream of;
  size_t piece;
  if (size < 2 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 0;
  piece = (size_t)data[0] + 1;
  (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
  (void)fcntl(ends[1], F_SETFL, O_NONBLOCK);
  memory.allocate = counted;
  memory.user = NULL;
  sally_connection_init(&connection);
  connection.transport.socket = ends[0];
  sally_connection_accept(&connection);
  of.bytes = data + 1;
  of.sent = of.taken = 0;
  while (of.sent < size - 1) {
    size_t left = size - 1 - of.sent;
    ssize_t sent = send(ends[1], of.bytes + of.sent, left < piece ? left : piece, MSG_NOSIGNAL);
    if (sent > 0) of.sent += (size_t)sent;
    if (!take(&connection, &memory, &of)) break;
  }
  (void)close(ends[1]);
  while (take(&connection, &memory, &of)) continue;
  sally_connection_free(&connection, &memory);
  if (bytes_in_use != 0) abort();
  return 0;
}
