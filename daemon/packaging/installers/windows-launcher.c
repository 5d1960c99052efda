/**
 * sallyportw.exe: runs sallyport.exe, which lies beside it, without a console window. With "run" it stays, writes the log of the bridge to
 * %LOCALAPPDATA%\Sallyport\sallyport.log, and ends the bridge gracefully when another sallyportw.exe is started with "--stop"; with "tray" it
 * ends the tray in the same way. Windows has no signal that a program without a console window could be sent in another way.
 * "--add-path" puts its folder into PATH of the user, and "--remove-path" takes it out.
 */
#define UNICODE
#define _UNICODE
#include <wchar.h>
#include <windows.h>

#include "windows-path.h"

#define PATH_CHARACTERS 32768
#define STOP_MS 15000
#define SAID_MS 20000
#define FAILED 1

/** The commands of which one process runs until it is stopped: the bridge, and the tray. */
struct kind {
  const wchar_t *word;
  const wchar_t *stop_event;
  const wchar_t *running_mutex;
};
static const struct kind KINDS[] = {
    {L"run", L"Local\\sallyport-stop", L"Local\\sallyport-running"},
    {L"tray", L"Local\\sallyport-tray-stop", L"Local\\sallyport-tray-running"},
};
#define KIND_COUNT (sizeof KINDS / sizeof KINDS[0])

static wchar_t program[PATH_CHARACTERS];
static wchar_t command[PATH_CHARACTERS];
static wchar_t log_file[PATH_CHARACTERS];

/** The command line after the name of this program. */
static const wchar_t *arguments(void) {
  const wchar_t *at = GetCommandLineW();
  if (*at == L'"') {
    for (at++; *at != 0 && *at != L'"'; at++) {
    }
    if (*at != 0) at++;
  } else {
    while (*at != 0 && *at != L' ' && *at != L'\t') at++;
  }
  while (*at == L' ' || *at == L'\t') at++;
  return at;
}

/** Whether the first argument is the word, in quotes or without. */
static int begins_with(const wchar_t *all, const wchar_t *word) {
  size_t length = wcslen(word);
  if (*all == L'"') {
    return wcsncmp(all + 1, word, length) == 0 && all[length + 1] == L'"';
  }
  return wcsncmp(all, word, length) == 0 && (all[length] == 0 || all[length] == L' ');
}

/** Asks the other launcher to end its program, and waits until it has. One that has no mutex yet starts nothing. */
static int stop_other(const struct kind *kind) {
  HANDLE stop = OpenEventW(EVENT_MODIFY_STATE, FALSE, kind->stop_event), running;
  DWORD result;
  if (stop == NULL) return 0;
  SetEvent(stop);
  running = OpenMutexW(SYNCHRONIZE, FALSE, kind->running_mutex);
  if (running == NULL) return 0;
  result = WaitForSingleObject(running, SAID_MS);
  return result == WAIT_OBJECT_0 || result == WAIT_ABANDONED ? 0 : FAILED;
}

/** A file that the bridge inherits as one of its streams. */
static HANDLE inherited(const wchar_t *path, DWORD access, DWORD disposition) {
  SECURITY_ATTRIBUTES attributes = {sizeof attributes, NULL, TRUE};
  return CreateFileW(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE, &attributes, disposition, FILE_ATTRIBUTE_NORMAL, NULL);
}

static HANDLE open_log(void) {
  DWORD length = GetEnvironmentVariableW(L"LOCALAPPDATA", log_file, PATH_CHARACTERS - 64);
  if (length == 0 || length >= PATH_CHARACTERS - 64) return INVALID_HANDLE_VALUE;
  wcscat(log_file, L"\\Sallyport");
  CreateDirectoryW(log_file, NULL);
  wcscat(log_file, L"\\sallyport.log");
  return inherited(log_file, GENERIC_WRITE, CREATE_ALWAYS);
}

/**
 * Lets the program end with this process, in whichever way this one ends: the system then closes the only handle of the job. Games and browsers
 * that the program starts are not in the job, and go on.
 */
static void end_with_us(HANDLE child) {
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
  HANDLE job = CreateJobObjectW(NULL, NULL);
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK;
  if (job == NULL || !SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits)) return;
  AssignProcessToJobObject(job, child);
}

/** Cuts the name of this program from its path, which has its folder then. 0 if it is too long. */
static int find_folder(wchar_t *path) {
  DWORD length = GetModuleFileNameW(NULL, path, PATH_CHARACTERS - 16);
  wchar_t *name = wcsrchr(path, L'\\');
  if (length == 0 || length >= PATH_CHARACTERS - 16 || name == NULL) return 0;
  *name = 0;
  return 1;
}

static int start(const wchar_t *words, int is_bridge, PROCESS_INFORMATION *child) {
  STARTUPINFOW startup = {0};
  HANDLE nothing = inherited(L"NUL", GENERIC_READ | GENERIC_WRITE, OPEN_EXISTING);
  HANDLE log = is_bridge ? open_log() : INVALID_HANDLE_VALUE;
  if (!find_folder(program)) return 0;
  wcscat(program, L"\\sallyport.exe");
  if (wcslen(program) + wcslen(words) + 4 > PATH_CHARACTERS) return 0;
  wcscpy(command, L"\"");
  wcscat(command, program);
  wcscat(command, L"\" ");
  wcscat(command, words);
  startup.cb = sizeof startup;
  startup.dwFlags = STARTF_USESTDHANDLES;
  startup.hStdInput = nothing;
  startup.hStdOutput = nothing;
  startup.hStdError = log == INVALID_HANDLE_VALUE ? nothing : log;
  if (!CreateProcessW(program, command, NULL, NULL, TRUE, CREATE_NO_WINDOW | CREATE_SUSPENDED, NULL, NULL, &startup, child)) return 0;
  end_with_us(child->hProcess);
  ResumeThread(child->hThread);
  return 1;
}

/** Sends Ctrl-C to the program through its console, as a terminal would; ends it if that does not help. */
static void end_child(const PROCESS_INFORMATION *child) {
  if (AttachConsole(child->dwProcessId)) {
    SetConsoleCtrlHandler(NULL, TRUE);
    GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0);
  }
  if (WaitForSingleObject(child->hProcess, STOP_MS) != WAIT_OBJECT_0) TerminateProcess(child->hProcess, FAILED);
}

int WINAPI wWinMain(HINSTANCE instance, HINSTANCE previous, wchar_t *line, int show) {
  const wchar_t *words = arguments();
  const struct kind *kind = NULL;
  size_t at;
  PROCESS_INFORMATION child = {0};
  HANDLE wanted[2] = {NULL, NULL};
  DWORD code = FAILED;
  (void)instance, (void)previous, (void)line, (void)show;
  if (begins_with(words, L"--stop")) {
    int failed = 0;
    for (at = 0; at < KIND_COUNT; at++) failed |= stop_other(&KINDS[at]);
    return failed;
  }
  if (begins_with(words, L"--add-path")) return find_folder(program) ? change_user_path(program, 1) : FAILED;
  if (begins_with(words, L"--remove-path")) return find_folder(program) ? change_user_path(program, 0) : FAILED;
  for (at = 0; at < KIND_COUNT; at++)
    if (begins_with(words, KINDS[at].word)) kind = &KINDS[at];
  if (kind != NULL) {
    HANDLE running;
    wanted[1] = CreateEventW(NULL, TRUE, FALSE, kind->stop_event);
    running = CreateMutexW(NULL, TRUE, kind->running_mutex);
    if (running == NULL || GetLastError() == ERROR_ALREADY_EXISTS) return 0;
    if (wanted[1] != NULL && WaitForSingleObject(wanted[1], 0) == WAIT_OBJECT_0) return 0;
  }
  if (!start(words, kind == &KINDS[0], &child)) return FAILED;
  wanted[0] = child.hProcess;
  if (WaitForMultipleObjects(wanted[1] == NULL ? 1 : 2, wanted, FALSE, INFINITE) == WAIT_OBJECT_0 + 1) end_child(&child);
  GetExitCodeProcess(child.hProcess, &code);
  return (int)code;
}
