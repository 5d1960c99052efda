/* A program without a terminal that starts another one and waits for it: starter PROGRAM [ARGUMENTS]. Ends as that one ended. */
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **words) {
  int status = 0;
  if (count < 2) return 2;
  pid_t other = fork();
  if (other == 0) {
    /* Leaves the terminal: a session of its own has none. */
    setsid();
    pid_t child = fork();
    if (child == 0) {
      execv(words[1], words + 1);
      _exit(127);
    }
    waitpid(child, &status, 0);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 126);
  }
  waitpid(other, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}
