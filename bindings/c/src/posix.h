/** Asks the C library for POSIX beside C99; included before every other header where it is needed. */
#ifndef SALLY_POSIX_H
#define SALLY_POSIX_H
#if !defined(_WIN32) && !defined(SALLYPORT_NO_SYSTEM) && !defined(_GNU_SOURCE) && !defined(_DARWIN_C_SOURCE)
#define _GNU_SOURCE 1
#define _DARWIN_C_SOURCE 1
/* The library as one header may follow headers of the system. glibc then chooses again, for the headers that come. */
#if defined(_FEATURES_H) && defined(__GLIBC__)
#undef _FEATURES_H
#include <features.h>
/* What the headers before had left out. */
#include <bits/types/struct_timespec.h>
#ifndef CLOCK_MONOTONIC
#define CLOCK_MONOTONIC 1
#endif
extern int clock_gettime(int clock, struct timespec *now);
#if !defined(__alpha__) && !defined(__hppa__) && !defined(__mips__) && !defined(__powerpc__) && !defined(__sparc__)
#ifndef O_CLOEXEC
#define O_CLOEXEC 02000000
#endif
#ifndef SO_PEERCRED
#define SO_PEERCRED 17
#endif
#endif
#endif
#endif
#endif
