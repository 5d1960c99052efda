/** The running game, which owns its subsystems. */
#pragma once

#include "Subsystems/GameInstanceSubsystem.h"

class UGameInstance : public UObject
{
public:
    template <class T> T* GetSubsystem() const { return static_cast<T*>(Subsystem); }

    /** The one subsystem of the test. */
    UGameInstanceSubsystem* Subsystem = nullptr;
};
