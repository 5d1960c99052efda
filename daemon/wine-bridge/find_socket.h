/** Finds the Linux server for a client of the pipe. */
#ifndef SALLYPORT_FIND_SOCKET_H
#define SALLYPORT_FIND_SOCKET_H

#include "linux_calls.h"

/** Memory of a search. It must be static; see linux_calls.h. */
typedef struct search {
  lx_address address;
  lx_facts facts;
  uint32_t credentials[4];
  char folder[sizeof((lx_address *)0)->path];
} search;

typedef struct found_socket {
  int fd;
  /** It is Sallyport's socket for Wine, which expects the introduction of the program first. */
  int is_introduced;
} found_socket;

/**
 * Connects to the socket for Wine of a Sallyport of this user, in any slot; else to the first slot where any server of this user listens.
 * `folder`: where the sockets are, or NULL for the folder in which native games look. The descriptor is LX_FAILED if none listens.
 */
found_socket find_socket(search *memory, const char *folder, const char *prefix);

#endif
