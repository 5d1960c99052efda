/** The life of a SallyportClient: it opens in the tree, polls once per frame on the main thread, and closes when it leaves. */
#include "client_node.h"

#include <stdlib.h>
#include <string.h>

#define NOTIFICATION_ENTER_TREE 10
#define NOTIFICATION_EXIT_TREE 11
#define NOTIFICATION_INTERNAL_PROCESS 25
#define PROCESS_MODE_INHERIT 0
#define PROCESS_MODE_ALWAYS 3
#define PENDING_CALLS 64
#define SUBSCRIPTIONS 256
/** A game has sixty frames a second, so each takes more than the default. */
#define MOST_MESSAGES_PER_FRAME 1024
#define SDK_VERSION "sallyport-godot/" SALLYPORT_VERSION

static void set_of_node(GDExtensionObjectPtr object, const char *method, int64_t number) {
  sally_variant value;
  const sally_variant *args[1];
  sally_variant_int(&value, number);
  args[0] = &value;
  sally_object_call(object, method, args, 1);
  sally_variant_free(&value);
}

void sally_node_enter(sally_client_node *self) { self->depth++; }

static void free_node(sally_client_node *self) {
  while (self->wanted != NULL) {
    sally_wanted *first = self->wanted;
    self->wanted = first->next;
    sally_wanted_free(first);
  }
  free(self->application_id);
  free(self->runtime_dir);
  free(self->sdk_version);
  sally_builtin_free(SALLY_TEXTS, &self->events);
  free(self);
}

void sally_node_leave(sally_client_node *self) {
  self->depth--;
  if (self->depth == 0 && self->is_freed) free_node(self);
}

void sally_wanted_free(sally_wanted *wanted) {
  free(wanted->event);
  free(wanted->args);
  free(wanted);
}

void sally_node_subscribe(sally_client_node *self, sally_wanted *wanted) {
  wanted->refused = 0;
  wanted->native = sallyport_subscribe(self->native, wanted->event, wanted->args, sally_node_on_event, self);
  if (wanted->native < 0)
    sally_print_error(wanted->is_listed ? "SallyportClient.events" : "SallyportClient.subscribe", sallyport_last_error(self->native)->message);
}

sally_wanted *sally_wanted_add(sally_client_node *self, char *event, char *args, int is_listed, int *code) {
  sally_wanted *wanted = (sally_wanted *)calloc(1, sizeof *wanted);
  wanted->event = event;
  wanted->args = args;
  wanted->is_listed = is_listed;
  if (self->native != NULL) sally_node_subscribe(self, wanted);
  *code = wanted->native;
  if (wanted->native < 0) {
    sally_wanted_free(wanted);
    return NULL;
  }
  wanted->id = ++self->last_id;
  wanted->next = self->wanted;
  self->wanted = wanted;
  return wanted;
}

/** The events of the property `events`. */
static void add_listed(sally_client_node *self) {
  sally_variant list;
  sally_variant at;
  GDExtensionBool is_valid = 0;
  int has_more;
  sally_variant_of(SALLY_TEXTS, &self->events, &list);
  has_more = gd.variant_iter_init(&list, &at, &is_valid);
  while (is_valid && has_more) {
    sally_variant one;
    int code;
    gd.variant_iter_get(&list, &at, &one, &is_valid);
    (void)sally_wanted_add(self, sally_string_text(sally_variant_inside(SALLY_STRING, &one)), NULL, 1, &code);
    sally_variant_free(&one);
    has_more = gd.variant_iter_next(&list, &at, &is_valid);
  }
  sally_variant_free(&at);
  sally_variant_free(&list);
}

/** The next `open` reads the property again. */
static void forget_listed(sally_client_node *self) {
  sally_wanted **place = &self->wanted;
  while (*place != NULL) {
    sally_wanted *wanted = *place;
    wanted->native = 0;
    if (!wanted->is_listed) {
      place = &wanted->next;
      continue;
    }
    *place = wanted->next;
    sally_wanted_free(wanted);
  }
}

static const char *text_or_null(const char *text) { return text == NULL || *text == 0 ? NULL : text; }

const char *sally_node_problem(const sally_client_node *self) {
  return self->problem == NULL ? "there is no memory for the client" : self->problem;
}

int sally_node_prepare(sally_client_node *self) {
  sallyport_options options;
  sally_wanted *wanted;
  if (self->native != NULL) return SALLYPORT_OK;
  sallyport_options_init(&options, sizeof options);
  options.application_id = text_or_null(self->application_id);
  options.runtime_dir = text_or_null(self->runtime_dir);
  options.sdk_version = text_or_null(self->sdk_version) == NULL ? SDK_VERSION : self->sdk_version;
  options.require_bridge = self->requires_bridge;
  options.allow_packaged_client = self->allows_packaged_client;
  options.max_pending_calls = self->max_pending_calls;
  options.max_subscriptions = self->max_subscriptions;
  options.max_frames_per_poll = MOST_MESSAGES_PER_FRAME;
  sally_node_listen(self, &options);
  self->problem = sallyport_check_options(&options);
  self->native = sallyport_create(&options);
  if (self->native == NULL) return self->problem == NULL ? SALLYPORT_E_MEMORY : SALLYPORT_E_ARGUMENT;
  self->is_closed = 0;
  for (wanted = self->wanted; wanted != NULL; wanted = wanted->next) sally_node_subscribe(self, wanted);
  add_listed(self);
  return SALLYPORT_OK;
}

int sally_node_open(sally_client_node *self, int64_t timeout_ms) {
  int code = sally_node_prepare(self);
  if (code != SALLYPORT_OK) {
    sally_print_error("SallyportClient.open", sally_node_problem(self));
    return code;
  }
  self->is_reported = 0;
  return sallyport_connect(self->native, timeout_ms);
}

int sally_node_poll(sally_client_node *self) {
  int frames = 0;
  sally_node_enter(self);
  if (self->native != NULL) frames = sallyport_poll(self->native, 0);
  if (frames > 0) sally_node_report_refusals(self);
  sally_node_leave(self);
  return frames;
}

void sally_node_close(sally_client_node *self) {
  sallyport_client *native = self->native;
  if (native == NULL) return;
  sally_node_enter(self);
  self->native = NULL;
  self->is_closed = 1;
  forget_listed(self);
  /* Calls back for the calls that wait. A script may open the client again meanwhile. */
  sallyport_destroy(native);
  sally_node_leave(self);
}

void sally_node_leave_tree(sally_client_node *self) {
  self->is_leaving = 1;
  sally_node_close(self);
  self->is_leaving = 0;
}

void *sally_node_create(GDExtensionObjectPtr object) {
  sally_client_node *self = (sally_client_node *)calloc(1, sizeof *self);
  self->object = object;
  self->opens_by_itself = 1;
  self->max_pending_calls = PENDING_CALLS;
  self->max_subscriptions = SUBSCRIPTIONS;
  sally_builtin_init(SALLY_TEXTS, &self->events);
  return self;
}

void sally_node_destroy(void *instance) {
  sally_client_node *self = (sally_client_node *)instance;
  sally_node_enter(self);
  self->object = NULL;
  self->is_freed = 1;
  sally_node_leave_tree(self);
  sally_node_leave(self);
}

static void process(sally_client_node *self) {
  if (sally_is_main_thread()) {
    (void)sally_node_poll(self);
    return;
  }
  if (!self->has_warned)
    sally_print_error("SallyportClient", "the node must be processed on the main thread; set its process thread group to the main thread");
  self->has_warned = 1;
}

void sally_node_notify(void *instance, int32_t what) {
  sally_client_node *self = (sally_client_node *)instance;
  if (what == NOTIFICATION_INTERNAL_PROCESS) {
    process(self);
  } else if (what == NOTIFICATION_ENTER_TREE) {
    self->is_in_tree = 1;
    /* A paused game keeps its connection. Not earlier: the editor and an export store the mode of a node that is no instance of this class. */
    if (sally_object_int(self->object, "get_process_mode") == PROCESS_MODE_INHERIT)
      set_of_node(self->object, "set_process_mode", PROCESS_MODE_ALWAYS);
    set_of_node(self->object, "set_process_internal", 1);
    if (self->opens_by_itself) (void)sally_node_open(self, -1);
  } else if (what == NOTIFICATION_EXIT_TREE) {
    self->is_in_tree = 0;
    set_of_node(self->object, "set_process_internal", 0);
    sally_node_leave_tree(self);
  }
}
