/**
 * The client SDK for games in C++17, over a Sallyport bridge on this machine. Header only; link the C library.
 * Code written for the platform's own SDK needs this include and `namespace discordpp = sdk;`.
 */
#ifndef SALLYPORT_SDK_HPP
#define SALLYPORT_SDK_HPP

#include "sallyport/sdk/client.hpp"

#include "sallyport/sdk/client_authorization.hpp"
#include "sallyport/sdk/client_connection.hpp"
#include "sallyport/sdk/client_messages.hpp"
#include "sallyport/sdk/client_presence.hpp"
#include "sallyport/sdk/client_users.hpp"

#endif
