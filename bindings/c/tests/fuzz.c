/**
 * Generated cases for the JSON reader, the JSON writer and the frame decoder. The seed is fixed, so that every run tries the same. Each case
 * lies in a block of exactly its size, so that the sanitizer sees one byte too far.
 */
#include <stdlib.h>

#include "../src/connection.h"
#include "tap.h"
#include "walk.h"

#define CASES 100000
#define MAX_BYTES 300

static uint64_t seed = 0x5a11;
static unsigned next_random(unsigned below) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (unsigned)((seed >> 11) % below);
}

/** Pieces from which texts are made, so that many of them are nearly JSON. */
static const char *const PIECES[] = {"{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\"b\\u00e9\"", "\\", "\\u", "\\ud83d", "\\ude00", "0", "-1",
                                     "1.5e3", "null", "true", "false", " ", "\n", "\xc3\xa9", "\xff", "\xf0\x9f\x98\x80", "{\"a\":", "[1,",
                                     "\"id\":\"1\"", "1e999", "99999999999999999999", "\x01"};

static size_t make_text(char *text) {
  size_t length = 0;
  unsigned left = next_random(40);
  for (; left > 0; left--) {
    const char *piece = PIECES[next_random(sizeof PIECES / sizeof PIECES[0])];
    size_t bytes = strlen(piece);
    if (length + bytes > MAX_BYTES) break;
    memcpy(text + length, piece, bytes);
    length += bytes;
  }
  return length;
}

/** A valid text with a few changed bytes. */
static size_t make_changed(char *text) {
  static const char valid[] =
      "{\"cmd\":\"DISPATCH\",\"evt\":\"READY\",\"data\":{\"v\":1,\"user\":{\"id\":\"1\",\"name\":\"\\u00e9\\ud83d\\ude00\"},"
      "\"list\":[1,2.5,-3e2,null,true,[[]],{\"x\":\"y\"}]},\"nonce\":null}";
  unsigned changes = next_random(4);
  memcpy(text, valid, sizeof valid - 1);
  for (; changes > 0; changes--) text[next_random(sizeof valid - 1)] = (char)next_random(256);
  return next_random(8) == 0 ? next_random(sizeof valid) : sizeof valid - 1;
}

static void fuzz_json(void) {
  char text[MAX_BYTES];
  int accepted = 0;
  int wrong = 0;
  int i;
  for (i = 0; i < CASES; i++) {
    size_t length = i % 2 == 0 ? make_text(text) : make_changed(text);
    char *block = (char *)malloc(length == 0 ? 1 : length);
    sallyport_json value;
    if (block == NULL) break;
    memcpy(block, text, length);
    if (sallyport_json_parse(block, length, &value)) {
      char copy[MAX_BYTES + 1];
      sallyport_writer writer;
      accepted++;
      if (walk(value, 0) < 1) wrong++;
      sallyport_writer_init(&writer, copy, sizeof copy);
      sallyport_write_json(&writer, value);
      if (sallyport_writer_finish(&writer) == NULL || memcmp(copy, value.text, value.length) != 0) wrong++;
    } else if (value.text != NULL) {
      wrong++;
    }
    /* Also safe for a text that was never checked. */
    value.text = block;
    value.length = length;
    (void)walk(value, 0);
    free(block);
  }
  printf("# %d of %d texts are JSON\n", accepted, CASES);
  OK(i == CASES && wrong == 0, "the JSON reader survives generated texts");
  OK(accepted > CASES / 50, "and some of them are JSON");
}

static void fuzz_writer(void) {
  char text[MAX_BYTES];
  int wrong = 0;
  int i;
  for (i = 0; i < CASES / 4; i++) {
    size_t size = next_random(120) + 1;
    char *block = (char *)malloc(size);
    sallyport_writer writer;
    sallyport_json value;
    unsigned left = next_random(20);
    if (block == NULL) break;
    sallyport_writer_init(&writer, block, size);
    for (; left > 0; left--) {
      size_t length = make_text(text);
      switch (next_random(7)) {
        case 0: sallyport_write_object(&writer); break;
        case 1: sallyport_write_array(&writer); break;
        case 2: sallyport_write_end(&writer); break;
        case 3: sallyport_write_key(&writer, "k\n"); break;
        case 4: sallyport_write_string_n(&writer, text, length); break;
        case 5: sallyport_write_int64(&writer, (int64_t)next_random(1000) - 500); break;
        default: sallyport_write_null(&writer); break;
      }
    }
    if (sallyport_writer_finish(&writer) != NULL && !sallyport_json_parse(block, writer.length, &value)) wrong++;
    free(block);
  }
  OK(wrong == 0, "what the writer finishes is JSON");
}

static void fuzz_frames(void) {
  int wrong = 0;
  int i;
  for (i = 0; i < CASES; i++) {
    size_t length = next_random(40);
    char *block = (char *)malloc(length == 0 ? 1 : length);
    sally_frame frame;
    size_t at;
    int found;
    if (block == NULL) break;
    for (at = 0; at < length; at++) block[at] = (char)(next_random(3) == 0 ? next_random(256) : at == 0 ? 1 + next_random(4) : 0);
    found = sally_frame_peek(block, length, SALLYPORT_LIMIT_CONTRACT_FRAME_BYTES, &frame);
    if (found == 1 && (frame.length > length - SALLYPORT_HEADER_BYTES || frame.opcode < 1 || frame.opcode > 4)) wrong++;
    if (found == 0 && length >= SALLYPORT_HEADER_BYTES && frame.length <= length - SALLYPORT_HEADER_BYTES) wrong++;
    free(block);
  }
  OK(i == CASES && wrong == 0, "the frame decoder survives generated bytes");
}

int main(void) {
  fuzz_json();
  fuzz_writer();
  fuzz_frames();
  return tap_end();
}
