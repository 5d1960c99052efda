/** Frames over a transport: the length is checked before memory grows, and one buffer is sent in one write. */
#include <string.h>

#include "connection.h"

/** First size of the receive buffer: usual messages fit, so that nothing is allocated later. */
#define SALLY_RECEIVE_BYTES 16384
#define SALLY_IN_LIMIT ((size_t)SALLYPORT_LIMIT_CONTRACT_FRAME_BYTES + SALLYPORT_HEADER_BYTES)
#define SALLY_OUT_LIMIT (2 * SALLY_IN_LIMIT)
/** While that much waits for the server, it gets no PONG. */
#define SALLY_PONG_LIMIT 65536

static uint32_t sally_read32(const char *data) {
  const unsigned char *at = (const unsigned char *)data;
  return (uint32_t)at[0] | ((uint32_t)at[1] << 8) | ((uint32_t)at[2] << 16) | ((uint32_t)at[3] << 24);
}

static void sally_write32(char *data, uint32_t value) {
  int i;
  for (i = 0; i < 4; i++) data[i] = (char)(unsigned char)(value >> (8 * i));
}

int sally_frame_peek(const char *data, size_t length, size_t limit, sally_frame *frame) {
  if (length < SALLYPORT_HEADER_BYTES) return 0;
  frame->opcode = sally_read32(data);
  frame->length = sally_read32(data + 4);
  frame->payload = data + SALLYPORT_HEADER_BYTES;
  if (frame->opcode < SALLYPORT_OPCODE_FRAME || frame->opcode > SALLYPORT_OPCODE_PONG) return -1;
  if (frame->length > limit) return -1;
  return length - SALLYPORT_HEADER_BYTES >= frame->length;
}

void sally_connection_init(sally_connection *connection) {
  memset(connection, 0, sizeof *connection);
  sally_transport_init(&connection->transport);
}

void sally_connection_close(sally_connection *connection) {
  sally_transport_close(&connection->transport);
  sally_buffer_consume(&connection->in, connection->in.length);
  sally_buffer_consume(&connection->out, connection->out.length);
  connection->has_ended = 0;
}

void sally_connection_accept(sally_connection *connection) { connection->limit = SALLYPORT_LIMIT_CONTRACT_FRAME_BYTES; }

void sally_connection_free(sally_connection *connection, const sally_memory *memory) {
  sally_connection_close(connection);
  sally_buffer_free(memory, &connection->in);
  sally_buffer_free(memory, &connection->out);
}

int sally_connection_open(sally_connection *connection, const sally_memory *memory, const sally_candidate *candidate,
                          sally_trust *trust, sally_reason *reason) {
  sally_connection_close(connection);
  connection->limit = SALLYPORT_LIMIT_FRAME_BYTES;
  if (!sally_buffer_reserve(memory, &connection->in, SALLY_RECEIVE_BYTES, SALLY_IN_LIMIT) ||
      !sally_buffer_reserve(memory, &connection->out, SALLY_RECEIVE_BYTES, SALLY_OUT_LIMIT))
    return sally_reason_set(reason, SALLYPORT_E_MEMORY, "there is no memory for a connection", NULL);
  return sally_transport_open(&connection->transport, memory, candidate, trust, reason);
}

/** Reads once. Returns 0 if nothing came. */
static int sally_receive(sally_connection *connection, const sally_memory *memory, size_t needed) {
  sally_buffer *in = &connection->in;
  size_t used = in->length - in->start;
  size_t more = needed > used ? needed - used : 1;
  long got;
  /* Grows with what arrived, not with what was announced. */
  if (more > used + SALLY_RECEIVE_BYTES) more = used + SALLY_RECEIVE_BYTES;
  if (!sally_buffer_reserve(memory, in, more, SALLY_IN_LIMIT)) return -1;
  got = sally_transport_read(&connection->transport, in->data + in->length, in->capacity - in->length);
  if (got < 0) connection->has_ended = 1;
  if (got <= 0) return 0;
  in->length += (size_t)got;
  return 1;
}

int sally_connection_next(sally_connection *connection, const sally_memory *memory, sally_frame *frame,
                          sally_reason *reason) {
  const sally_buffer *in = &connection->in;
  for (;;) {
    size_t used = in->length - in->start;
    int found = used == 0 ? 0 : sally_frame_peek(in->data + in->start, used, connection->limit, frame);
    int received;
    if (found > 0) return 1;
    if (found < 0) {
      (void)sally_reason_set(reason, SALLYPORT_E_PROTOCOL, "the server sent a frame of an unknown type or over the limit", NULL);
      return -1;
    }
    if (connection->has_ended) {
      (void)sally_reason_set(reason, SALLYPORT_E_CONNECTION_LOST, "the server closed the connection", NULL);
      return -1;
    }
    received = sally_receive(connection, memory,
                             used < SALLYPORT_HEADER_BYTES ? SALLYPORT_HEADER_BYTES : SALLYPORT_HEADER_BYTES + frame->length);
    if (received < 0) {
      (void)sally_reason_set(reason, SALLYPORT_E_MEMORY, "there is no memory for a frame of the server", NULL);
      return -1;
    }
    if (received == 0 && !connection->has_ended) return 0;
  }
}

void sally_connection_consume(sally_connection *connection, const sally_frame *frame) {
  if (connection->in.length > 0) sally_buffer_consume(&connection->in, SALLYPORT_HEADER_BYTES + frame->length);
}

char *sally_connection_reserve(sally_connection *connection, const sally_memory *memory, size_t size) {
  sally_buffer *out = &connection->out;
  if (!sally_buffer_reserve(memory, out, size + SALLYPORT_HEADER_BYTES, SALLY_OUT_LIMIT)) return NULL;
  return out->data + out->length + SALLYPORT_HEADER_BYTES;
}

void sally_connection_commit(sally_connection *connection, uint32_t opcode, size_t length) {
  sally_buffer *out = &connection->out;
  sally_write32(out->data + out->length, opcode);
  sally_write32(out->data + out->length + 4, (uint32_t)length);
  out->length += SALLYPORT_HEADER_BYTES + length;
}

int sally_connection_queue(sally_connection *connection, const sally_memory *memory, uint32_t opcode, const char *payload,
                           size_t length) {
  char *room;
  if (opcode == SALLYPORT_OPCODE_PONG && connection->out.length - connection->out.start > SALLY_PONG_LIMIT) return 0;
  room = sally_connection_reserve(connection, memory, length);
  if (room == NULL) return 0;
  if (length > 0) memcpy(room, payload, length);
  sally_connection_commit(connection, opcode, length);
  return 1;
}

void sally_connection_flush(sally_connection *connection) {
  sally_buffer *out = &connection->out;
  while (out->length > out->start) {
    long sent = sally_transport_write(&connection->transport, out->data + out->start, out->length - out->start);
    if (sent < 0) sally_buffer_consume(out, out->length);
    if (sent <= 0) return;
    sally_buffer_consume(out, (size_t)sent);
  }
}
