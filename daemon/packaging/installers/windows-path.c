/**
 * The search path of the user, as the setup and its uninstaller change it. Not in their own language: its texts end after a thousand characters,
 * and a longer PATH would be cut.
 */
#include <wchar.h>
#include <windows.h>

#include "windows-path.h"

#define CHANGE_MS 2000
#define UNCHANGED 1

static const wchar_t KEY[] = L"Environment";
static const wchar_t NAME[] = L"Path";

static void *room(size_t characters) { return HeapAlloc(GetProcessHeap(), HEAP_ZERO_MEMORY, characters * sizeof(wchar_t)); }

/** The value and its type; an empty text if there is none yet. NULL if it cannot be read. */
static wchar_t *user_path(HKEY key, DWORD *type) {
  DWORD bytes = 0;
  wchar_t *text;
  LSTATUS status = RegQueryValueExW(key, NAME, NULL, type, NULL, &bytes);
  if (status == ERROR_FILE_NOT_FOUND) {
    *type = REG_EXPAND_SZ;
    return room(1);
  }
  if (status != ERROR_SUCCESS || (*type != REG_SZ && *type != REG_EXPAND_SZ)) return NULL;
  text = room(bytes / sizeof(wchar_t) + 2);
  if (text == NULL || RegQueryValueExW(key, NAME, NULL, type, (BYTE *)text, &bytes) != ERROR_SUCCESS) return NULL;
  return text;
}

/** Whether these characters are the folder, which has no backslash at its end. */
static int is_folder(const wchar_t *entry, size_t length, const wchar_t *folder) {
  if (length > 0 && entry[length - 1] == L'\\') length--;
  return length == wcslen(folder) && _wcsnicmp(entry, folder, length) == 0;
}

/** Copies the entries but for those that are the folder. */
static void copy_others(wchar_t *to, const wchar_t *from, const wchar_t *folder) {
  int is_first = 1;
  for (;;) {
    size_t length = wcscspn(from, L";");
    if (!is_folder(from, length, folder)) {
      if (!is_first) *to++ = L';';
      wmemcpy(to, from, length);
      to += length;
      is_first = 0;
    }
    if (from[length] == 0) break;
    from += length + 1;
  }
  *to = 0;
}

int change_user_path(const wchar_t *folder, int is_wanted) {
  HKEY key;
  DWORD type = REG_EXPAND_SZ;
  wchar_t *before, *after;
  LSTATUS status = ERROR_SUCCESS;
  if (RegCreateKeyExW(HKEY_CURRENT_USER, KEY, 0, NULL, 0, KEY_READ | KEY_WRITE, NULL, &key, NULL) != ERROR_SUCCESS) return UNCHANGED;
  before = user_path(key, &type);
  after = before == NULL ? NULL : room(wcslen(before) + wcslen(folder) + 2);
  if (after == NULL) return UNCHANGED;
  copy_others(after, before, folder);
  if (is_wanted) {
    if (after[0] != 0 && after[wcslen(after) - 1] != L';') wcscat(after, L";");
    wcscat(after, folder);
  }
  if (wcscmp(before, after) == 0) return 0;
  if (after[0] == 0) status = RegDeleteValueW(key, NAME);
  else status = RegSetValueExW(key, NAME, 0, type, (const BYTE *)after, (DWORD)((wcslen(after) + 1) * sizeof(wchar_t)));
  RegCloseKey(key);
  if (status != ERROR_SUCCESS) return UNCHANGED;
  // The desktop gives the new PATH to programs that it starts from now on.
  SendMessageTimeoutW(HWND_BROADCAST, WM_SETTINGCHANGE, 0, (LPARAM)KEY, SMTO_ABORTIFHUNG, CHANGE_MS, NULL);
  return 0;
}
