/** Subsystems of a game instance. */
#pragma once

#include "CoreMinimal.h"

class FSubsystemCollectionBase
{
};

class USubsystem : public UObject
{
public:
    virtual bool ShouldCreateSubsystem(UObject*) const { return true; }
    virtual void Initialize(FSubsystemCollectionBase&) {}
    virtual void Deinitialize() {}
};

class UGameInstanceSubsystem : public USubsystem
{
};
