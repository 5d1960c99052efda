/* A server whose socket outlives the process that began to listen: `heir SOCKET`. Prints "PID" of the process that goes on with it, once the
 * first one has ended, and "received" for each connection that sends something. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int argc, char **argv) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  pid_t first = getpid();
  if (argc < 2) return 2;
  strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
  if (bind(server, (struct sockaddr *)&address, sizeof address) != 0 || listen(server, 8) != 0) {
    perror(argv[1]);
    return 1;
  }
  if (fork() > 0) return 0;
  while (getppid() == first) usleep(1000);
  printf("%ld\n", (long)getpid());
  fflush(stdout);
  for (;;) {
    char byte;
    int one = accept(server, NULL, NULL);
    if (one < 0) return 1;
    if (read(one, &byte, 1) > 0) puts("received");
    fflush(stdout);
    close(one);
  }
}
