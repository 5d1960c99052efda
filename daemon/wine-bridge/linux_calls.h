/**
 * System calls of Linux from a Windows program in Wine. Wine 8 has no Unix sockets, so the bridge calls the kernel itself.
 *
 * The calls go through `int 0x80`, with the numbers and structures of 32 bits: some builds of Wine catch the instruction `syscall` of Windows
 * code, and let these calls through. A kernel without 32-bit calls raises a fault; then the bridge uses `syscall`. The pointers of 32-bit
 * calls reach 4 GiB, so all memory of a call must be static: the program is linked below that address.
 */
#ifndef SALLYPORT_LINUX_CALLS_H
#define SALLYPORT_LINUX_CALLS_H

#include <stddef.h>
#include <stdint.h>

/** `struct sockaddr_un`. */
typedef struct lx_address {
  uint16_t family;
  char path[108];
} lx_address;

/** What the bridge reads of `struct statx`, whose layout is the same on each architecture. */
typedef struct lx_facts {
  uint32_t mask;
  uint32_t block_size;
  uint64_t attributes;
  uint32_t links;
  uint32_t uid;
  uint32_t gid;
  uint16_t mode;
  uint16_t spare[113];
} lx_facts;

enum { LX_FAILED = -1 };

enum { LX_OPEN = 0, LX_NOT_IN_WINE = 1, LX_CAUGHT = 2 };

/** Chooses the instruction. Call it first. LX_CAUGHT: this Wine takes system calls of Windows code for those of Windows. */
int lx_open(void);

uint32_t lx_uid(void);
/** Reads type, owner and mode of a path without following a link at its end. False if it cannot be read. */
int lx_lstat(const char *path, lx_facts *facts);

/** Connects to a socket. Returns its descriptor, or LX_FAILED. */
int lx_connect(const lx_address *address);
/** Whether the process that listens at the other end belongs to this user. `credentials`: scratch memory. */
int lx_is_own_peer(int fd, uint32_t credentials[4]);
/** Sends all bytes. False when the other end is gone. */
int lx_send(int fd, const char *bytes, size_t count);
/** Waits for bytes. 0 or less: the other end is gone. */
long lx_receive(int fd, char *bytes, size_t size);
/** Ends both directions: a waiting lx_receive of another thread returns. */
void lx_shut(int fd);
void lx_close(int fd);

#endif
