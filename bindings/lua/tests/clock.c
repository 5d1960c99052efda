/** Built into the library for the conformance kit only: a monotonic clock that the adapter advances. */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((visibility("default"))) void adapter_advance(int64_t ms);

static int64_t added_ms;

void adapter_advance(int64_t ms) { added_ms += ms; }

/** Takes the place of the system's function inside the library. */
int clock_gettime(clockid_t clock, struct timespec *now) {
  long code = syscall(SYS_clock_gettime, clock, now);
  if (code == 0 && clock == CLOCK_MONOTONIC) {
    now->tv_sec += added_ms / 1000;
    now->tv_nsec += added_ms % 1000 * 1000000;
    if (now->tv_nsec >= 1000000000) {
      now->tv_sec++;
      now->tv_nsec -= 1000000000;
    }
  }
  return (int)code;
}
