#pragma once

#include "CoreMinimal.h"
#include "sallyport/sallyport.h"

/** Texts of the engine and of the C client, which has UTF-8. */
namespace SallyportText
{
    /** A JSON value as text. */
    FString OfJson(sallyport_json Json);

    /** The unescaped text of a string, the digits of a number; empty for a missing value. */
    FString OfValue(sallyport_json Value);

    struct FField
    {
        const TCHAR* Key;
        FString Value;
    };

    /** A JSON object of texts. */
    FString Object(std::initializer_list<FField> Fields);
}
