#pragma once

#include "CoreMinimal.h"

#include "SallyportError.generated.h"

/** Why a call failed. */
USTRUCT(BlueprintType)
struct SALLYPORTCLIENT_API FSallyportError
{
    GENERATED_BODY()

    /** 0: no error. Positive: a code of the bridge. Negative: a code of this client, e.g. -8 without a connection. */
    UPROPERTY(BlueprintReadOnly, Category = "Sallyport")
    int32 Code = 0;

    /** E.g. INVALID_PERMISSIONS or E_NOT_READY. */
    UPROPERTY(BlueprintReadOnly, Category = "Sallyport")
    FString Name;

    UPROPERTY(BlueprintReadOnly, Category = "Sallyport")
    FString Message;

    /**
     * Whether to make the same call again: it may succeed later, and it happens once. False for a write whose outcome is unknown, after a
     * lost connection too: read the state, then decide.
     */
    UPROPERTY(BlueprintReadOnly, Category = "Sallyport")
    bool bIsRetryable = false;

    /** There is no bridge, or no connection to it: the game goes on without it. */
    UPROPERTY(BlueprintReadOnly, Category = "Sallyport")
    bool bIsNotAvailable = false;

    /** Seconds to wait, if the bridge named a time; otherwise 0. */
    UPROPERTY(BlueprintReadOnly, Category = "Sallyport")
    double RetryAfterSeconds = 0.0;
};

/** The end of a call: the error is null on success; Json is the response, or the data of the error. */
using FSallyportDone = TFunction<void(const FSallyportError* Error, const FString& Json)>;
