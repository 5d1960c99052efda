/** Asks the C library for POSIX beside C99; included before every other header where it is needed. */
#ifndef SALLY_POSIX_H
#define SALLY_POSIX_H
#if !defined(_WIN32) && !defined(_GNU_SOURCE) && !defined(_DARWIN_C_SOURCE)
#define _GNU_SOURCE 1
#define _DARWIN_C_SOURCE 1
#endif
#endif
