/** Latent nodes. */
#pragma once

#include "CoreMinimal.h"

class UBlueprintAsyncActionBase : public UObject
{
public:
    virtual void Activate() {}
    void RegisterWithGameInstance(const UObject*) {}
    virtual void SetReadyToDestroy() { bIsOver = true; }

    /** For the test: the engine may collect it. */
    bool bIsOver = false;
};
