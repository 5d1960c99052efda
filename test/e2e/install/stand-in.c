/**
 * Stands in for sallyport.exe in the test of the setup, because an older Wine does not run the real one: writes its arguments to the file that
 * STAND_IN names, waits for Ctrl-C when it is started with "run" or "tray", and writes that it
 * got it. With "run" it starts the command line that STAND_IN_STARTS names, as the bridge starts a game.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static HANDLE stopped;

static BOOL WINAPI on_control(DWORD type) {
  if (type != CTRL_C_EVENT) return FALSE;
  SetEvent(stopped);
  return TRUE;
}

static void say(const char *text) {
  FILE *file = fopen(getenv("STAND_IN"), "a");
  if (file == NULL) exit(2);
  fputs(text, file);
  fclose(file);
}

static void start_game(void) {
  STARTUPINFOA startup = {sizeof startup};
  PROCESS_INFORMATION game;
  char *line = getenv("STAND_IN_STARTS");
  if (line != NULL && !CreateProcessA(NULL, line, NULL, NULL, FALSE, CREATE_NO_WINDOW, NULL, NULL, &startup, &game)) exit(3);
}

int main(int count, char **words) {
  int at;
  char line[4096] = "";
  for (at = 1; at < count && strlen(line) + strlen(words[at]) + 3 < sizeof line; at++) {
    strcat(line, words[at]);
    strcat(line, at + 1 < count ? " " : "\n");
  }
  fprintf(stderr, "log of %s", line);
  fflush(stderr);
  if (count < 2 || (strcmp(words[1], "run") != 0 && strcmp(words[1], "tray") != 0)) {
    say(line);
    return 7;
  }
  stopped = CreateEventW(NULL, TRUE, FALSE, NULL);
  SetConsoleCtrlHandler(on_control, TRUE);
  if (strcmp(words[1], "run") == 0) start_game();
  say(line);
  WaitForSingleObject(stopped, INFINITE);
  say(strcmp(words[1], "run") == 0 ? "run stopped by Ctrl-C\n" : "tray stopped by Ctrl-C\n");
  return 0;
}
