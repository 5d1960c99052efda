#include "linux_calls.h"

#include <windows.h>

#include <stdlib.h>

enum {
  AF_UNIX_STREAM_FAMILY = 1,
  SOCK_STREAM_CLOEXEC = 1 | 0x80000,
  SOL_SOCKET_LEVEL = 1,
  SO_PEERCRED_NAME = 17,
  MSG_NOSIGNAL_FLAG = 0x4000,
  SHUT_BOTH = 2,
  AT_CURRENT_FOLDER = -100,
  AT_LINKS_THEMSELVES = 0x100,
  STATX_BASIC = 0x7ff,
  INTERRUPTED = -4
};

/** Numbers of the calls: `unistd_32.h` and `unistd_64.h` of the kernel. */
typedef struct numbers {
  int socket, connect, sendto, recvfrom, shutdown, getsockopt, close, statx, getuid, getpid;
} numbers;

static const numbers calls_32 = {359, 362, 369, 371, 373, 365, 6, 383, 199, 20};
static const numbers calls_64 = {41, 42, 44, 45, 48, 55, 3, 332, 102, 39};

/** Tests build the bridge as it works on a kernel without 32-bit calls. */
#ifdef SALLYPORT_WITHOUT_32_BIT_CALLS
enum { MAY_USE_32 = 0 };
#else
enum { MAY_USE_32 = 1 };
#endif

/** Undefined until lx_open. */
static const numbers *calls;

/** The sixth argument is 0 in all calls: int 0x80 has it in ebp, which the compiler needs. */
static long call_32(int number, intptr_t a, intptr_t b, intptr_t c, intptr_t d, intptr_t e) {
  int result;
  __asm__ volatile(
      "pushq %%rbp\n\txorl %%ebp, %%ebp\n\tint $0x80\n\tpopq %%rbp"
      : "=a"(result)
      : "a"(number), "b"((int)a), "c"((int)b), "d"((int)c), "S"((int)d), "D"((int)e)
      : "memory", "cc", "r8", "r9", "r10", "r11");
  return result;
}

static long call_64(int number, intptr_t a, intptr_t b, intptr_t c, intptr_t d, intptr_t e) {
  long long result;
  register intptr_t fourth __asm__("r10") = d;
  register intptr_t fifth __asm__("r8") = e;
  register intptr_t sixth __asm__("r9") = 0;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"((long long)number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
                   : "memory", "cc", "rcx", "r11");
  return (long)result;
}

static long call(int number, intptr_t a, intptr_t b, intptr_t c, intptr_t d, intptr_t e) {
  long result;
  do result = calls == &calls_32 ? call_32(number, a, b, c, d, e) : call_64(number, a, b, c, d, e);
  while (result == INTERRUPTED);
  return result;
}

enum { INT_80_BYTES = 2, NO_SUCH_CALL = -38 };

/** Goes on behind the instruction that the kernel refused. */
static LONG CALLBACK on_fault(EXCEPTION_POINTERS *fault) {
  const unsigned char *at = (const unsigned char *)fault->ContextRecord->Rip;
  if (at[0] != 0xcd || at[1] != 0x80) return EXCEPTION_CONTINUE_SEARCH;
  fault->ContextRecord->Rip += INT_80_BYTES;
  fault->ContextRecord->Rax = (DWORD64)NO_SUCH_CALL;
  return EXCEPTION_CONTINUE_EXECUTION;
}

static int has_calls_32(void) {
  void *handler = AddVectoredExceptionHandler(1, on_fault);
  const long process = call_32(calls_32.getpid, 0, 0, 0, 0, 0);
  RemoveVectoredExceptionHandler(handler);
  return process > 0;
}

/** Wine 11.5 began to catch both instructions. */
static int catches_calls(const char *version) {
  enum { CATCHING_MAJOR = 11, CATCHING_MINOR = 5 };
  char *end = NULL;
  const long major = strtol(version, &end, 10);
  const long minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
  return major > CATCHING_MAJOR || (major == CATCHING_MAJOR && minor >= CATCHING_MINOR);
}

int lx_open(void) {
  typedef const char *(CDECL *get_version)(void);
  const HMODULE system = GetModuleHandleW(L"ntdll.dll");
  const get_version version = system == NULL ? NULL : (get_version)(void *)GetProcAddress(system, "wine_get_version");
  /* In Windows itself, these instructions would do something else. */
  if (version == NULL) return LX_NOT_IN_WINE;
  if (catches_calls(version())) return LX_CAUGHT;
  calls = MAY_USE_32 && has_calls_32() ? &calls_32 : &calls_64;
  return call(calls->getpid, 0, 0, 0, 0, 0) > 0 ? LX_OPEN : LX_NOT_IN_WINE;
}

uint32_t lx_uid(void) { return (uint32_t)call(calls->getuid, 0, 0, 0, 0, 0); }

int lx_lstat(const char *path, lx_facts *facts) {
  return call(calls->statx, AT_CURRENT_FOLDER, (intptr_t)path, AT_LINKS_THEMSELVES, STATX_BASIC, (intptr_t)facts) == 0;
}

int lx_connect(const lx_address *address) {
  const long fd = call(calls->socket, AF_UNIX_STREAM_FAMILY, SOCK_STREAM_CLOEXEC, 0, 0, 0);
  if (fd < 0) return LX_FAILED;
  if (call(calls->connect, fd, (intptr_t)address, sizeof *address, 0, 0) == 0) return (int)fd;
  lx_close((int)fd);
  return LX_FAILED;
}

int lx_is_own_peer(int fd, uint32_t credentials[4]) {
  /* struct ucred { pid, uid, gid }, then its length. */
  credentials[3] = 3 * sizeof *credentials;
  if (call(calls->getsockopt, fd, SOL_SOCKET_LEVEL, SO_PEERCRED_NAME, (intptr_t)credentials, (intptr_t)&credentials[3]) != 0) return 0;
  return credentials[1] == lx_uid();
}

int lx_send(int fd, const char *bytes, size_t count) {
  while (count > 0) {
    const long sent = call(calls->sendto, fd, (intptr_t)bytes, (intptr_t)count, MSG_NOSIGNAL_FLAG, 0);
    if (sent <= 0) return 0;
    bytes += sent;
    count -= (size_t)sent;
  }
  return 1;
}

long lx_receive(int fd, char *bytes, size_t size) { return call(calls->recvfrom, fd, (intptr_t)bytes, (intptr_t)size, 0, 0); }

void lx_shut(int fd) { (void)call(calls->shutdown, fd, SHUT_BOTH, 0, 0, 0); }

void lx_close(int fd) { (void)call(calls->close, fd, 0, 0, 0, 0); }
