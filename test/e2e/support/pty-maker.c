/* Runs a program in a terminal that it makes, and prints what that one prints: pty-maker [--leave] PROGRAM [ARGUMENTS].
   --leave: the parent of the program ends before the program begins. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **words) {
  int leaves = count > 1 && strcmp(words[1], "--leave") == 0;
  char **line = words + 1 + leaves;
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (count < 2 + leaves || master < 0 || grantpt(master) || unlockpt(master)) return 2;
  pid_t maker = leaves ? fork() : 0;
  if (maker == 0) {
    pid_t parent = getpid();
    pid_t first = fork();
    if (first == 0) {
      setsid();
      int terminal = open(ptsname(master), O_RDWR);
      if (ioctl(terminal, TIOCSCTTY, 0)) _exit(2);
      while (leaves && getppid() == parent) usleep(1000);
      for (int at = 0; at < 3; at++) dup2(terminal, at);
      execv(line[0], line);
      _exit(127);
    }
    if (leaves) _exit(0);
  }
  char text[4096];
  for (ssize_t bytes; (bytes = read(master, text, sizeof text)) > 0;)
    if (write(1, text, bytes) != bytes) return 2;
  while (wait(0) > 0) continue;
  return 0;
}
