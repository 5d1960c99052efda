/** Proof key for code exchange (RFC 7636), with base64url (RFC 4648) and the random source of the system. */
#include "posix.h"

#if defined(SALLYPORT_NO_SYSTEM)
/* no_system.c has no random source. */
#elif defined(_WIN32)
#ifndef _WIN32_WINNT
#define _WIN32_WINNT 0x0602
#endif
#include <windows.h>
/* bcrypt.h needs windows.h before it. */
#include <bcrypt.h>
#else
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#endif
#include <string.h>

#include "crypto.h"
#include "sallyport/sallyport.h"

size_t sally_base64url(const unsigned char *data, size_t length, char *text) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  size_t out = 0;
  size_t i;
  for (i = 0; i < length; i += 3) {
    size_t left = length - i;
    uint32_t bits = (uint32_t)data[i] << 16;
    if (left > 1) bits |= (uint32_t)data[i + 1] << 8;
    if (left > 2) bits |= (uint32_t)data[i + 2];
    text[out++] = digits[bits >> 18];
    text[out++] = digits[(bits >> 12) & 63];
    if (left > 1) text[out++] = digits[(bits >> 6) & 63];
    if (left > 2) text[out++] = digits[bits & 63];
  }
  text[out] = 0;
  return out;
}

#if defined(SALLYPORT_NO_SYSTEM)
#elif defined(_WIN32)
int sally_random_bytes(void *bytes, size_t length) {
  return BCryptGenRandom(NULL, (PUCHAR)bytes, (ULONG)length, BCRYPT_USE_SYSTEM_PREFERRED_RNG) == 0;
}
#else
int sally_random_bytes(void *bytes, size_t length) {
  unsigned char *at = (unsigned char *)bytes;
  int file = open("/dev/urandom", O_RDONLY);
  if (file < 0) return 0;
  (void)fcntl(file, F_SETFD, FD_CLOEXEC);
  while (length > 0) {
    ssize_t got = read(file, at, length);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    at += got;
    length -= (size_t)got;
  }
  (void)close(file);
  return length == 0;
}
#endif

static int sally_is_unreserved(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' ||
         c == '~';
}

int sallyport_pkce_challenge(const char *verifier, char challenge[SALLYPORT_PKCE_SIZE]) {
  unsigned char digest[SALLY_SHA256_BYTES];
  size_t length = verifier == NULL ? 0 : strlen(verifier);
  size_t i;
  if (challenge == NULL || length < 43 || length > 128) return SALLYPORT_E_ARGUMENT;
  for (i = 0; i < length; i++)
    if (!sally_is_unreserved(verifier[i])) return SALLYPORT_E_ARGUMENT;
  sally_sha256(verifier, length, digest);
  (void)sally_base64url(digest, sizeof digest, challenge);
  return SALLYPORT_OK;
}

int sallyport_pkce_create(sallyport_pkce *pkce) {
  unsigned char random[32];
  int code;
  if (pkce == NULL) return SALLYPORT_E_ARGUMENT;
  memset(pkce, 0, sizeof *pkce);
  if (!sally_random_bytes(random, sizeof random)) return SALLYPORT_E_SYSTEM;
  (void)sally_base64url(random, sizeof random, pkce->verifier);
  sally_wipe(random, sizeof random);
  code = sallyport_pkce_challenge(pkce->verifier, pkce->challenge);
  if (code != SALLYPORT_OK) sally_wipe(pkce, sizeof *pkce);
  return code;
}
