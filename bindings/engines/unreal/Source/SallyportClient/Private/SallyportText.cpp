#include "SallyportText.h"

static FString OfBytes(const char* Text, size_t Length)
{
    TArray<char> Copy;
    Copy.Append(Text, static_cast<int32>(Length));
    Copy.Add('\0');
    return FString(UTF8_TO_TCHAR(Copy.GetData()));
}

FString SallyportText::OfJson(sallyport_json Json)
{
    return Json.text == nullptr ? FString() : OfBytes(Json.text, Json.length);
}

FString SallyportText::OfValue(sallyport_json Value)
{
    if (sallyport_json_type_of(Value) != SALLYPORT_JSON_STRING) return OfJson(Value);
    /* Unescaping never makes a text longer; one byte more is for the zero at its end. */
    TArray<char> Text;
    Text.SetNumZeroed(static_cast<int32>(Value.length) + 1);
    size_t Length = 0;
    if (sallyport_json_string(Value, Text.GetData(), Value.length + 1, &Length) == 0) return FString();
    return OfBytes(Text.GetData(), Length);
}

FString SallyportText::Object(std::initializer_list<FField> Fields)
{
    int32 Size = 16;
    /* A character has at most three bytes of UTF-8, and at most six when it is escaped. */
    for (const FField& Field : Fields) Size += 64 + 6 * Field.Value.Len();
    TArray<char> Buffer;
    Buffer.SetNumZeroed(Size);
    sallyport_writer Writer;
    sallyport_writer_init(&Writer, Buffer.GetData(), static_cast<size_t>(Size));
    sallyport_write_object(&Writer);
    for (const FField& Field : Fields)
    {
        sallyport_write_key(&Writer, TCHAR_TO_UTF8(Field.Key));
        sallyport_write_string(&Writer, TCHAR_TO_UTF8(*Field.Value));
    }
    sallyport_write_end(&Writer);
    const char* Text = sallyport_writer_finish(&Writer);
    return Text == nullptr ? FString() : FString(UTF8_TO_TCHAR(Text));
}
