/* Programs that connect to the pipe and say their own process number on each connection, with the Windows calls themselves.
   `many COUNT`: so many connections at once. `hand-on`: connects, leaves the connection to a child and ends; the child speaks then.
   `heir PIPE PARENT`: that child. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#define PIPE L"\\\\.\\pipe\\sallyport-peers"
enum { BUSY_MS = 5000, MOST = 64, TEXT = 512 };

static HANDLE connect_inheritable(void) {
  SECURITY_ATTRIBUTES inheritable = {sizeof inheritable, NULL, TRUE};
  for (;;) {
    HANDLE pipe = CreateFileW(PIPE, GENERIC_READ | GENERIC_WRITE, 0, &inheritable, OPEN_EXISTING, 0, NULL);
    if (pipe != INVALID_HANDLE_VALUE) return pipe;
    if (GetLastError() != ERROR_PIPE_BUSY || !WaitNamedPipeW(PIPE, BUSY_MS)) exit(3);
  }
}

/* Says the number of this process, and waits until it comes back. */
static void speak(HANDLE pipe) {
  char text[TEXT];
  DWORD moved = 0;
  const int length = sprintf(text, "%lu", (unsigned long)GetCurrentProcessId());
  if (!WriteFile(pipe, text, (DWORD)length, &moved, NULL) || !ReadFile(pipe, text, TEXT, &moved, NULL)) exit(4);
}

static int many(int count) {
  HANDLE pipes[MOST];
  for (int at = 0; at < count; at++) pipes[at] = connect_inheritable();
  for (int at = 0; at < count; at++) speak(pipes[at]);
  for (int at = 0; at < count; at++) CloseHandle(pipes[at]);
  return 0;
}

static int hand_on(const char *program) {
  HANDLE pipe = connect_inheritable(), self = NULL;
  char line[TEXT];
  STARTUPINFOA start = {sizeof start};
  PROCESS_INFORMATION child;
  if (!DuplicateHandle(GetCurrentProcess(), GetCurrentProcess(), GetCurrentProcess(), &self, SYNCHRONIZE, TRUE, 0)) return 5;
  sprintf(line, "\"%s\" heir %llu %llu", program, (unsigned long long)(size_t)pipe, (unsigned long long)(size_t)self);
  return CreateProcessA(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &child) ? 0 : 6;
}

static int heir(const char *pipe, const char *parent) {
  WaitForSingleObject((HANDLE)(size_t)strtoull(parent, NULL, 10), INFINITE);
  speak((HANDLE)(size_t)strtoull(pipe, NULL, 10));
  return 0;
}

int main(int count, char **words) {
  if (count == 3 && strcmp(words[1], "many") == 0 && atoi(words[2]) <= MOST) return many(atoi(words[2]));
  if (count == 2 && strcmp(words[1], "hand-on") == 0) return hand_on(words[0]);
  if (count == 4 && strcmp(words[1], "heir") == 0) return heir(words[2], words[3]);
  return 2;
}
