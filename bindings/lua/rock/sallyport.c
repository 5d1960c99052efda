/** The C client in one file, for a build tool that compiles a list of files. */
#define SALLYPORT_IMPLEMENTATION
#include "sallyport.h"
