/** The process at the other end of a Unix socket. */
#ifndef SALLY_PEER_UNIX_H
#define SALLY_PEER_UNIX_H

#include <sys/types.h>

/** Reads the user of the process that listens. Returns 0 if the system does not say. */
int sally_peer_uid(int fd, uid_t *uid);
/** Whether the process that listens runs in no container, as far as this process can see. On systems without containers always 1. */
int sally_peer_is_outside(int fd);

#endif
