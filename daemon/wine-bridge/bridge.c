/**
 * Serves the pipe that Windows games open, inside a prefix of Wine, and carries each connection to the Unix socket of the Linux daemon.
 *
 *   sallyport-wine.exe [--folder DIR] [--name discord-ipc]
 *
 *   --folder   the folder of the sockets; by default the one in which native games look
 *   --name     the first part of the names of pipes and sockets
 *
 * Each connection has two threads, one a direction, and one buffer each, so a reader that is slow slows its writer.
 * Exit codes: 0 the last program of the prefix ended, 2 wrong arguments or not in Wine on Linux, 3 another program serves the pipe, 4 Wine
 * refuses a pipe or a thread.
 */
#include <windows.h>

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "find_socket.h"
#include "introduction.h"
#include "linux_calls.h"

enum { CONNECTIONS = 64, BUFFER = 32768, TEXT = 108, STACK = 65536 };
enum { ENDED = 0, UNUSABLE = 2, TAKEN = 3, REFUSED = 4 };

/** In memory that system calls reach; see linux_calls.h. */
typedef struct connection {
  LONG is_used;
  HANDLE pipe;
  int fd;
  search memory;
  char introduction[INTRODUCTION_SIZE];
  char to_linux[BUFFER];
  char to_windows[BUFFER];
} connection;

static connection connections[CONNECTIONS];
static HANDLE free_connections;
static char folder[TEXT];
static char name[TEXT] = "discord-ipc";
static wchar_t pipe_name[TEXT + 16];

static int fail(int code, const char *sentence) {
  DWORD written = 0;
  const HANDLE errors = GetStdHandle(STD_ERROR_HANDLE);
  WriteFile(errors, sentence, (DWORD)strlen(sentence), &written, NULL);
  return code;
}

/** Waits for the end of an overlapped call; returns the bytes that it moved, or 0. */
static DWORD moved(HANDLE pipe, BOOL began, OVERLAPPED *call) {
  DWORD count = 0;
  if (!began && GetLastError() != ERROR_IO_PENDING) return 0;
  return GetOverlappedResult(pipe, call, &count, TRUE) ? count : 0;
}

static DWORD read_pipe(HANDLE pipe, char *bytes, OVERLAPPED *call) {
  return moved(pipe, ReadFile(pipe, bytes, BUFFER, NULL, call), call);
}

static int write_pipe(HANDLE pipe, const char *bytes, DWORD count, OVERLAPPED *call) {
  while (count > 0) {
    const DWORD written = moved(pipe, WriteFile(pipe, bytes, count, NULL, call), call);
    if (written == 0) return 0;
    bytes += written;
    count -= written;
  }
  return 1;
}

/** Carries what the daemon sends. At its end the client reads what is left, and then the end of the pipe. */
static DWORD WINAPI carry_to_windows(void *given) {
  connection *one = given;
  OVERLAPPED call = {0};
  long count;
  call.hEvent = CreateEventW(NULL, TRUE, FALSE, NULL);
  while (call.hEvent != NULL && (count = lx_receive(one->fd, one->to_windows, BUFFER)) > 0)
    if (!write_pipe(one->pipe, one->to_windows, (DWORD)count, &call)) break;
  FlushFileBuffers(one->pipe);
  DisconnectNamedPipe(one->pipe);
  if (call.hEvent != NULL) CloseHandle(call.hEvent);
  return 0;
}

/** Carries what the client sends, until either side is gone. */
static void carry_to_linux(connection *one) {
  OVERLAPPED call = {0};
  DWORD count;
  call.hEvent = CreateEventW(NULL, TRUE, FALSE, NULL);
  while (call.hEvent != NULL && (count = read_pipe(one->pipe, one->to_linux, &call)) > 0)
    if (!lx_send(one->fd, one->to_linux, count)) break;
  if (call.hEvent != NULL) CloseHandle(call.hEvent);
}

static void carry(connection *one) {
  const HANDLE back = CreateThread(NULL, STACK, carry_to_windows, one, 0, NULL);
  if (back == NULL) return;
  carry_to_linux(one);
  lx_shut(one->fd);
  WaitForSingleObject(back, INFINITE);
  CloseHandle(back);
}

/** Serves one client from its connection to its end. Without a server on Linux, the client's pipe closes at once. */
static DWORD WINAPI serve(void *given) {
  connection *one = given;
  const found_socket found = find_socket(&one->memory, folder[0] == 0 ? NULL : folder, name);
  one->fd = found.fd;
  if (found.fd != LX_FAILED) {
    if (!found.is_introduced || lx_send(one->fd, one->introduction, write_introduction(one->pipe, one->introduction))) carry(one);
    lx_close(one->fd);
  }
  DisconnectNamedPipe(one->pipe);
  CloseHandle(one->pipe);
  InterlockedExchange(&one->is_used, 0);
  ReleaseSemaphore(free_connections, 1, NULL);
  return 0;
}

/** One is free, because the caller holds a count of the semaphore. */
static connection *take_connection(void) {
  connection *one = connections;
  while (InterlockedExchange(&one->is_used, 1) != 0) one = one + 1 == connections + CONNECTIONS ? connections : one + 1;
  return one;
}

/**
 * Whether another program serves the pipe. Wine 8 does not check FILE_FLAG_FIRST_PIPE_INSTANCE, so bridges that start together are ordered by
 * a mutex, which stays open until this process ends.
 */
static int is_taken(void) {
  enum { AT_ONCE = 1 };
  const wchar_t *slot = wcsrchr(pipe_name, L'\\') + 1;
  wchar_t mutex[TEXT + 32];
  (void)_snwprintf(mutex, sizeof mutex / sizeof *mutex, L"sallyport-wine-%ls", slot);
  if (CreateMutexW(NULL, FALSE, mutex) == NULL || GetLastError() == ERROR_ALREADY_EXISTS) return 1;
  return WaitNamedPipeW(pipe_name, AT_ONCE) || GetLastError() != ERROR_FILE_NOT_FOUND;
}

/** With the system's default rights: full control for this user. `first`: fails if any program serves the pipe, in a Wine that checks it. */
static HANDLE open_pipe(DWORD first) {
  return CreateNamedPipeW(pipe_name, PIPE_ACCESS_DUPLEX | FILE_FLAG_OVERLAPPED | first,
                          PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS, PIPE_UNLIMITED_INSTANCES, BUFFER,
                          BUFFER, 0, NULL);
}

/** Whether a client connected. False at the end of the prefix. */
static int wait_for_client(HANDLE pipe, HANDLE end, OVERLAPPED *call) {
  const HANDLE either[] = {call->hEvent, end};
  if (ConnectNamedPipe(pipe, call) || GetLastError() == ERROR_PIPE_CONNECTED) return 1;
  /* It connected and closed already: the reading thread finds that out. */
  if (GetLastError() == ERROR_NO_DATA) return 1;
  if (GetLastError() != ERROR_IO_PENDING) return 0;
  return WaitForMultipleObjects(end == NULL ? 1 : 2, either, FALSE, INFINITE) == WAIT_OBJECT_0;
}

static int wait_for_place(HANDLE end) {
  const HANDLE either[] = {free_connections, end};
  return WaitForMultipleObjects(end == NULL ? 1 : 2, either, FALSE, INFINITE) == WAIT_OBJECT_0;
}

/** Returns at the end of the prefix. The next instance of the pipe opens before a client is served, so that the name is never without one. */
static void serve_all(HANDLE pipe, HANDLE end) {
  OVERLAPPED call = {0};
  call.hEvent = CreateEventW(NULL, TRUE, FALSE, NULL);
  while (call.hEvent != NULL && pipe != INVALID_HANDLE_VALUE && wait_for_place(end) && wait_for_client(pipe, end, &call)) {
    connection *one = take_connection();
    HANDLE thread;
    one->pipe = pipe;
    pipe = open_pipe(0);
    thread = CreateThread(NULL, STACK, serve, one, 0, NULL);
    if (thread == NULL) return;
    CloseHandle(thread);
  }
}

/**
 * Lets the prefix end although this program runs: Wine does not wait for system processes. Returns the event that Wine signals when all
 * others have ended; NULL if this Wine has none.
 */
static HANDLE become_system_process(void) {
  enum { MAKE_PROCESS_SYSTEM = 1000 };
  typedef LONG(WINAPI * set_information)(HANDLE, int, void *, ULONG);
  HANDLE end = NULL;
  const set_information set = (set_information)(void *)GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "NtSetInformationProcess");
  if (set == NULL || set(GetCurrentProcess(), MAKE_PROCESS_SYSTEM, &end, sizeof end) != 0) return NULL;
  return end;
}

static int read_argument(const wchar_t *word, char text[TEXT]) {
  return WideCharToMultiByte(CP_UTF8, 0, word, -1, text, TEXT, NULL, NULL) > 0;
}

static int read_arguments(int count, wchar_t **words) {
  int at;
  for (at = 1; at + 1 < count; at += 2) {
    if (wcscmp(words[at], L"--folder") == 0 && read_argument(words[at + 1], folder)) continue;
    if (wcscmp(words[at], L"--name") == 0 && read_argument(words[at + 1], name)) continue;
    return 0;
  }
  return at == count && MultiByteToWideChar(CP_UTF8, 0, name, -1, pipe_name + wcslen(wcscpy(pipe_name, L"\\\\.\\pipe\\")), TEXT) > 0;
}

int wmain(int count, wchar_t **words) {
  HANDLE pipe, end;
  int calls;
  if (!read_arguments(count, words)) return fail(UNUSABLE, "Use: sallyport-wine.exe [--folder DIR] [--name discord-ipc]\n");
  calls = lx_open();
  if (calls == LX_CAUGHT) return fail(UNUSABLE, "Wine 11.5 and later catch the system calls of this program. Use an older Wine, or Proton.\n");
  if (calls != LX_OPEN) return fail(UNUSABLE, "This program runs in Wine on Linux only, with 64 bits.\n");
  wcscat(pipe_name, L"-0");
  free_connections = CreateSemaphoreW(NULL, CONNECTIONS, CONNECTIONS, NULL);
  pipe = is_taken() ? INVALID_HANDLE_VALUE : open_pipe(FILE_FLAG_FIRST_PIPE_INSTANCE);
  if (free_connections == NULL || pipe == INVALID_HANDLE_VALUE) return fail(TAKEN, "Another program of this prefix serves the pipe.\n");
  end = become_system_process();
  serve_all(pipe, end);
  return end != NULL && WaitForSingleObject(end, 0) == WAIT_OBJECT_0 ? ENDED : fail(REFUSED, "Wine refuses another pipe or thread.\n");
}
