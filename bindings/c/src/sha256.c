/** SHA-256 (FIPS 180-4). */
#include <string.h>

#include "crypto.h"

static const uint32_t SALLY_SHA256_K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t sally_rotate(uint32_t x, int bits) { return (x >> bits) | (x << (32 - bits)); }

static void sally_sha256_block(uint32_t state[8], const unsigned char *block) {
  uint32_t w[64];
  uint32_t v[8];
  int i;
  for (i = 0; i < 16; i++)
    w[i] = ((uint32_t)block[i * 4] << 24) | ((uint32_t)block[i * 4 + 1] << 16) | ((uint32_t)block[i * 4 + 2] << 8) |
           (uint32_t)block[i * 4 + 3];
  for (i = 16; i < 64; i++) {
    uint32_t s0 = sally_rotate(w[i - 15], 7) ^ sally_rotate(w[i - 15], 18) ^ (w[i - 15] >> 3);
    uint32_t s1 = sally_rotate(w[i - 2], 17) ^ sally_rotate(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  memcpy(v, state, sizeof v);
  for (i = 0; i < 64; i++) {
    uint32_t s1 = sally_rotate(v[4], 6) ^ sally_rotate(v[4], 11) ^ sally_rotate(v[4], 25);
    uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
    uint32_t t1 = v[7] + s1 + choice + SALLY_SHA256_K[i] + w[i];
    uint32_t s0 = sally_rotate(v[0], 2) ^ sally_rotate(v[0], 13) ^ sally_rotate(v[0], 22);
    uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
    memmove(v + 1, v, 7 * sizeof v[0]);
    v[4] += t1;
    v[0] = t1 + s0 + majority;
  }
  for (i = 0; i < 8; i++) state[i] += v[i];
  sally_wipe(w, sizeof w);
  sally_wipe(v, sizeof v);
}

void sally_sha256(const void *data, size_t length, unsigned char digest[SALLY_SHA256_BYTES]) {
  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const unsigned char *at = (const unsigned char *)data;
  unsigned char tail[128];
  uint64_t bits = (uint64_t)length * 8;
  size_t rest;
  size_t padded;
  size_t i;
  for (rest = length; rest >= 64; rest -= 64, at += 64) sally_sha256_block(state, at);
  memset(tail, 0, sizeof tail);
  if (rest > 0) memcpy(tail, at, rest);
  tail[rest] = 0x80;
  padded = rest < 56 ? 64 : 128;
  for (i = 0; i < 8; i++) tail[padded - 1 - i] = (unsigned char)(bits >> (8 * i));
  for (i = 0; i < padded; i += 64) sally_sha256_block(state, tail + i);
  for (i = 0; i < SALLY_SHA256_BYTES; i++) digest[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
  sally_wipe(tail, sizeof tail);
}

void sally_wipe(void *bytes, size_t length) {
  volatile unsigned char *at = (volatile unsigned char *)bytes;
  while (length-- > 0) *at++ = 0;
}
