/** One connection: frames over a transport, with bounded buffers. */
#ifndef SALLY_CONNECTION_H
#define SALLY_CONNECTION_H

#include "platform.h"

/** A frame inside the receive buffer; valid until it is consumed. */
typedef struct sally_frame {
  uint32_t opcode;
  const char *payload;
  size_t length;
} sally_frame;

/** Finds the frame at the beginning of `data`: 1 if it is complete, 0 if not, -1 if it breaks a rule or has more than `limit` bytes. */
int sally_frame_peek(const char *data, size_t length, size_t limit, sally_frame *frame);

typedef struct sally_connection {
  sally_transport transport;
  sally_buffer in;
  sally_buffer out;
  /** Longest payload that is accepted now: a small one until the handshake is complete. */
  size_t limit;
  /** The server ended the stream; frames received before are still in `in`. */
  int has_ended;
} sally_connection;

void sally_connection_init(sally_connection *connection);
int sally_connection_open(sally_connection *connection, const sally_memory *memory, const sally_candidate *candidate,
                          sally_trust *trust, sally_reason *reason);
/** The handshake is complete: frames may have the size that it named. */
void sally_connection_accept(sally_connection *connection);
/** Ends the connection and keeps the memory for the next one. */
void sally_connection_close(sally_connection *connection);
void sally_connection_free(sally_connection *connection, const sally_memory *memory);

/** The next frame, received if needed: 1, 0 if there is none now, or -1 with the reason. */
int sally_connection_next(sally_connection *connection, const sally_memory *memory, sally_frame *frame,
                          sally_reason *reason);
void sally_connection_consume(sally_connection *connection, const sally_frame *frame);

/** Room for a payload of `size` bytes; null without memory or when the server does not read. */
char *sally_connection_reserve(sally_connection *connection, const sally_memory *memory, size_t size);
/** Queues the payload of `length` bytes that was written there. */
void sally_connection_commit(sally_connection *connection, uint32_t opcode, size_t length);
/** Copies a payload. Returns 0 as `sally_connection_reserve` does. */
int sally_connection_queue(sally_connection *connection, const sally_memory *memory, uint32_t opcode, const char *payload,
                           size_t length);
/** Sends what the transport takes now. A transport that fails is noticed by the next read. */
void sally_connection_flush(sally_connection *connection);

#endif
