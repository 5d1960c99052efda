#pragma once

#include "SallyportText.h"

/** Writes fields of records as JSON. Empty: the field is left out. */
namespace SallyportWrite
{
    inline FString Text(const FString& From)
    {
        return From.IsEmpty() ? FString() : SallyportText::Quoted(From);
    }

    inline FString Integer(int64 From)
    {
        return From == 0 ? FString() : SallyportText::OfInteger(From);
    }

    inline FString Number(double From)
    {
        return From == 0 ? FString() : SallyportText::OfNumber(From);
    }

    inline FString Flag(bool bFrom)
    {
        return bFrom ? FString(TEXT("true")) : FString();
    }

    /** The items of a list stay, also 0 and empty ones. */
    inline FString NumberItem(double From)
    {
        return SallyportText::OfNumber(From);
    }

    template <class T, class Writer> FString List(const TArray<T>& From, Writer Write)
    {
        FString Json;
        for (const T& One : From)
        {
            if (!Json.IsEmpty()) Json += TEXT(",");
            Json += Write(One);
        }
        return Json.IsEmpty() ? FString() : FString(TEXT("[")) + Json + TEXT("]");
    }

    inline void Add(FSallyportObject& Object, const TCHAR* Key, const FString& Json)
    {
        if (!Json.IsEmpty()) Object.Add(Key, Json);
    }
}
