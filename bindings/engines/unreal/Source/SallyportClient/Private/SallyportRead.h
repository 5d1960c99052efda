#pragma once

#include "SallyportText.h"

/** Reads fields of records. A missing value, or one of another type, leaves what is there. */
namespace SallyportRead
{
    inline void Text(sallyport_json Value, FString& To)
    {
        if (sallyport_json_type_of(Value) == SALLYPORT_JSON_STRING) To = SallyportText::OfValue(Value);
    }

    inline void Id(sallyport_json Value, FString& To)
    {
        uint64_t Number = 0;
        if (sallyport_json_snowflake(Value, &Number) != 0) To = SallyportText::OfValue(Value);
    }

    inline void Json(sallyport_json Value, FString& To)
    {
        if (sallyport_json_type_of(Value) != SALLYPORT_JSON_NULL) To = SallyportText::OfJson(Value);
    }

    inline void Integer(sallyport_json Value, int64& To)
    {
        int64_t Number = 0;
        if (sallyport_json_int64(Value, &Number) != 0) To = Number;
    }

    inline void Number(sallyport_json Value, double& To)
    {
        double Found = 0;
        if (sallyport_json_double(Value, &Found) != 0) To = Found;
    }

    inline void Flag(sallyport_json Value, bool& To)
    {
        int Found = 0;
        if (sallyport_json_bool(Value, &Found) != 0) To = Found != 0;
    }

    template <class T, class Reader> void List(sallyport_json Value, TArray<T>& To, Reader Read)
    {
        if (sallyport_json_type_of(Value) != SALLYPORT_JSON_ARRAY) return;
        sallyport_json_iterator Iterator = sallyport_json_iterate(Value);
        sallyport_json Item;
        while (sallyport_json_next(&Iterator, nullptr, &Item) != 0)
        {
            T One{};
            Read(Item, One);
            To.Add(MoveTemp(One));
        }
    }

    template <class T, class Reader> void Map(sallyport_json Value, TMap<FString, T>& To, Reader Read)
    {
        if (sallyport_json_type_of(Value) != SALLYPORT_JSON_OBJECT) return;
        sallyport_json_iterator Iterator = sallyport_json_iterate(Value);
        sallyport_json Key;
        sallyport_json Item;
        while (sallyport_json_next(&Iterator, &Key, &Item) != 0)
        {
            T One{};
            Read(Item, One);
            To.Add(SallyportText::OfValue(Key), MoveTemp(One));
        }
    }
}
