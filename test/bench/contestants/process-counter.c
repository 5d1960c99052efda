/*
 * Runs a program, and adds one byte to a file for each process that it and its processes start. The kernel stops whoever starts one
 * until it is counted, so none is too short to be seen. Threads do not count.
 *
 * process-counter FILE PROGRAM [ARGUMENT...]
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t program;

static void pass_on(int signal_number) { kill(program, signal_number); }

/* Starts the program, which waits in `gate` until it is watched. */
static pid_t started(char **command, int gate[2]) {
    const pid_t child = fork();
    if (child != 0) return child;
    char byte;
    close(gate[1]);
    if (read(gate[0], &byte, 1) != 1) _exit(127);
    close(gate[0]);
    execv(command[0], command);
    _exit(127);
}

/* Lets a stopped thread go on, and counts when it has just started a process. */
static void go_on(pid_t thread, int status, int file) {
    const int event = status >> 16;
    const int signal_number = WSTOPSIG(status);
    if ((event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK) && write(file, "1", 1) != 1) _exit(2);
    /* Only a signal that was sent to the program goes on to it. */
    ptrace(PTRACE_CONT, thread, 0, (void *)(intptr_t)(event == 0 ? signal_number : 0));
}

int main(int argc, char **argv) {
    int gate[2];
    if (argc < 3 || pipe2(gate, O_CLOEXEC) != 0) return 2;
    const int file = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return 2;
    program = started(argv + 2, gate);
    const long watched = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;
    if (program < 0 || ptrace(PTRACE_SEIZE, program, 0, (void *)watched) != 0) return 2;
    signal(SIGTERM, pass_on);
    if (write(gate[1], "1", 1) != 1) return 2;
    close(gate[0]);
    close(gate[1]);
    for (;;) {
        int status;
        const pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0 && errno == EINTR) continue;
        if (thread < 0) return 2;
        if (WIFSTOPPED(status)) go_on(thread, status, file);
        else if (thread == program) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
}
