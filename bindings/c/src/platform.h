/** The system: memory, growing buffers, the transport, the discovery of servers, clock and process. */
#ifndef SALLY_PLATFORM_H
#define SALLY_PLATFORM_H

#include <stddef.h>
#include <stdint.h>

#include "sallyport/sallyport.h"

#define SALLY_PATH_SIZE 160
/** Three directories with ten slots each. */
#define SALLY_MAX_CANDIDATES 30
#define SALLY_MESSAGE_SIZE 512

typedef struct sally_memory {
  sallyport_allocate_fn allocate;
  void *user;
} sally_memory;

/** Bytes between `start` and `length` are in use. */
typedef struct sally_buffer {
  char *data;
  size_t start;
  size_t length;
  size_t capacity;
} sally_buffer;

void *sally_allocate(const sally_memory *memory, size_t size);
void sally_release(const sally_memory *memory, void *block, size_t size);

/** Makes room for `more` bytes behind `length`. Returns 0 if that is over `limit` bytes in use, or without memory. */
int sally_buffer_reserve(const sally_memory *memory, sally_buffer *buffer, size_t more, size_t limit);
/** Replaces the content with a text and its zero. */
int sally_buffer_set(const sally_memory *memory, sally_buffer *buffer, const char *text, size_t length);
/** Marks the first bytes as used up; moves the rest to the front when that is cheap. */
void sally_buffer_consume(sally_buffer *buffer, size_t bytes);
void sally_buffer_free(const sally_memory *memory, sally_buffer *buffer);

/** A code with its sentence. */
typedef struct sally_reason {
  int code;
  int close_code;
  char message[SALLY_MESSAGE_SIZE];
} sally_reason;

/** Sets the code and the sentence; `path` (may be null) follows the sentence in brackets. Returns the code. */
int sally_reason_set(sally_reason *reason, int code, const char *sentence, const char *path);

#if defined(_WIN32)
typedef struct sally_transport {
  struct sally_pipe *pipe;
} sally_transport;
#define SALLY_NO_TRANSPORT {NULL}
#else
typedef struct sally_transport {
  int socket;
} sally_transport;
#define SALLY_NO_TRANSPORT {-1}
#endif

void sally_transport_init(sally_transport *transport);
int sally_transport_is_open(const sally_transport *transport);
typedef struct sally_candidate {
  char path[SALLY_PATH_SIZE];
  /** Contained programs can listen there. */
  int is_packaged;
} sally_candidate;

/** Whether a contained program may have started a server, and whether such a server is used: never as a bridge. */
typedef struct sally_trust {
  int allows_contained;
  int may_be_contained;
} sally_trust;

/**
 * Connects without blocking, after the checks of the server, which set `trust->may_be_contained`. Returns SALLYPORT_OK or the
 * code of the reason.
 */
int sally_transport_open(sally_transport *transport, const sally_memory *memory, const sally_candidate *candidate,
                         sally_trust *trust, sally_reason *reason);
/** Returns the bytes read, 0 if there are none now, or -1 if the connection ended. */
long sally_transport_read(sally_transport *transport, char *data, size_t size);
/** Returns the bytes taken, 0 if the server does not read, or -1 if the connection ended. */
long sally_transport_write(sally_transport *transport, const char *data, size_t size);
void sally_transport_close(sally_transport *transport);
/** Waits until one can be read, or written if `writes[i]`, or the time is over. */
void sally_transport_wait(sally_transport *const *transports, const int *writes, int count, int timeout_ms);

/** Sockets or pipes to try, in order. `runtime_dir` may be null; `slot` -1 is all. Returns their number. */
int sally_list_candidates(const char *runtime_dir, const char *prefix, int slot, sally_candidate *candidates);

/** Whether this process runs in a Flatpak or Snap. */
int sally_is_contained(void);

int64_t sally_system_now_ms(void);
uint32_t sally_process_id(void);

#endif
