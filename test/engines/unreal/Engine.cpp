/** The parts of the stand-in that are no templates. */
#include "Engine/Engine.h"

#include <algorithm>
#include <cstdio>

UEngine* GEngine = nullptr;
bool Stub::bIsServer = false;

static std::vector<UObject*>& Objects()
{
    static std::vector<UObject*> All;
    return All;
}

UObject::UObject()
{
    Objects().push_back(this);
}

UObject::~UObject()
{
    auto& All = Objects();
    All.erase(std::remove(All.begin(), All.end(), this), All.end());
}

bool Stub::IsAlive(const UObject* Object)
{
    const auto& All = Objects();
    return std::find(All.begin(), All.end(), Object) != All.end();
}

void Stub::DestroyAll()
{
    while (!Objects().empty()) delete Objects().back();
}

std::string Stub::ToUtf8(const TCHAR* Text)
{
    std::string Result;
    for (std::size_t At = 0; Text[At] != 0; At++)
    {
        char32_t Code = Text[At];
        if (Code >= 0xd800 && Code < 0xdc00 && Text[At + 1] != 0) Code = 0x10000 + ((Code - 0xd800) << 10) + (Text[++At] - 0xdc00U);
        /* As in the engine: half a character has no UTF-8. */
        if (Code >= 0xd800 && Code < 0xe000) Code = U'?';
        if (Code < 0x80) Result += static_cast<char>(Code);
        else if (Code < 0x800) Result += {static_cast<char>(0xc0 | (Code >> 6)), static_cast<char>(0x80 | (Code & 0x3f))};
        else if (Code < 0x10000)
            Result += {static_cast<char>(0xe0 | (Code >> 12)), static_cast<char>(0x80 | ((Code >> 6) & 0x3f)),
                       static_cast<char>(0x80 | (Code & 0x3f))};
        else
            Result += {static_cast<char>(0xf0 | (Code >> 18)), static_cast<char>(0x80 | ((Code >> 12) & 0x3f)),
                       static_cast<char>(0x80 | ((Code >> 6) & 0x3f)), static_cast<char>(0x80 | (Code & 0x3f))};
    }
    return Result;
}

std::u16string Stub::FromUtf8(const char* Text)
{
    std::u16string Result;
    for (const char* At = Text; *At != '\0';)
    {
        const auto First = static_cast<unsigned char>(*At++);
        const int More = First < 0x80 ? 0 : First < 0xe0 ? 1 : First < 0xf0 ? 2 : 3;
        char32_t Code = More == 0 ? First : First & (0x3fU >> More);
        for (int Left = More; Left > 0 && *At != '\0'; Left--) Code = (Code << 6) | (static_cast<unsigned char>(*At++) & 0x3fU);
        if (Code < 0x10000) Result += static_cast<char16_t>(Code);
        else Result += {static_cast<char16_t>(0xd800 + ((Code - 0x10000) >> 10)), static_cast<char16_t>(0xdc00 + ((Code - 0x10000) & 0x3ff))};
    }
    return Result;
}

static std::string& Logged()
{
    static std::string All;
    return All;
}

void Stub::Log(const char* Category, const char* Verbosity, const TCHAR* Format, std::initializer_list<Argument> Arguments)
{
    const std::string Text = ToUtf8(Format);
    std::string Line;
    auto Next = Arguments.begin();
    for (std::size_t At = 0; At < Text.size(); At++)
    {
        if (Text[At] == '%' && Next != Arguments.end())
        {
            Line += Next++->Text;
            At++;
        }
        else Line += Text[At];
    }
    std::printf("%s: %s: %s\n", Category, Verbosity, Line.c_str());
    std::fflush(stdout);
    Logged() += Line + "\n";
}

bool Stub::HasLogged(const char* Text)
{
    return Logged().find(Text) != std::string::npos;
}
