#include "introduction.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/** Not an opcode of the protocol, so a server that is not Sallyport would refuse it. */
enum { OPCODE = 0x57494e45, VERSION = 1, HEADER_SIZE = 8 };
enum { PATH_CHARACTERS = 512, PATH_BYTES = 1536 };

typedef char *(CDECL *unix_file_name)(LPCWSTR windows_path);

/** Where text is added, as far as there is room. */
typedef struct writer {
  char *text;
  size_t size;
  size_t length;
} writer;

static void add(writer *to, const char *text) {
  const size_t count = strlen(text);
  if (to->length + count >= to->size) return;
  memcpy(to->text + to->length, text, count);
  to->length += count;
}

/** A string of JSON in UTF-8. */
static void add_string(writer *to, const char *text) {
  char escaped[7];
  add(to, "\"");
  for (; *text != 0; text++) {
    const unsigned char byte = (unsigned char)*text;
    if (byte < 0x20 || byte == '"' || byte == '\\')
      (void)snprintf(escaped, sizeof escaped, "\\u%04x", byte);
    else
      escaped[0] = *text, escaped[1] = 0;
    add(to, escaped);
  }
  add(to, "\"");
}

/** The path of a process's program file; empty if it cannot be read. */
static void read_path(ULONG process, wchar_t path[PATH_CHARACTERS]) {
  DWORD count = PATH_CHARACTERS;
  const HANDLE handle = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, process);
  path[0] = 0;
  if (handle == NULL) return;
  if (!QueryFullProcessImageNameW(handle, 0, path, &count)) path[0] = 0;
  CloseHandle(handle);
}

/** The same file as Linux names it; empty if Wine does not know. */
static void read_unix_path(const wchar_t *path, char text[PATH_BYTES]) {
  const unix_file_name convert = (unix_file_name)(void *)GetProcAddress(GetModuleHandleW(L"kernel32.dll"), "wine_get_unix_file_name");
  char *found = convert == NULL || path[0] == 0 ? NULL : convert(path);
  text[0] = 0;
  if (found == NULL) return;
  if (strlen(found) < PATH_BYTES) strcpy(text, found);
  HeapFree(GetProcessHeap(), 0, found);
}

static void write_number(char *at, uint32_t number) {
  int byte;
  for (byte = 0; byte < 4; byte++) at[byte] = (char)(number >> (8 * byte));
}

size_t write_introduction(HANDLE pipe, char frame[INTRODUCTION_SIZE]) {
  wchar_t wide[PATH_CHARACTERS];
  char path[PATH_BYTES], start[64];
  ULONG process = 0;
  writer json = {frame + HEADER_SIZE, INTRODUCTION_SIZE - HEADER_SIZE, 0};

  if (!GetNamedPipeClientProcessId(pipe, &process)) process = 0;
  read_path(process, wide);
  (void)snprintf(start, sizeof start, "{\"version\":%d,\"pid\":%lu,\"program\":", VERSION, process);
  add(&json, start);
  if (WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, PATH_BYTES, NULL, NULL) == 0) path[0] = 0;
  add_string(&json, path);
  add(&json, ",\"file\":");
  read_unix_path(wide, path);
  add_string(&json, path);
  add(&json, "}");
  write_number(frame, OPCODE);
  write_number(frame + 4, (uint32_t)json.length);
  return HEADER_SIZE + json.length;
}
