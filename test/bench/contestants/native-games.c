/*
 * Games in C that start at the same moment: as many connections as asked, each with a handshake, until each has a whole READY.
 *
 * SOCKET, COUNT and HANDSHAKE are variables of its environment: most games are started without arguments.
 *
 * Prints how many got none, and stays until its standard input ends. It reads no JSON, so that its own cost stays small.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { HEADER_BYTES = 8, READ_BYTES = 65536, PATIENCE_MS = 10000 };

struct game {
    size_t got;
    size_t needed;
};

static int opened(const struct sockaddr_un *address, const char *hello, size_t bytes) {
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    if (connect(fd, (const struct sockaddr *)address, sizeof *address) != 0 || write(fd, hello, bytes) != (ssize_t)bytes ||
        fcntl(fd, F_SETFL, O_NONBLOCK) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Whether the game is done: 1 with its READY, -1 without, 0 not yet. */
static int take(int fd, struct game *game) {
    static char bytes[READ_BYTES];
    const ssize_t count = read(fd, bytes, sizeof bytes);
    if (count < 0 && errno == EAGAIN) return 0;
    if (count <= 0) return -1;
    if (game->got == 0 && count >= HEADER_BYTES) {
        uint32_t payload;
        memcpy(&payload, bytes + 4, sizeof payload);
        game->needed = HEADER_BYTES + payload;
    }
    game->got += (size_t)count;
    return game->needed > 0 && game->got >= game->needed;
}

int main(void) {
    const char *path = getenv("SOCKET");
    const char *text = getenv("COUNT");
    const char *handshake = getenv("HANDSHAKE");
    if (path == NULL || text == NULL || handshake == NULL) return 2;
    const size_t count = strtoul(text, NULL, 10);
    struct pollfd *polled = calloc(count, sizeof *polled);
    struct game *games = calloc(count, sizeof *games);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char hello[512];
    const uint32_t header[2] = {0, (uint32_t)strlen(handshake)};
    if (polled == NULL || games == NULL || strlen(path) >= sizeof address.sun_path || header[1] > sizeof hello - HEADER_BYTES) return 2;
    strcpy(address.sun_path, path);
    memcpy(hello, header, HEADER_BYTES);
    memcpy(hello + HEADER_BYTES, handshake, header[1]);

    size_t lost = 0;
    size_t waiting = 0;
    for (size_t at = 0; at < count; at++) {
        polled[at] = (struct pollfd){.fd = opened(&address, hello, HEADER_BYTES + header[1]), .events = POLLIN};
        if (polled[at].fd < 0) lost++;
        else waiting++;
    }
    while (waiting > 0) {
        if (poll(polled, count, PATIENCE_MS) <= 0) break;
        for (size_t at = 0; at < count; at++) {
            if (polled[at].fd < 0 || polled[at].revents == 0) continue;
            const int is_done = take(polled[at].fd, &games[at]);
            if (is_done == 0) continue;
            if (is_done < 0) lost++;
            waiting--;
            /* It stays connected, and is asked no more. */
            polled[at].fd = -1;
        }
    }
    printf("%zu\n", lost + waiting);
    fflush(stdout);
    /* They leave when the asker has read the figures of the server. */
    getchar();
    return 0;
}
