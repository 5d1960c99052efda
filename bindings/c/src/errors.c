/** Errors as values: a code, its name and a sentence. */
#include <stdio.h>
#include <string.h>

#include "client.h"
#include "json_internal.h"

typedef struct sally_error_row {
  const char *name;
  int code;
  int is_retryable;
} sally_error_row;

#define SALLY_ERROR_ROW(name, code, retryable) {#name, code, retryable},

static const sally_error_row SALLY_ERRORS[] = {SALLYPORT_ERROR_TABLE(SALLY_ERROR_ROW){"OK", SALLYPORT_OK, 0},
                                               {"DEFERRED", SALLYPORT_DEFERRED, 0},
                                               {"E_ARGUMENT", SALLYPORT_E_ARGUMENT, 0},
                                               {"E_STATE", SALLYPORT_E_STATE, 0},
                                               {"E_REENTRANT", SALLYPORT_E_REENTRANT, 0},
                                               {"E_MEMORY", SALLYPORT_E_MEMORY, 1},
                                               {"E_LIMIT", SALLYPORT_E_LIMIT, 1},
                                               {"E_TOO_LARGE", SALLYPORT_E_TOO_LARGE, 0},
                                               {"E_JSON", SALLYPORT_E_JSON, 0},
                                               {"E_NOT_READY", SALLYPORT_E_NOT_READY, 1},
                                               {"E_CONNECTION_LOST", SALLYPORT_E_CONNECTION_LOST, 1},
                                               {"E_TIMEOUT", SALLYPORT_E_TIMEOUT, 1},
                                               {"E_NO_SERVER", SALLYPORT_E_NO_SERVER, 1},
                                               {"E_FOREIGN_SERVER", SALLYPORT_E_FOREIGN_SERVER, 0},
                                               {"E_SERVER_CLOSED", SALLYPORT_E_SERVER_CLOSED, 1},
                                               {"E_PROTOCOL", SALLYPORT_E_PROTOCOL, 0},
                                               {"E_CLOSED", SALLYPORT_E_CLOSED, 0},
                                               {"E_SYSTEM", SALLYPORT_E_SYSTEM, 0},
                                               {"E_REPLACED", SALLYPORT_E_REPLACED, 0}};

static const sally_error_row *sally_error_row_of(int code) {
  size_t i;
  for (i = 0; i < sizeof SALLY_ERRORS / sizeof SALLY_ERRORS[0]; i++)
    if (SALLY_ERRORS[i].code == code) return &SALLY_ERRORS[i];
  return NULL;
}

const char *sallyport_error_name(int code) {
  const sally_error_row *row = sally_error_row_of(code);
  return row == NULL ? "UNKNOWN_ERROR" : row->name;
}

sallyport_error sally_error_of(int code, const char *message) {
  const sally_error_row *row = sally_error_row_of(code);
  sallyport_error error;
  memset(&error, 0, sizeof error);
  error.size = sizeof error;
  error.code = code;
  error.name = row == NULL ? "UNKNOWN_ERROR" : row->name;
  error.message = message;
  error.is_retryable = row != NULL && row->is_retryable;
  return error;
}

int sally_fail(sally_client *client, int code, const char *sentence) {
  if (client == NULL) return code;
  (void)snprintf(client->last_message, sizeof client->last_message, "%s", sentence);
  client->last_error = sally_error_of(code, client->last_message);
  return code;
}

/** A day; a server cannot make a game wait longer. */
#define SALLY_LONGEST_RETRY_S 86400.0

sallyport_error sally_error_of_data(sallyport_json data, char message[SALLY_MESSAGE_SIZE]) {
  static const char *const keys[] = {"code", "message", "retry_after"};
  sallyport_json values[3];
  sallyport_error error;
  int64_t code = SALLYPORT_ERROR_UNKNOWN_ERROR;
  double seconds = 0;
  sallyport_json_fields(data, keys, 3, values);
  /* A server cannot pass for this library, whose codes are not positive. */
  if (!sallyport_json_int64(values[0], &code) || code <= 0 || code > INT32_MAX) code = SALLYPORT_ERROR_UNKNOWN_ERROR;
  if (!sallyport_json_string_cut(values[1], message, SALLY_MESSAGE_SIZE) || *message == 0)
    (void)snprintf(message, SALLY_MESSAGE_SIZE, "the server sent no error message");
  error = sally_error_of((int)code, message);
  if (sallyport_json_double(values[2], &seconds) && seconds > 0)
    error.retry_after_ms = (int64_t)((seconds > SALLY_LONGEST_RETRY_S ? SALLY_LONGEST_RETRY_S : seconds) * 1000.0);
  return error;
}
