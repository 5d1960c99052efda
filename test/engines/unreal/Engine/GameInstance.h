/** The running game, which owns its subsystems. */
#pragma once

#include "Subsystems/GameInstanceSubsystem.h"

class UGameInstance : public UObject
{
public:
    static bool Is(const UObject* Object) { return Object != nullptr && Object->IsGame(); }
    bool IsGame() const override { return true; }
    /** In the editor a process can have a server and players. */
    bool IsDedicatedServerInstance() const { return bIsServer; }
    template <class T> T* GetSubsystem() const { return static_cast<T*>(Subsystem); }

    /** The one subsystem of the test. */
    UGameInstanceSubsystem* Subsystem = nullptr;
    bool bIsServer = false;
};
