/** The first frame on Sallyport's socket for Wine: which Windows program is at the other end of the pipe. */
#ifndef SALLYPORT_INTRODUCTION_H
#define SALLYPORT_INTRODUCTION_H

#include <windows.h>

#include <stddef.h>

enum { INTRODUCTION_SIZE = 4096 };

/** Writes the frame for the client of a pipe and returns its length. A program that cannot be named has empty paths. */
size_t write_introduction(HANDLE pipe, char frame[INTRODUCTION_SIZE]);

#endif
