#include "SallyportText.h"

namespace
{
    FString OfBytes(const char* Text, size_t Length)
    {
        TArray<char> Copy;
        Copy.Append(Text, static_cast<int32>(Length));
        Copy.Add('\0');
        return FString(UTF8_TO_TCHAR(Copy.GetData()));
    }

    /** The item of a list whose number the text is. */
    sallyport_json ItemOf(sallyport_json List, const FString& Number)
    {
        sallyport_json Item = {nullptr, 0};
        int32 Left = 0;
        for (int32 At = 0; At < Number.Len(); At++)
        {
            const TCHAR Digit = Number[At];
            if (Digit < TEXT('0') || Digit > TEXT('9') || Left > 100000000) return Item;
            Left = Left * 10 + (Digit - TEXT('0'));
        }
        sallyport_json_iterator Iterator = sallyport_json_iterate(List);
        while (sallyport_json_next(&Iterator, nullptr, &Item) != 0)
            if (Left-- == 0) return Item;
        return {nullptr, 0};
    }

    /** Room for every number. */
    constexpr size_t NumberBytes = 64;
}

FString SallyportText::OfJson(sallyport_json Json)
{
    return Json.text == nullptr ? FString() : OfBytes(Json.text, Json.length);
}

FString SallyportText::OfValue(sallyport_json Value)
{
    const sallyport_json_type Type = sallyport_json_type_of(Value);
    if (Type == SALLYPORT_JSON_NULL) return FString();
    if (Type != SALLYPORT_JSON_STRING) return OfJson(Value);
    /* Unescaping never makes a text longer; one byte more is for the zero at its end. */
    TArray<char> Text;
    Text.SetNumZeroed(static_cast<int32>(Value.length) + 1);
    size_t Length = 0;
    if (sallyport_json_string(Value, Text.GetData(), Value.length + 1, &Length) == 0) return FString();
    return OfBytes(Text.GetData(), Length);
}

FString SallyportText::Quoted(const FString& Text)
{
    const FTCHARToUTF8 Utf8(*Text);
    /* An escaped byte has at most six characters; then quotes and a zero. */
    const int32 Size = 6 * Utf8.Length() + 3;
    TArray<char> Buffer;
    Buffer.SetNumZeroed(Size);
    sallyport_writer Writer;
    sallyport_writer_init(&Writer, Buffer.GetData(), static_cast<size_t>(Size));
    sallyport_write_string_n(&Writer, Utf8.Get(), static_cast<size_t>(Utf8.Length()));
    const char* Json = sallyport_writer_finish(&Writer);
    return FString(Json == nullptr ? TEXT("\"\"") : UTF8_TO_TCHAR(Json));
}

FString SallyportText::OfInteger(int64 Number)
{
    char Buffer[NumberBytes];
    sallyport_writer Writer;
    sallyport_writer_init(&Writer, Buffer, sizeof Buffer);
    sallyport_write_int64(&Writer, Number);
    return FString(UTF8_TO_TCHAR(sallyport_writer_finish(&Writer)));
}

FString SallyportText::OfNumber(double Number)
{
    char Buffer[NumberBytes];
    sallyport_writer Writer;
    sallyport_writer_init(&Writer, Buffer, sizeof Buffer);
    sallyport_write_double(&Writer, Number);
    const char* Json = sallyport_writer_finish(&Writer);
    return FString(Json == nullptr ? TEXT("null") : UTF8_TO_TCHAR(Json));
}

FSallyportParsed::FSallyportParsed(const FString& Json)
    : Utf8(*Json), Value{nullptr, 0}, bIsValid(sallyport_json_parse(Utf8.Get(), static_cast<size_t>(Utf8.Length()), &Value) != 0)
{
}

sallyport_json FSallyportParsed::At(const FString& Path) const
{
    sallyport_json Found = Value;
    int32 From = 0;
    while (From < Path.Len())
    {
        int32 To = From;
        while (To < Path.Len() && Path[To] != TEXT('.')) To++;
        const FString Key = Path.Mid(From, To - From);
        Found = sallyport_json_type_of(Found) == SALLYPORT_JSON_ARRAY ? ItemOf(Found, Key) : sallyport_json_get(Found, TCHAR_TO_UTF8(*Key));
        From = To + 1;
    }
    return Found;
}

void FSallyportObject::Add(const FString& Key, const FString& Json)
{
    if (!Fields.IsEmpty()) Fields += TEXT(",");
    Fields += SallyportText::Quoted(Key) + TEXT(":") + Json;
}

FString FSallyportObject::ToJson() const
{
    return FString(TEXT("{")) + Fields + TEXT("}");
}
