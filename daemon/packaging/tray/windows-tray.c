/**
 * sallyport-tray.exe: shows the icon, the menu and the notifications of Sallyport on Windows. The tray (`sallyport tray`) starts it, and speaks
 * lines on stdin and stdout, which daemon/src/tray/helper-protocol.ts describes. It ends when its stdin does.
 */
#include <windows.h>
#include <shellapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#define ICON_MESSAGE (WM_APP + 1)
#define LINE_MESSAGE (WM_APP + 2)
#define ICON_ID 1
#define RETRY_TIMER 1
#define RETRY_MS 500
#define MAX_LINE 65536
#define MAX_WORDS 6
#define MAX_DEPTH 8
#define MAX_ICON 64
#define CHANNELS 4

static const wchar_t CLASS_NAME[] = L"SallyportTray";
static const wchar_t MUTEX_NAME[] = L"Local\\sallyport-tray";

static HWND window;
static NOTIFYICONDATAW icon;
static BOOL is_added;
static HMENU menu;
/** The menus that lines are added to, by depth, until the line "end". */
static HMENU building[MAX_DEPTH + 1];
static int is_built = 1;
/** The notification that is shown, or will be as soon as the icon is. */
static NOTIFYICONDATAW balloon;
static wchar_t notice_key[64];
static UINT taskbar_created;

static void say(const char *line) {
  fputs(line, stdout);
  fputc('\n', stdout);
  fflush(stdout);
}

static wchar_t *wide(const char *text) {
  int length = MultiByteToWideChar(CP_UTF8, 0, text, -1, NULL, 0);
  wchar_t *copy = malloc(sizeof(wchar_t) * (size_t)(length + 1));
  if (copy == NULL) exit(1);
  if (length == 0 || MultiByteToWideChar(CP_UTF8, 0, text, -1, copy, length) == 0) copy[0] = 0;
  return copy;
}

/** Splits a line at its tabs, and replaces \n and \\ in each word. Returns the number of words. */
static int split(char *line, char *words[MAX_WORDS]) {
  int count = 0;
  char *from = line, *to = line;
  words[count++] = line;
  for (; *from != 0; from++) {
    if (*from == '\t') {
      *to++ = 0;
      if (count == MAX_WORDS) return count;
      words[count++] = to;
    } else if (*from == '\\' && from[1] != 0) {
      from++;
      *to++ = *from == 'n' ? '\n' : *from;
    } else {
      *to++ = *from;
    }
  }
  *to = 0;
  return count;
}

static int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : 0;
}

/** An icon of `size` pixels a side, from hexadecimal red, green, blue and opacity; NULL if the text is too short. */
static HICON icon_of(int size, const char *hex) {
  BITMAPV5HEADER header = {0};
  ICONINFO info = {0};
  unsigned char *pixels = NULL;
  HDC screen;
  HICON made;
  int at;
  if (size < 1 || size > MAX_ICON || strlen(hex) < (size_t)(size * size * CHANNELS * 2)) return NULL;
  header.bV5Size = sizeof header;
  header.bV5Width = size;
  header.bV5Height = -size;
  header.bV5Planes = 1;
  header.bV5BitCount = 32;
  header.bV5Compression = BI_BITFIELDS;
  header.bV5RedMask = 0x00ff0000;
  header.bV5GreenMask = 0x0000ff00;
  header.bV5BlueMask = 0x000000ff;
  header.bV5AlphaMask = 0xff000000;
  screen = GetDC(NULL);
  info.hbmColor = CreateDIBSection(screen, (BITMAPINFO *)&header, DIB_RGB_COLORS, (void **)&pixels, NULL, 0);
  ReleaseDC(NULL, screen);
  info.hbmMask = CreateBitmap(size, size, 1, 1, NULL);
  if (info.hbmColor == NULL || info.hbmMask == NULL || pixels == NULL) return NULL;
  for (at = 0; at < size * size * CHANNELS; at += CHANNELS) {
    const char *text = hex + at * 2;
    int channel, value[CHANNELS];
    for (channel = 0; channel < CHANNELS; channel++) value[channel] = hex_digit(text[channel * 2]) * 16 + hex_digit(text[channel * 2 + 1]);
    pixels[at] = (unsigned char)value[2];
    pixels[at + 1] = (unsigned char)value[1];
    pixels[at + 2] = (unsigned char)value[0];
    pixels[at + 3] = (unsigned char)value[3];
  }
  info.fIcon = TRUE;
  made = CreateIconIndirect(&info);
  DeleteObject(info.hbmColor);
  DeleteObject(info.hbmMask);
  return made;
}

/** At login the taskbar may come after this program. */
static void show_icon(void) {
  if (is_added && Shell_NotifyIconW(NIM_MODIFY, &icon)) return;
  is_added = Shell_NotifyIconW(NIM_ADD, &icon);
  if (!is_added) SetTimer(window, RETRY_TIMER, RETRY_MS, NULL);
  else if (notice_key[0] != 0) Shell_NotifyIconW(NIM_MODIFY, &balloon);
}

static void set_icon(int size, const char *hex) {
  HICON made = icon_of(size, hex), before = icon.hIcon;
  if (made == NULL) return;
  icon.hIcon = made;
  show_icon();
  if (before != NULL) DestroyIcon(before);
}

static void set_tip(const char *text) {
  wchar_t *tip = wide(text);
  wcsncpy(icon.szTip, tip, sizeof icon.szTip / sizeof(wchar_t) - 1);
  free(tip);
  show_icon();
}

static void begin_menu(void) {
  if (!is_built && building[0] != NULL) DestroyMenu(building[0]);
  memset(building, 0, sizeof building);
  building[0] = CreatePopupMenu();
  is_built = 0;
}

/** A label without keys: & marks the next letter. */
static wchar_t *label_of(const char *text) {
  wchar_t *label = wide(text), *copy, *to;
  const wchar_t *from;
  copy = malloc(sizeof(wchar_t) * (wcslen(label) * 2 + 1));
  if (copy == NULL) exit(1);
  for (from = label, to = copy; *from != 0; from++) {
    if (*from == L'&') *to++ = L'&';
    *to++ = *from;
  }
  *to = 0;
  free(label);
  return copy;
}

static void add_item(int depth, UINT_PTR id, const char *flags, const char *text) {
  HMENU parent;
  wchar_t *label;
  UINT style = MF_STRING;
  if (is_built || depth < 0 || depth >= MAX_DEPTH || (parent = building[depth]) == NULL) return;
  if (strchr(flags, 's') != NULL) {
    AppendMenuW(parent, MF_SEPARATOR, 0, NULL);
    return;
  }
  if (strchr(flags, 'd') != NULL) style |= MF_GRAYED;
  if (strchr(flags, 'c') != NULL) style |= MF_CHECKED;
  label = label_of(text);
  if (strchr(flags, 'p') != NULL) {
    building[depth + 1] = CreatePopupMenu();
    AppendMenuW(parent, style | MF_POPUP, (UINT_PTR)building[depth + 1], label);
  } else {
    AppendMenuW(parent, style, id, label);
  }
  free(label);
}

static void end_menu(void) {
  HMENU before = menu;
  if (is_built) return;
  menu = building[0];
  is_built = 1;
  if (before != NULL) DestroyMenu(before);
}

static void notify(const char *key, const char *title, const char *body) {
  wchar_t *wide_key = wide(key), *wide_title = wide(title), *wide_body = wide(body);
  balloon = icon;
  wcsncpy(notice_key, wide_key, sizeof notice_key / sizeof(wchar_t) - 1);
  balloon.uFlags = NIF_INFO;
  balloon.dwInfoFlags = NIIF_INFO;
  wcsncpy(balloon.szInfoTitle, wide_title, sizeof balloon.szInfoTitle / sizeof(wchar_t) - 1);
  wcsncpy(balloon.szInfo, wide_body, sizeof balloon.szInfo / sizeof(wchar_t) - 1);
  if (is_added) Shell_NotifyIconW(NIM_MODIFY, &balloon);
  free(wide_key);
  free(wide_title);
  free(wide_body);
}

static void withdraw(const char *key) {
  wchar_t *wide_key = wide(key);
  if (wcscmp(wide_key, notice_key) == 0) {
    balloon.szInfo[0] = 0;
    if (is_added) Shell_NotifyIconW(NIM_MODIFY, &balloon);
    notice_key[0] = 0;
  }
  free(wide_key);
}

static void read_line(char *line) {
  char *words[MAX_WORDS];
  int count = split(line, words);
  if (strcmp(words[0], "icon") == 0 && count == 3) set_icon(atoi(words[1]), words[2]);
  else if (strcmp(words[0], "tip") == 0 && count == 2) set_tip(words[1]);
  else if (strcmp(words[0], "menu") == 0) begin_menu();
  else if (strcmp(words[0], "item") == 0 && count == 5) add_item(atoi(words[1]), (UINT_PTR)strtoul(words[2], NULL, 10), words[3], words[4]);
  else if (strcmp(words[0], "end") == 0) end_menu();
  else if (strcmp(words[0], "notify") == 0 && count == 4) notify(words[1], words[2], words[3]);
  else if (strcmp(words[0], "withdraw") == 0 && count == 2) withdraw(words[1]);
  else if (strcmp(words[0], "quit") == 0) PostMessageW(window, WM_CLOSE, 0, 0);
}

/** The lines of stdin, each to the thread of the window, which waits for it. */
static DWORD WINAPI read_lines(void *nothing) {
  static char line[MAX_LINE];
  (void)nothing;
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\r\n")] = 0;
    SendMessageW(window, LINE_MESSAGE, 0, (LPARAM)line);
  }
  PostMessageW(window, WM_CLOSE, 0, 0);
  return 0;
}

static void show_menu(void) {
  POINT at;
  UINT chosen;
  HMENU shown = menu;
  char line[32];
  if (shown == NULL) return;
  // A menu that comes meanwhile must not destroy the one that is shown.
  menu = NULL;
  GetCursorPos(&at);
  // Without this, a click elsewhere does not close the menu.
  SetForegroundWindow(window);
  chosen = (UINT)TrackPopupMenu(shown, TPM_RETURNCMD | TPM_NONOTIFY | TPM_RIGHTBUTTON, at.x, at.y, 0, window, NULL);
  PostMessageW(window, WM_NULL, 0, 0);
  if (menu == NULL) menu = shown;
  else DestroyMenu(shown);
  if (chosen == 0) return;
  snprintf(line, sizeof line, "choice\t%u", chosen);
  say(line);
}

static void notice_clicked(void) {
  char key[128], line[160];
  if (notice_key[0] == 0 || WideCharToMultiByte(CP_UTF8, 0, notice_key, -1, key, sizeof key, NULL, NULL) == 0) return;
  snprintf(line, sizeof line, "notice\t%s", key);
  say(line);
}

static LRESULT CALLBACK handle(HWND owner, UINT message, WPARAM first, LPARAM second) {
  if (message == taskbar_created && taskbar_created != 0) {
    // The taskbar was started again.
    is_added = FALSE;
    show_icon();
    return 0;
  }
  switch (message) {
    case LINE_MESSAGE:
      read_line((char *)second);
      return 0;
    case ICON_MESSAGE:
      if (LOWORD(second) == WM_LBUTTONUP || LOWORD(second) == WM_RBUTTONUP) show_menu();
      else if (LOWORD(second) == NIN_BALLOONUSERCLICK) notice_clicked();
      return 0;
    case WM_TIMER:
      KillTimer(owner, RETRY_TIMER);
      show_icon();
      return 0;
    case WM_CLOSE:
      DestroyWindow(owner);
      return 0;
    case WM_DESTROY:
      Shell_NotifyIconW(NIM_DELETE, &icon);
      PostQuitMessage(0);
      return 0;
    default:
      return DefWindowProcW(owner, message, first, second);
  }
}

int WINAPI wWinMain(HINSTANCE instance, HINSTANCE previous, wchar_t *line, int show) {
  WNDCLASSW type = {0};
  MSG message;
  (void)previous, (void)line, (void)show;
  CreateMutexW(NULL, TRUE, MUTEX_NAME);
  if (GetLastError() == ERROR_ALREADY_EXISTS) {
    say("busy");
    return 1;
  }
  type.lpfnWndProc = handle;
  type.hInstance = instance;
  type.lpszClassName = CLASS_NAME;
  RegisterClassW(&type);
  taskbar_created = RegisterWindowMessageW(L"TaskbarCreated");
  window = CreateWindowW(CLASS_NAME, L"Sallyport", 0, 0, 0, 0, 0, NULL, NULL, instance, NULL);
  if (window == NULL) return 1;
  icon.cbSize = sizeof icon;
  icon.hWnd = window;
  icon.uID = ICON_ID;
  icon.uFlags = NIF_ICON | NIF_MESSAGE | NIF_TIP;
  icon.uCallbackMessage = ICON_MESSAGE;
  if (CreateThread(NULL, 0, read_lines, NULL, 0, NULL) == NULL) return 1;
  say("ready");
  while (GetMessageW(&message, NULL, 0, 0) > 0) DispatchMessageW(&message);
  return 0;
}
