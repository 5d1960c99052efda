/** Reads texts from the standard input, each after its length in a line; prints 1 or 0 per text: whether the reader accepts it as JSON. */
#include <stdio.h>
#include <stdlib.h>

#include "sallyport/json.h"

int main(void) {
  char line[32];
  while (fgets(line, sizeof line, stdin) != NULL) {
    size_t length = (size_t)strtoul(line, NULL, 10);
    char *text = (char *)malloc(length == 0 ? 1 : length);
    sallyport_json value;
    if (text == NULL || fread(text, 1, length, stdin) != length) {
      free(text);
      return 1;
    }
    putchar(sallyport_json_parse(text, length, &value) ? '1' : '0');
    free(text);
  }
  return 0;
}
