#pragma once

#include "SallyportError.h"
#include "SallyportText.h"

/** Calls that wait. The client calls back exactly once for each call that it takes. */
namespace SallyportPending
{
    /** An error of the plugin: there is no client. */
    FSallyportError WithoutClient(const FString& Reason);

    /**
     * Calls `Start` with the callback and its context. Ends the call at once if the client does not take it, or without a client: then
     * with the reason.
     */
    void Run(sallyport_client* Client, const FString& Reason, FSallyportDone Done,
             TFunctionRef<int(sallyport_result_fn OnResult, void* Context)> Start);

    /** The end of a call whose response the game does not wait for. A lost connection is no refusal: the client repeats the presence. */
    void LogRefusal(const FSallyportError* Error, const FString& Json);
}
