/** Reports that wait for the game, for languages whose functions C must not call. */
#include <string.h>

#include "client.h"
#include "sized.h"

#define SALLY_NO_TEXT SIZE_MAX
/** Changes of state and account, and the ends of two sign-ins. */
#define SALLY_OTHER_REPORTS 32

/** Copies a text and its zero into the buffer. Returns where it begins, or SALLY_NO_TEXT without memory. */
static size_t sally_queue_text(sally_client *client, const char *text, size_t length) {
  sally_buffer *buffer = &client->queue.text;
  size_t at = buffer->length;
  if (!sally_buffer_reserve(&client->memory, buffer, length + 1, SIZE_MAX / 4)) return SALLY_NO_TEXT;
  memcpy(buffer->data + at, text, length);
  buffer->data[at + length] = 0;
  buffer->length += length + 1;
  return at;
}

/** The capacity suffices: a poll that finds reports does nothing, and each call and subscription has at most two before it. */
static sally_queued *sally_queue_add(sally_client *client, sallyport_report_kind kind) {
  sally_queue *queue = &client->queue;
  sally_queued *item;
  if (queue->count == queue->capacity) return NULL;
  item = &queue->items[(queue->first + queue->count) % queue->capacity];
  memset(item, 0, sizeof *item);
  item->kind = kind;
  item->error = sally_error_of(SALLYPORT_OK, "");
  item->data_at = SALLY_NO_TEXT;
  item->message_at = SALLY_NO_TEXT;
  queue->count++;
  return item;
}

static void sally_queue_error(sally_client *client, sally_queued *item, const sallyport_error *error) {
  item->error = *error;
  item->error.message = "there is no memory for the message of the error";
  item->message_at = sally_queue_text(client, error->message, strlen(error->message));
}

static void sally_queue_state(sallyport_client *client, const sallyport_state *state, void *user) {
  sally_queued *item = sally_queue_add(client, SALLYPORT_REPORT_STATE);
  (void)user;
  if (item == NULL) return;
  item->state = *state;
  if (state->error != NULL) sally_queue_error(client, item, state->error);
}

static void sally_queue_account(sallyport_client *client, sallyport_account account, void *user) {
  sally_queued *item = sally_queue_add(client, SALLYPORT_REPORT_ACCOUNT);
  (void)user;
  if (item != NULL) item->account = account;
}

void sallyport_queue_result(sallyport_client *client, const sallyport_error *error, sallyport_json data, void *user) {
  static const char sentence[] = "there is no memory for the response; the server executed the call";
  sally_queued *item = client->queue.items == NULL ? NULL : sally_queue_add(client, SALLYPORT_REPORT_RESULT);
  if (item == NULL) return;
  item->user = user;
  if (error != NULL) sally_queue_error(client, item, error);
  if (data.length == 0) return;
  item->data_length = data.length;
  item->data_at = sally_queue_text(client, data.text, data.length);
  if (item->data_at == SALLY_NO_TEXT && error == NULL) item->error = sally_error_of(SALLYPORT_E_MEMORY, sentence);
}

void sallyport_queue_event(sallyport_client *client, const char *event, sallyport_json data, void *user) {
  sally_queue *queue = &client->queue;
  sally_queued *item;
  size_t at = SALLY_NO_TEXT;
  (void)event;
  if (queue->items == NULL) return;
  if (data.length > 0) {
    at = queue->shared == data.text ? queue->shared_at : sally_queue_text(client, data.text, data.length);
    /* Without memory the event is lost, as one is that comes before the subscription. */
    if (at == SALLY_NO_TEXT) return;
    queue->shared = data.text;
    queue->shared_at = at;
  }
  item = sally_queue_add(client, SALLYPORT_REPORT_EVENT);
  if (item == NULL) return;
  item->user = user;
  item->data_length = data.length;
  item->data_at = at;
}

void sally_queue_end_frame(sally_client *client) { client->queue.shared = NULL; }

int sallyport_next_report(sallyport_client *client, sallyport_report *report) {
  sally_queue *queue;
  sally_queued *item;
  sallyport_report own;
  if (client == NULL || report == NULL || report->size < sizeof report->size) return 0;
  queue = &client->queue;
  if (queue->count == 0) return 0;
  item = &queue->items[queue->first];
  queue->first = (queue->first + 1) % queue->capacity;
  queue->count--;
  if (item->message_at != SALLY_NO_TEXT) item->error.message = queue->text.data + item->message_at;
  if (item->state.error != NULL) item->state.error = &item->error;
  memset(&own, 0, sizeof own);
  own.size = report->size;
  own.kind = item->kind;
  own.user = item->user;
  own.account = item->account;
  if (item->kind == SALLYPORT_REPORT_STATE) own.state = &item->state;
  if (item->kind == SALLYPORT_REPORT_RESULT && item->error.code != SALLYPORT_OK) own.error = &item->error;
  if (item->data_at != SALLY_NO_TEXT) {
    own.data.text = queue->text.data + item->data_at;
    own.data.length = item->data_length;
  }
  sally_copy_sized(report, report->size, &own, sizeof own);
  return 1;
}

int sally_queue_restart(sally_client *client) {
  if (client->queue.count > 0) return 0;
  client->queue.text.length = 0;
  return 1;
}

int sally_queue_open(sally_client *client) {
  sally_queue *queue = &client->queue;
  sallyport_options *options = &client->options;
  if (!options->queue_reports) return 1;
  queue->capacity = 2 * (options->max_pending_calls + options->max_subscriptions) + SALLY_OTHER_REPORTS;
  queue->items = (sally_queued *)sally_allocate(&client->memory, sizeof(sally_queued) * (size_t)queue->capacity);
  options->max_frames_per_poll = 1;
  options->on_state = sally_queue_state;
  options->on_account = sally_queue_account;
  options->on_event = NULL;
  return queue->items != NULL;
}

void sally_queue_free(sally_client *client) {
  sally_queue *queue = &client->queue;
  sally_release(&client->memory, queue->items, sizeof(sally_queued) * (size_t)queue->capacity);
  sally_buffer_free(&client->memory, &queue->text);
}
