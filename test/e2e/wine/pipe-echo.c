/* Sends a pattern of bytes through the pipe while it reads them back, and compares:
   `pipe-echo BYTES`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#define PIPE L"\\\\.\\pipe\\discord-ipc-0"
enum { LARGEST = 40000, BUSY_MS = 5000, CANNOT_OPEN = 1, CANNOT_READ = 2, DIFFERS = 3 };

static HANDLE pipe;
static DWORD total;

/** Every value occurs, also zero and what is no text. */
static char pattern(DWORD at) { return (char)((at * 2654435761u) >> 13); }

static DWORD finish(BOOL began, OVERLAPPED *call) {
  DWORD moved = 0;
  if (!began && GetLastError() != ERROR_IO_PENDING) return 0;
  return GetOverlappedResult(pipe, call, &moved, TRUE) ? moved : 0;
}

static DWORD WINAPI send_all(void *unused) {
  static char bytes[LARGEST];
  OVERLAPPED call = {0};
  DWORD at = 0, i;
  (void)unused;
  call.hEvent = CreateEventW(NULL, TRUE, FALSE, NULL);
  while (at < total) {
    /* Writes of many sizes. */
    DWORD count = 1 + (at * 7) % LARGEST, written;
    if (count > total - at) count = total - at;
    for (i = 0; i < count; i++) bytes[i] = pattern(at + i);
    written = finish(WriteFile(pipe, bytes, count, NULL, &call), &call);
    /* The reader finds the end too, and says how far it came. */
    if (written == 0) return 0;
    at += written;
  }
  return 0;
}

static void open_pipe(void) {
  for (;;) {
    pipe = CreateFileW(PIPE, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING, FILE_FLAG_OVERLAPPED, NULL);
    if (pipe != INVALID_HANDLE_VALUE) return;
    if (GetLastError() == ERROR_PIPE_BUSY && WaitNamedPipeW(PIPE, BUSY_MS)) continue;
    printf("cannot open the pipe: error %lu\n", (unsigned long)GetLastError());
    exit(CANNOT_OPEN);
  }
}

int main(int count, char **words) {
  static char bytes[LARGEST];
  OVERLAPPED call = {0};
  DWORD at = 0, i;
  if (count != 2) return CANNOT_OPEN;
  total = (DWORD)strtoul(words[1], NULL, 10);
  call.hEvent = CreateEventW(NULL, TRUE, FALSE, NULL);
  open_pipe();
  CloseHandle(CreateThread(NULL, 0, send_all, NULL, 0, NULL));
  while (at < total) {
    const DWORD got = finish(ReadFile(pipe, bytes, LARGEST, NULL, &call), &call);
    if (got == 0) {
      printf("ended after %lu\n", (unsigned long)at);
      return CANNOT_READ;
    }
    for (i = 0; i < got; i++)
      if (bytes[i] != pattern(at + i)) return DIFFERS;
    at += got;
  }
  printf("same %lu\n", (unsigned long)at);
  return 0;
}
