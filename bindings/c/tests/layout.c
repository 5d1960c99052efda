/** Prints the layout of every struct that a game and the library share, and the numbers of the enumerations. One line each. */
#include <stddef.h>
#include <stdio.h>

#include "sallyport/sallyport.h"

#define SIZE(type) printf(#type " %lu\n", (unsigned long)sizeof(type))
#define AT(type, field) printf(#type "." #field " %lu+%lu\n", (unsigned long)offsetof(type, field), (unsigned long)sizeof(((type *)0)->field))
#define NUMBER(name) printf(#name " %d\n", (int)(name))

static void print_values(void) {
  SIZE(sallyport_json);
  AT(sallyport_json, text);
  AT(sallyport_json, length);
  SIZE(sallyport_json_iterator);
  AT(sallyport_json_iterator, next);
  AT(sallyport_json_iterator, end);
  AT(sallyport_json_iterator, is_object);
  SIZE(sallyport_writer);
  AT(sallyport_writer, length);
  SIZE(sallyport_pkce);
  AT(sallyport_pkce, challenge);
}

static void print_reports(void) {
  SIZE(sallyport_error);
  AT(sallyport_error, size);
  AT(sallyport_error, code);
  AT(sallyport_error, name);
  AT(sallyport_error, message);
  AT(sallyport_error, is_retryable);
  AT(sallyport_error, retry_after_ms);
  AT(sallyport_error, close_code);
  SIZE(sallyport_state);
  AT(sallyport_state, size);
  AT(sallyport_state, name);
  AT(sallyport_state, error);
  AT(sallyport_state, was_lost);
  AT(sallyport_state, delay_ms);
  AT(sallyport_state, outage_ms);
  AT(sallyport_state, sign_in);
  AT(sallyport_state, presence);
  AT(sallyport_state, active_subscriptions);
  AT(sallyport_state, refused_subscriptions);
  SIZE(sallyport_report);
  AT(sallyport_report, size);
  AT(sallyport_report, kind);
  AT(sallyport_report, user);
  AT(sallyport_report, state);
  AT(sallyport_report, account);
  AT(sallyport_report, error);
  AT(sallyport_report, data);
}

static void print_options(void) {
  SIZE(sallyport_options);
  AT(sallyport_options, size);
  AT(sallyport_options, application_id);
  AT(sallyport_options, runtime_dir);
  AT(sallyport_options, slot);
  AT(sallyport_options, ipc_prefix);
  AT(sallyport_options, sdk_version);
  AT(sallyport_options, require_bridge);
  AT(sallyport_options, reconnect);
  AT(sallyport_options, call_timeout_ms);
  AT(sallyport_options, early_cap_ms);
  AT(sallyport_options, cap_ms);
  AT(sallyport_options, max_pending_calls);
  AT(sallyport_options, max_subscriptions);
  AT(sallyport_options, max_frames_per_poll);
  AT(sallyport_options, allocate);
  AT(sallyport_options, allocate_user);
  AT(sallyport_options, now_ms);
  AT(sallyport_options, random);
  AT(sallyport_options, environment_user);
  AT(sallyport_options, on_state);
  AT(sallyport_options, on_account);
  AT(sallyport_options, on_event);
  AT(sallyport_options, user);
  AT(sallyport_options, queue_reports);
  AT(sallyport_options, allow_packaged_client);
}

static void print_numbers(void) {
  int code;
  for (code = SALLYPORT_DEFERRED; code >= SALLYPORT_E_REPLACED; code--) printf("code %d %s\n", code, sallyport_error_name(code));
  NUMBER(SALLYPORT_OFFLINE);
  NUMBER(SALLYPORT_CONNECTING);
  NUMBER(SALLYPORT_READY);
  NUMBER(SALLYPORT_WAITING);
  NUMBER(SALLYPORT_CLOSED);
  NUMBER(SALLYPORT_NONE);
  NUMBER(SALLYPORT_DONE);
  NUMBER(SALLYPORT_FAILED);
  NUMBER(SALLYPORT_SIGNED_OUT);
  NUMBER(SALLYPORT_SIGNED_IN);
  NUMBER(SALLYPORT_REVOKED);
  NUMBER(SALLYPORT_SUBSCRIPTION_REFUSED);
  NUMBER(SALLYPORT_REPORT_EVENT);
  NUMBER(SALLYPORT_JSON_OBJECT);
}

int main(void) {
  print_values();
  print_reports();
  print_options();
  print_numbers();
  return 0;
}
