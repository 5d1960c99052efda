/** The least that a program needs to be linked. */
#include <stdio.h>

#include <sallyport/sallyport.h>

int main(void) {
  puts(sallyport_error_name(SALLYPORT_ERROR_UNKNOWN_ERROR));
  return sallyport_create(NULL) != NULL;
}
