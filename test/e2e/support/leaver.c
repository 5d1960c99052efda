/* Starts a program without a terminal, and ends before that one begins: leaver PROGRAM [ARGUMENTS]. Its output stays open until the end. */
#include <sys/types.h>
#include <unistd.h>

int main(int count, char **words) {
  pid_t parent = getpid();
  if (count < 2) return 2;
  if (fork() != 0) return 0;
  setsid();
  while (getppid() == parent) usleep(1000);
  execv(words[1], words + 1);
  return 127;
}
