/** Subsystems of a game instance. */
#pragma once

#include "CoreMinimal.h"

class FSubsystemCollectionBase
{
};

class USubsystem : public UObject
{
public:
    virtual void Initialize(FSubsystemCollectionBase&) {}
    virtual void Deinitialize() {}
};

class UGameInstanceSubsystem : public USubsystem
{
};
