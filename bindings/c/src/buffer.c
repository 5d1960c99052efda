/** Memory through the allocator of the game, and buffers that grow up to a limit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crypto.h"
#include "platform.h"

void *sally_allocate(const sally_memory *memory, size_t size) { return memory->allocate(memory->user, NULL, 0, size); }

void sally_release(const sally_memory *memory, void *block, size_t size) {
  if (block != NULL) (void)memory->allocate(memory->user, block, size, 0);
}

int sally_buffer_reserve(const sally_memory *memory, sally_buffer *buffer, size_t more, size_t limit) {
  size_t used = buffer->length - buffer->start;
  size_t capacity = buffer->capacity < 1024 ? 1024 : buffer->capacity;
  char *data;
  if (used > limit || more > limit - used) return 0;
  if (buffer->start > 0 && buffer->capacity - buffer->length < more) {
    memmove(buffer->data, buffer->data + buffer->start, used);
    buffer->start = 0;
    buffer->length = used;
  }
  if (buffer->capacity - buffer->length >= more && buffer->data != NULL) return 1;
  while (capacity < used + more) capacity *= 2;
  data = (char *)memory->allocate(memory->user, buffer->data, buffer->capacity, capacity);
  if (data == NULL) return 0;
  buffer->data = data;
  buffer->capacity = capacity;
  return 1;
}

int sally_buffer_set(const sally_memory *memory, sally_buffer *buffer, const char *text, size_t length) {
  buffer->start = 0;
  buffer->length = 0;
  if (!sally_buffer_reserve(memory, buffer, length + 1, SIZE_MAX / 4)) return 0;
  memcpy(buffer->data, text, length);
  buffer->data[length] = 0;
  buffer->length = length;
  return 1;
}

void sally_buffer_consume(sally_buffer *buffer, size_t bytes) {
  buffer->start += bytes;
  if (buffer->start >= buffer->length) {
    buffer->start = 0;
    buffer->length = 0;
  }
}

void sally_buffer_free(const sally_memory *memory, sally_buffer *buffer) {
  if (buffer->data != NULL) sally_wipe(buffer->data, buffer->capacity);
  sally_release(memory, buffer->data, buffer->capacity);
  memset(buffer, 0, sizeof *buffer);
}

int sally_reason_set(sally_reason *reason, int code, const char *sentence, const char *path) {
  reason->code = code;
  reason->close_code = 0;
  if (path == NULL) (void)snprintf(reason->message, sizeof reason->message, "%s", sentence);
  else (void)snprintf(reason->message, sizeof reason->message, "%s (%s)", sentence, path);
  return code;
}
