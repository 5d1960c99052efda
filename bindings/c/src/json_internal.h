/** What the parts of the JSON reader and writer share. */
#ifndef SALLY_JSON_INTERNAL_H
#define SALLY_JSON_INTERNAL_H

#include "sallyport/json.h"

/** Bytes of the character at `at` (1 to 4); 0 if it is not valid UTF-8. */
size_t sally_utf8_length(const unsigned char *at, size_t left);

/** The largest prefix of `length` bytes that ends with a whole character; the text is valid UTF-8. */
size_t sally_utf8_cut(const char *text, size_t length);

#endif
