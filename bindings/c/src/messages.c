/** Messages of the server: responses, errors, events, PING and CLOSE. Unknown ones are ignored: a newer server may send more. */
#include <stdio.h>
#include <string.h>

#include "client.h"

static void sally_read_close(const sally_frame *frame, sally_reason *reason) {
  sallyport_json message = {NULL, 0};
  int64_t code = SALLYPORT_CLOSE_CLOSE_ABNORMAL;
  char text[SALLY_MESSAGE_SIZE - 64] = "";
  (void)sallyport_json_parse(frame->payload, frame->length, &message);
  if (!sallyport_json_int64(sallyport_json_get(message, "code"), &code) || code < 0 || code > 65535)
    code = SALLYPORT_CLOSE_CLOSE_ABNORMAL;
  (void)sallyport_json_string_cut(sallyport_json_get(message, "message"), text, sizeof text);
  (void)sally_reason_set(reason, SALLYPORT_E_SERVER_CLOSED, "", NULL);
  (void)snprintf(reason->message, sizeof reason->message, "the server closed the connection with code %d%s%s", (int)code,
                 *text == 0 ? "" : ": ", text);
  reason->close_code = (int)code;
}

void sally_deliver_event(sally_client *client, const char *event, sallyport_json data) {
  if (strcmp(event, SALLYPORT_EVENT_TOKEN_REVOKED) == 0) {
    sally_signed_out(client, SALLYPORT_REVOKED);
    sally_notify_account(client);
  }
  if (client->options.on_event != NULL && client->state.name != SALLYPORT_CLOSED)
    client->options.on_event(client, event, data, client->options.user);
  sally_deliver_to_entries(client, event, data);
  sally_queue_end_frame(client);
}

/** A nonce as this client writes it; 0 for any other. */
static uint64_t sally_nonce_of(sallyport_json value) {
  uint64_t nonce = 0;
  if (sallyport_json_type_of(value) != SALLYPORT_JSON_STRING || !sallyport_json_snowflake(value, &nonce)) return 0;
  return nonce;
}

static void sally_receive_message(sally_client *client, sallyport_json message) {
  static const char *const keys[] = {"cmd", "evt", "nonce", "data"};
  sallyport_json values[4];
  uint64_t nonce;
  sallyport_json_fields(message, keys, 4, values);
  nonce = sally_nonce_of(values[2]);
  if (sally_is_ping(client, nonce)) nonce = 0;
  if (sallyport_json_equals(values[0], "DISPATCH")) {
    char event[SALLY_EVENT_SIZE];
    if (sallyport_json_string(values[1], event, sizeof event, NULL) && *event != 0)
      sally_deliver_event(client, event, values[3]);
  } else if (sallyport_json_equals(values[1], SALLYPORT_EVENT_ERROR)) {
    if (sallyport_json_type_of(values[2]) == SALLYPORT_JSON_STRING) {
      char text[SALLY_MESSAGE_SIZE];
      sallyport_error error = sally_error_of_data(values[3], text);
      if (nonce != 0) sally_settle(client, nonce, &error, values[3]);
    } else {
      sally_deliver_event(client, SALLYPORT_EVENT_ERROR, values[3]);
    }
  } else if (nonce != 0) {
    sally_settle(client, nonce, NULL, values[3]);
  }
}

static void sally_receive_pong(sally_client *client, const sally_frame *frame) {
  static const sallyport_json missing = {NULL, 0};
  sallyport_json payload;
  uint64_t nonce;
  /* A PONG that answers no PING may have any payload. */
  if (!sallyport_json_parse(frame->payload, frame->length, &payload)) return;
  nonce = sally_nonce_of(payload);
  if (nonce != 0 && sally_is_ping(client, nonce)) sally_settle(client, nonce, NULL, missing);
}

void sally_receive_frame(sally_client *client, const sally_frame *frame, sally_reason *reason) {
  sallyport_json message;
  switch (frame->opcode) {
    case SALLYPORT_OPCODE_PING:
      (void)sally_connection_queue(&client->connection, &client->memory, SALLYPORT_OPCODE_PONG, frame->payload, frame->length);
      return;
    case SALLYPORT_OPCODE_PONG:
      sally_receive_pong(client, frame);
      return;
    case SALLYPORT_OPCODE_CLOSE:
      sally_read_close(frame, reason);
      return;
    case SALLYPORT_OPCODE_FRAME:
      if (sallyport_json_parse(frame->payload, frame->length, &message)) sally_receive_message(client, message);
      else (void)sally_reason_set(reason, SALLYPORT_E_PROTOCOL, "the server sent a payload that is not JSON", NULL);
      return;
    default:
      return;
  }
}
