/**
 * Platforms where no bridge can run, as phones and consoles. Define SALLYPORT_NO_SYSTEM there: the library then compiles without a header of
 * the system. JSON and records work; a client finds no server.
 */
#if defined(SALLYPORT_NO_SYSTEM)
#include "crypto.h"
#include "platform.h"

void sally_transport_init(sally_transport *transport) {
  static const sally_transport closed = SALLY_NO_TRANSPORT;
  *transport = closed;
}

int sally_transport_is_open(const sally_transport *transport) {
  (void)transport;
  return 0;
}

int sally_transport_open(sally_transport *transport, const sally_memory *memory, const sally_candidate *candidate,
                         sally_trust *trust, sally_reason *reason) {
  (void)transport;
  (void)memory;
  (void)trust;
  return sally_reason_set(reason, SALLYPORT_E_NO_SERVER, "this platform has no bridge", candidate->path);
}

long sally_transport_read(sally_transport *transport, char *data, size_t size) {
  (void)transport;
  (void)data;
  (void)size;
  return -1;
}

long sally_transport_write(sally_transport *transport, const char *data, size_t size) {
  (void)transport;
  (void)data;
  (void)size;
  return -1;
}

void sally_transport_close(sally_transport *transport) { sally_transport_init(transport); }

void sally_transport_wait(sally_transport *const *transports, const int *writes, int count, int timeout_ms) {
  (void)transports;
  (void)writes;
  (void)count;
  (void)timeout_ms;
}

int sally_list_candidates(const char *runtime_dir, const char *prefix, int slot, sally_candidate *candidates) {
  (void)runtime_dir;
  (void)prefix;
  (void)slot;
  (void)candidates;
  return 0;
}

int sally_is_contained(void) { return 0; }
int64_t sally_system_now_ms(void) { return 0; }
uint32_t sally_process_id(void) { return 0; }

int sally_random_bytes(void *bytes, size_t length) {
  (void)bytes;
  (void)length;
  return 0;
}
#else
/** A source without a declaration is no C. */
typedef int sally_system_here;
#endif
