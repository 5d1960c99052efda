/** The running application. */
#pragma once

#include "CoreMinimal.h"

struct FApp
{
    static const TCHAR* GetProjectName() { return TEXT("Dockside"); }
};
