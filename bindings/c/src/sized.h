/** Structs of the caller that carry a size, because an older or newer header may have fewer or more fields. */
#ifndef SALLY_SIZED_H
#define SALLY_SIZED_H

#include <stddef.h>
#include <string.h>

/** Fills a struct of the caller: no more than it has, and with zeros what this library does not know. */
static inline void sally_copy_sized(void *to, size_t to_size, const void *from, size_t from_size) {
  memcpy(to, from, to_size < from_size ? to_size : from_size);
  if (to_size > from_size) memset((char *)to + from_size, 0, to_size - from_size);
}

#endif
