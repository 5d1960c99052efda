/** SHA-256, base64url and randomness: what a proof key (RFC 7636) needs. */
#ifndef SALLY_CRYPTO_H
#define SALLY_CRYPTO_H

#include <stddef.h>
#include <stdint.h>

#define SALLY_SHA256_BYTES 32

void sally_sha256(const void *data, size_t length, unsigned char digest[SALLY_SHA256_BYTES]);

/** Writes base64url without padding and a zero; `text` has room for `(length * 4 + 2) / 3 + 1` bytes. Returns the length. */
size_t sally_base64url(const unsigned char *data, size_t length, char *text);

/** Fills `bytes` from the random source of the system. Returns 0 if there is none. */
int sally_random_bytes(void *bytes, size_t length);

/** Overwrites a secret; the compiler does not remove it. */
void sally_wipe(void *bytes, size_t length);

#endif
