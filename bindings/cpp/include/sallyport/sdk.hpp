/**
 * The client SDK for games in C++17, over a Sallyport bridge on this machine. Link the library `sallyport_cpp`, or compile `src`.
 * Code written for the platform's own SDK needs this include and `namespace discordpp = sdk;`.
 */
#ifndef SALLYPORT_SDK_HPP
#define SALLYPORT_SDK_HPP

#include "sallyport/sdk/client.hpp"

/* A game that has a namespace of this name defines this, and writes `sallyport::sdk`. */
#if !defined(SALLYPORT_NO_SDK_ALIAS)
namespace sdk = sallyport::sdk;
#endif

#endif
