/**
 * Named pipes with overlapped reads and writes, so that no call blocks. The process that serves the pipe must run as the user of the game,
 * because every user can make a pipe with a name that games try. A server may identify the game, but not act in its name.
 */
#if defined(_WIN32) && !defined(SALLYPORT_NO_SYSTEM)
#ifndef _WIN32_WINNT
#define _WIN32_WINNT 0x0602
#endif
#include <windows.h>

#include <stdio.h>
#include <string.h>

#include "crypto.h"
#include "platform.h"

#define SALLY_PIPE_BYTES 16384

struct sally_pipe {
  HANDLE handle;
  OVERLAPPED read;
  OVERLAPPED write;
  int is_reading;
  int is_writing;
  sally_memory memory;
  /** Bytes that came and were not taken. */
  DWORD in_start;
  DWORD in_length;
  /** A frame that is being written must not move. */
  sally_buffer out;
  char in[SALLY_PIPE_BYTES];
};

void sally_transport_init(sally_transport *transport) { transport->pipe = NULL; }
int sally_transport_is_open(const sally_transport *transport) { return transport->pipe != NULL; }

int64_t sally_system_now_ms(void) { return (int64_t)GetTickCount64(); }
uint32_t sally_process_id(void) { return (uint32_t)GetCurrentProcessId(); }

int sally_list_candidates(const char *runtime_dir, const char *prefix, int slot, sally_candidate *candidates) {
  int first = slot < 0 ? 0 : slot;
  int last = slot < 0 ? SALLYPORT_SLOT_COUNT - 1 : slot;
  int count = 0;
  (void)runtime_dir;
  for (; first <= last; first++) {
    int written = snprintf(candidates[count].path, SALLY_PATH_SIZE, "\\\\?\\pipe\\%s-%d", prefix, first);
    if (written > 0 && written < SALLY_PATH_SIZE) candidates[count++].is_packaged = 0;
  }
  return count;
}

/** Room for a TOKEN_USER with the longest SID. */
typedef union sally_token_user {
  TOKEN_USER user;
  unsigned char bytes[sizeof(TOKEN_USER) + 68];
} sally_token_user;

static int sally_user_of(HANDLE process, sally_token_user *user) {
  HANDLE token = NULL;
  DWORD length = 0;
  BOOL is_known;
  if (!OpenProcessToken(process, TOKEN_QUERY, &token)) return 0;
  is_known = GetTokenInformation(token, TokenUser, user, (DWORD)sizeof *user, &length);
  (void)CloseHandle(token);
  return is_known != 0;
}

static int sally_check_server(HANDLE handle, const char *path, sally_reason *reason) {
  sally_token_user own;
  sally_token_user other;
  ULONG id = 0;
  HANDLE process;
  int is_known;
  if (!GetNamedPipeServerProcessId(handle, &id))
    return sally_reason_set(reason, SALLYPORT_E_FOREIGN_SERVER, "the system does not name the process of the server", path);
  process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, id);
  is_known = process != NULL && sally_user_of(process, &other) && sally_user_of(GetCurrentProcess(), &own);
  if (process != NULL) (void)CloseHandle(process);
  if (!is_known)
    return sally_reason_set(reason, SALLYPORT_E_FOREIGN_SERVER, "the user of the server cannot be read; it may run with more rights", path);
  if (!EqualSid(own.user.User.Sid, other.user.User.Sid))
    return sally_reason_set(reason, SALLYPORT_E_FOREIGN_SERVER, "the server runs as another user of the system", path);
  return SALLYPORT_OK;
}

static void sally_free_pipe(struct sally_pipe *pipe) {
  sally_memory memory = pipe->memory;
  if (pipe->read.hEvent != NULL) (void)CloseHandle(pipe->read.hEvent);
  if (pipe->write.hEvent != NULL) (void)CloseHandle(pipe->write.hEvent);
  sally_buffer_free(&memory, &pipe->out);
  sally_wipe(pipe, sizeof *pipe);
  sally_release(&memory, pipe, sizeof *pipe);
}

static int sally_make_pipe(sally_transport *transport, const sally_memory *memory, HANDLE handle, sally_reason *reason) {
  struct sally_pipe *pipe = (struct sally_pipe *)sally_allocate(memory, sizeof *pipe);
  if (pipe == NULL) return sally_reason_set(reason, SALLYPORT_E_MEMORY, "there is no memory for a pipe", NULL);
  memset(pipe, 0, sizeof *pipe);
  pipe->memory = *memory;
  pipe->handle = handle;
  pipe->read.hEvent = CreateEventA(NULL, TRUE, FALSE, NULL);
  pipe->write.hEvent = CreateEventA(NULL, TRUE, FALSE, NULL);
  if (pipe->read.hEvent == NULL || pipe->write.hEvent == NULL) {
    sally_free_pipe(pipe);
    return sally_reason_set(reason, SALLYPORT_E_SYSTEM, "the system gave no event", NULL);
  }
  transport->pipe = pipe;
  return SALLYPORT_OK;
}

int sally_transport_open(sally_transport *transport, const sally_memory *memory, const sally_candidate *candidate,
                         sally_trust *trust, sally_reason *reason) {
  const char *path = candidate->path;
  HANDLE handle = CreateFileA(path, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING,
                              FILE_FLAG_OVERLAPPED | SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION, NULL);
  int code;
  transport->pipe = NULL;
  trust->may_be_contained = 0;
  /* A pipe that is busy is tried again after the delay; waiting for it would block the game. */
  if (handle == INVALID_HANDLE_VALUE)
    return sally_reason_set(reason, SALLYPORT_E_NO_SERVER, "no server was found; start one with: sallyport run", path);
  code = sally_check_server(handle, path, reason);
  if (code == SALLYPORT_OK) code = sally_make_pipe(transport, memory, handle, reason);
  if (code != SALLYPORT_OK) (void)CloseHandle(handle);
  return code;
}

/** The bytes of a finished operation, 0 if it still runs, -1 if it failed. */
static long sally_finished(struct sally_pipe *pipe, OVERLAPPED *operation, int *is_running) {
  DWORD bytes = 0;
  if (!GetOverlappedResult(pipe->handle, operation, &bytes, FALSE)) {
    if (GetLastError() == ERROR_IO_INCOMPLETE) return 0;
    *is_running = 0;
    return -1;
  }
  *is_running = 0;
  return (long)bytes;
}

/** Starts a read if none runs. Returns the bytes that came, 0 or -1. */
static long sally_read_more(struct sally_pipe *pipe) {
  if (!pipe->is_reading) {
    (void)ResetEvent(pipe->read.hEvent);
    if (!ReadFile(pipe->handle, pipe->in, SALLY_PIPE_BYTES, NULL, &pipe->read) && GetLastError() != ERROR_IO_PENDING) return -1;
    pipe->is_reading = 1;
  }
  return sally_finished(pipe, &pipe->read, &pipe->is_reading);
}

long sally_transport_read(sally_transport *transport, char *data, size_t size) {
  struct sally_pipe *pipe = transport->pipe;
  DWORD left = pipe->in_length - pipe->in_start;
  if (left == 0) {
    long got = sally_read_more(pipe);
    if (got <= 0) return got;
    pipe->in_start = 0;
    pipe->in_length = (DWORD)got;
    left = pipe->in_length;
  }
  if (size < left) left = (DWORD)size;
  memcpy(data, pipe->in + pipe->in_start, left);
  pipe->in_start += left;
  return (long)left;
}

long sally_transport_write(sally_transport *transport, const char *data, size_t size) {
  struct sally_pipe *pipe = transport->pipe;
  if (pipe->is_writing) {
    long written = sally_finished(pipe, &pipe->write, &pipe->is_writing);
    if (written < 0) return -1;
    if (pipe->is_writing) return 0;
  }
  if (!sally_buffer_set(&pipe->memory, &pipe->out, data, size)) return -1;
  (void)ResetEvent(pipe->write.hEvent);
  /* One write for all frames that wait: a server may take one read for one frame. */
  if (!WriteFile(pipe->handle, pipe->out.data, (DWORD)size, NULL, &pipe->write) && GetLastError() != ERROR_IO_PENDING) return -1;
  pipe->is_writing = 1;
  return (long)size;
}

/** Ends an operation, whose memory the system must not use any more. */
static void sally_cancel(struct sally_pipe *pipe, OVERLAPPED *operation, int is_running) {
  DWORD bytes = 0;
  if (!is_running) return;
  (void)CancelIoEx(pipe->handle, operation);
  (void)GetOverlappedResult(pipe->handle, operation, &bytes, TRUE);
}

void sally_transport_close(sally_transport *transport) {
  struct sally_pipe *pipe = transport->pipe;
  if (pipe == NULL) return;
  transport->pipe = NULL;
  sally_cancel(pipe, &pipe->read, pipe->is_reading);
  sally_cancel(pipe, &pipe->write, pipe->is_writing);
  (void)CloseHandle(pipe->handle);
  sally_free_pipe(pipe);
}

void sally_transport_wait(sally_transport *const *transports, const int *writes, int count, int timeout_ms) {
  HANDLE events[16];
  DWORD used = 0;
  int i;
  for (i = 0; i < count && used + 2 <= 16; i++) {
    const struct sally_pipe *pipe = transports[i]->pipe;
    if (pipe == NULL) continue;
    if (pipe->in_length > pipe->in_start) return;
    if (pipe->is_reading) events[used++] = pipe->read.hEvent;
    if (pipe->is_writing && writes[i]) events[used++] = pipe->write.hEvent;
  }
  if (used > 0) (void)WaitForMultipleObjects(used, events, FALSE, (DWORD)timeout_ms);
  else Sleep((DWORD)timeout_ms);
}
#else
/** A source without a declaration is no C. */
typedef int sally_no_pipes_here;
#endif
