/* A game in C: opens the pipe with the Windows calls themselves, as native games do, says hello, sets its activity, prints what comes back. */
#include <stdio.h>
#include <string.h>
#include <windows.h>

#define PIPE L"\\\\.\\pipe\\discord-ipc-0"
enum { HEADER = 8, LARGEST = 65536, PIPE_BUSY_MS = 2000 };

static BOOL send_frame(HANDLE pipe, DWORD opcode, const char *json) {
  static char frame[HEADER + LARGEST];
  const DWORD length = (DWORD)strlen(json);
  DWORD written = 0;
  memcpy(frame, &opcode, 4);
  memcpy(frame + 4, &length, 4);
  memcpy(frame + HEADER, json, length);
  printf("c out %lu %s\n", (unsigned long)opcode, json);
  return WriteFile(pipe, frame, HEADER + length, &written, NULL) && written == HEADER + length;
}

static BOOL read_all(HANDLE pipe, char *into, DWORD wanted) {
  while (wanted > 0) {
    DWORD got = 0;
    if (!ReadFile(pipe, into, wanted, &got, NULL) || got == 0) return FALSE;
    into += got;
    wanted -= got;
  }
  return TRUE;
}

static BOOL receive_frame(HANDLE pipe) {
  static char body[LARGEST + 1];
  DWORD header[2];
  if (!read_all(pipe, (char *)header, HEADER) || header[1] > LARGEST) return FALSE;
  if (!read_all(pipe, body, header[1])) return FALSE;
  body[header[1]] = 0;
  printf("c in %lu %s\n", (unsigned long)header[0], body);
  return TRUE;
}

int main(void) {
  HANDLE pipe;
  for (;;) {
    pipe = CreateFileW(PIPE, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING, 0, NULL);
    if (pipe != INVALID_HANDLE_VALUE) break;
    if (GetLastError() != ERROR_PIPE_BUSY || !WaitNamedPipeW(PIPE, PIPE_BUSY_MS)) {
      printf("c cannot open the pipe: error %lu\n", (unsigned long)GetLastError());
      return 1;
    }
  }
  const BOOL served = send_frame(pipe, 0, "{\"v\":1,\"client_id\":\"1004\"}") && receive_frame(pipe) &&
                      send_frame(pipe, 1, "{\"cmd\":\"SET_ACTIVITY\",\"args\":{\"pid\":4,\"activity\":{\"details\":\"From C\"}},\"nonce\":\"c-1\"}") &&
                      receive_frame(pipe);
  CloseHandle(pipe);
  return served ? 0 : 2;
}
