#include "SallyportPending.h"

#include "SallyportLog.h"

namespace
{
    struct FPending
    {
        FSallyportDone Done;
    };

    bool IsNotAvailable(int Code)
    {
        return Code == SALLYPORT_E_NOT_READY || Code == SALLYPORT_E_NO_SERVER || Code == SALLYPORT_E_FOREIGN_SERVER ||
               Code == SALLYPORT_E_CONNECTION_LOST || Code == SALLYPORT_E_SERVER_CLOSED || Code == SALLYPORT_E_CLOSED;
    }

    FSallyportError ErrorOf(const sallyport_error& Error)
    {
        FSallyportError Result;
        Result.Code = Error.code;
        Result.Name = UTF8_TO_TCHAR(Error.name);
        Result.Message = UTF8_TO_TCHAR(Error.message);
        Result.bIsRetryable = Error.is_retryable != 0;
        Result.bIsNotAvailable = IsNotAvailable(Error.code);
        Result.RetryAfterSeconds = static_cast<double>(Error.retry_after_ms) / 1000.0;
        return Result;
    }

    void OnResult(sallyport_client*, const sallyport_error* Error, sallyport_json Data, void* Context)
    {
        const TUniquePtr<FPending> Pending(static_cast<FPending*>(Context));
        const FString Json = SallyportText::OfJson(Data);
        if (Error == nullptr)
        {
            Pending->Done(nullptr, Json);
            return;
        }
        const FSallyportError Failure = ErrorOf(*Error);
        Pending->Done(&Failure, Json);
    }
}

FSallyportError SallyportPending::WithoutClient(const FString& Reason)
{
    FSallyportError Failure;
    Failure.Code = SALLYPORT_E_NOT_READY;
    Failure.Name = TEXT("E_NOT_READY");
    Failure.Message = Reason;
    Failure.bIsNotAvailable = true;
    return Failure;
}

void SallyportPending::Run(sallyport_client* Client, const FString& Reason, FSallyportDone Done,
                           TFunctionRef<int(sallyport_result_fn OnResult, void* Context)> Start)
{
    if (Client == nullptr)
    {
        const FSallyportError Failure = WithoutClient(Reason);
        Done(&Failure, FString());
        return;
    }
    TUniquePtr<FPending> Pending(new FPending{MoveTemp(Done)});
    if (Start(&OnResult, Pending.Get()) >= SALLYPORT_OK)
    {
        /* OnResult deletes it. */
        (void)Pending.Release();
        return;
    }
    const FSallyportError Failure = ErrorOf(*sallyport_last_error(Client));
    Pending->Done(&Failure, FString());
}

void SallyportPending::LogRefusal(const FSallyportError* Error, const FString&)
{
    if (Error != nullptr && !Error->bIsNotAvailable && Error->Code != SALLYPORT_E_REPLACED)
        UE_LOG(LogSallyport, Warning, TEXT("%s"), *Error->Message);
}
