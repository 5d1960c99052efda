/** For libFuzzer: any bytes as JSON, checked and not, read by every reader and written again. */
#include <stdlib.h>
#include <string.h>

#include "walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sallyport_json value;
  if (sallyport_json_parse((const char *)data, size, &value)) {
    char *copy = (char *)malloc(size + 1);
    sallyport_writer writer;
    const char *written;
    if (copy == NULL) return 0;
    sallyport_writer_init(&writer, copy, size + 1);
    sallyport_write_json(&writer, value);
    written = sallyport_writer_finish(&writer);
    if (written == NULL || writer.length != value.length || memcmp(written, value.text, value.length) != 0) abort();
    free(copy);
  } else if (value.text != NULL) {
    abort();
  }
  value.text = (const char *)data;
  value.length = size;
  (void)walk(value, 0);
  return 0;
}
