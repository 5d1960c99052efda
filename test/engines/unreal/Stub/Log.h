/** The log: one line a message. */
#pragma once

namespace Stub
{
    struct Argument
    {
        std::string Text;
        Argument(const TCHAR* From) : Text(ToUtf8(From)) {}
        Argument(int32 From) : Text(std::to_string(From)) {}
    };

    /** Replaces each %s and %d. */
    void Log(const char* Category, const char* Verbosity, const TCHAR* Format, std::initializer_list<Argument> Arguments);
    /** Whether a message held the text. */
    bool HasLogged(const char* Text);
}

struct FLogCategory
{
    const char* Name;
};

inline FLogCategory LogTemp{"LogTemp"};

#define DECLARE_LOG_CATEGORY_EXTERN(Category, Default, Compiled) extern FLogCategory Category
#define DEFINE_LOG_CATEGORY(Category) FLogCategory Category{#Category}
#define DEFINE_LOG_CATEGORY_STATIC(Category, Default, Compiled) static FLogCategory Category{#Category}
#define UE_LOG(Category, Verbosity, Format, ...) Stub::Log(Category.Name, #Verbosity, Format, {__VA_ARGS__})
