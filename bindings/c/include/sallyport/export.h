/** Visibility of the functions: exported by the shared library, plain in the static one. */
#ifndef SALLYPORT_EXPORT_H
#define SALLYPORT_EXPORT_H

#if defined(SALLYPORT_SHARED) && defined(_WIN32)
#if defined(SALLYPORT_BUILDING)
#define SALLYPORT_API __declspec(dllexport)
#else
#define SALLYPORT_API __declspec(dllimport)
#endif
#elif defined(SALLYPORT_SHARED) && defined(__GNUC__)
#define SALLYPORT_API __attribute__((visibility("default")))
#else
#define SALLYPORT_API
#endif

#endif
