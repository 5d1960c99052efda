#include "SallyportJson.h"

#include "SallyportLog.h"
#include "SallyportText.h"

namespace
{
    FString Checked(const FString& Json)
    {
        if (FSallyportParsed(Json).IsValid()) return Json;
        UE_LOG(LogSallyport, Warning, TEXT("A value is no JSON, so it became null. Make texts with Make Text."));
        return TEXT("null");
    }

    TArray<FString> ItemsOf(const FString& Json, const FString& Path, FString (*Read)(sallyport_json Item))
    {
        TArray<FString> Items;
        const FSallyportParsed Parsed(Json);
        const sallyport_json List = Parsed.At(Path);
        if (sallyport_json_type_of(List) != SALLYPORT_JSON_ARRAY) return Items;
        sallyport_json_iterator Iterator = sallyport_json_iterate(List);
        sallyport_json Item;
        while (sallyport_json_next(&Iterator, nullptr, &Item) != 0) Items.Add(Read(Item));
        return Items;
    }

    FString ListOf(const TArray<FString>& Items, FString (*Make)(const FString& Item))
    {
        FString Json;
        for (const FString& Item : Items)
        {
            if (!Json.IsEmpty()) Json += TEXT(",");
            Json += Make(Item);
        }
        return FString(TEXT("[")) + Json + TEXT("]");
    }

    FString ObjectOf(const TMap<FString, FString>& Fields, FString (*Make)(const FString& Value))
    {
        FSallyportObject Object;
        for (const TPair<FString, FString>& Field : Fields) Object.Add(Field.Key, Make(Field.Value));
        return Object.ToJson();
    }
}

FString USallyportJson::GetText(const FString& Json, const FString& Path)
{
    return SallyportText::OfValue(FSallyportParsed(Json).At(Path));
}

int64 USallyportJson::GetInteger(const FString& Json, const FString& Path)
{
    int64_t Number = 0;
    (void)sallyport_json_int64(FSallyportParsed(Json).At(Path), &Number);
    return Number;
}

double USallyportJson::GetNumber(const FString& Json, const FString& Path)
{
    double Number = 0;
    (void)sallyport_json_double(FSallyportParsed(Json).At(Path), &Number);
    return Number;
}

bool USallyportJson::GetFlag(const FString& Json, const FString& Path)
{
    int Flag = 0;
    (void)sallyport_json_bool(FSallyportParsed(Json).At(Path), &Flag);
    return Flag != 0;
}

FString USallyportJson::GetJson(const FString& Json, const FString& Path)
{
    return SallyportText::OfJson(FSallyportParsed(Json).At(Path));
}

bool USallyportJson::HasField(const FString& Json, const FString& Path)
{
    return sallyport_json_type_of(FSallyportParsed(Json).At(Path)) != SALLYPORT_JSON_MISSING;
}

TArray<FString> USallyportJson::GetItems(const FString& Json, const FString& Path)
{
    return ItemsOf(Json, Path, &SallyportText::OfJson);
}

TArray<FString> USallyportJson::GetTexts(const FString& Json, const FString& Path)
{
    return ItemsOf(Json, Path, &SallyportText::OfValue);
}

TMap<FString, FString> USallyportJson::GetFields(const FString& Json, const FString& Path)
{
    TMap<FString, FString> Fields;
    const FSallyportParsed Parsed(Json);
    const sallyport_json Object = Parsed.At(Path);
    if (sallyport_json_type_of(Object) != SALLYPORT_JSON_OBJECT) return Fields;
    sallyport_json_iterator Iterator = sallyport_json_iterate(Object);
    sallyport_json Key;
    sallyport_json Value;
    while (sallyport_json_next(&Iterator, &Key, &Value) != 0) Fields.Add(SallyportText::OfValue(Key), SallyportText::OfJson(Value));
    return Fields;
}

int32 USallyportJson::Count(const FString& Json, const FString& Path)
{
    return static_cast<int32>(sallyport_json_count(FSallyportParsed(Json).At(Path)));
}

FString USallyportJson::MakeText(const FString& Text)
{
    return SallyportText::Quoted(Text);
}

FString USallyportJson::MakeInteger(int64 Number)
{
    return SallyportText::OfInteger(Number);
}

FString USallyportJson::MakeNumber(double Number)
{
    return SallyportText::OfNumber(Number);
}

FString USallyportJson::MakeFlag(bool bFlag)
{
    return bFlag ? TEXT("true") : TEXT("false");
}

FString USallyportJson::MakeList(const TArray<FString>& Items)
{
    return ListOf(Items, &Checked);
}

FString USallyportJson::MakeTextList(const TArray<FString>& Texts)
{
    return ListOf(Texts, &SallyportText::Quoted);
}

FString USallyportJson::MakeObject(const TMap<FString, FString>& Fields)
{
    return ObjectOf(Fields, &Checked);
}

FString USallyportJson::MakeTextObject(const TMap<FString, FString>& Texts)
{
    return ObjectOf(Texts, &SallyportText::Quoted);
}

FString USallyportJson::WithJson(const FString& Json, const FString& Key, const FString& Value)
{
    const FSallyportParsed Parsed(Json);
    const sallyport_json Before = Parsed.At(FString());
    if (!Json.IsEmpty() && sallyport_json_type_of(Before) != SALLYPORT_JSON_OBJECT)
        UE_LOG(LogSallyport, Warning, TEXT("%s was added to what is no JSON object; begin with an empty text."), *Key);
    FSallyportObject Object;
    /* Not a TMap, whose texts ignore upper and lower case. */
    const FTCHARToUTF8 Replaced(*Key);
    sallyport_json_iterator Iterator = sallyport_json_iterate(Before);
    sallyport_json Name = {nullptr, 0};
    sallyport_json Field;
    while (Iterator.is_object != 0 && sallyport_json_next(&Iterator, &Name, &Field) != 0)
        if (sallyport_json_equals(Name, Replaced.Get()) == 0) Object.Add(SallyportText::OfValue(Name), SallyportText::OfJson(Field));
    Object.Add(Key, Checked(Value));
    return Object.ToJson();
}

FString USallyportJson::WithText(const FString& Json, const FString& Key, const FString& Text)
{
    return WithJson(Json, Key, MakeText(Text));
}

FString USallyportJson::WithInteger(const FString& Json, const FString& Key, int64 Number)
{
    return WithJson(Json, Key, MakeInteger(Number));
}

FString USallyportJson::WithNumber(const FString& Json, const FString& Key, double Number)
{
    return WithJson(Json, Key, MakeNumber(Number));
}

FString USallyportJson::WithFlag(const FString& Json, const FString& Key, bool bFlag)
{
    return WithJson(Json, Key, MakeFlag(bFlag));
}
