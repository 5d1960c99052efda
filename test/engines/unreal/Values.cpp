/** Prints what the nodes for JSON and the records make; needs no connection. */
#include <cmath>
#include <cstdio>

#include "SallyportJson.h"
#include "SallyportRecords.h"
#include "Scenes.h"

static void Print(const char* What, const FString& Text)
{
    std::printf("%s: %s\n", What, TCHAR_TO_UTF8(*Text));
}

static void Print(const char* What, int64 Number)
{
    std::printf("%s: %lld\n", What, Number);
}

static void PrintRead()
{
    const FString Json = TEXT("{\"id\":\"18446744073709551615\",\"count\":3.0,\"share\":0.5,\"on\":true,\"none\":null,\"a.b\":1,"
                              "\"members\":[{\"id\":\"1\",\"flags\":0},{\"id\":\"2\",\"metadata\":{\"Ship\":\"Wren\",\"ship\":\"Ada\"}}],\"texts\":[\"a\",\"\\u00fc\\\"\"]}");
    Print("id", USallyportJson::GetText(Json, TEXT("id")));
    Print("integer", USallyportJson::GetInteger(Json, TEXT("count")));
    Print("number of half", static_cast<int64>(USallyportJson::GetNumber(Json, TEXT("share")) * 2));
    Print("flag", USallyportJson::GetFlag(Json, TEXT("on")) ? 1 : 0);
    Print("second member", USallyportJson::GetText(Json, TEXT("members.1.id")));
    Print("third member", USallyportJson::GetText(Json, TEXT("members.2.id")));
    Print("no number", USallyportJson::GetText(Json, TEXT("members.x.id")));
    Print("null", USallyportJson::GetText(Json, TEXT("none")));
    Print("has null", USallyportJson::HasField(Json, TEXT("none")) ? 1 : 0);
    Print("has nothing", USallyportJson::HasField(Json, TEXT("nothing")) ? 1 : 0);
    Print("items", USallyportJson::GetItems(Json, TEXT("members")).Num());
    Print("items of a text", USallyportJson::GetItems(Json, TEXT("id")).Num());
    Print("item", USallyportJson::GetItems(Json, TEXT("members"))[0]);
    Print("text item", USallyportJson::GetTexts(Json, TEXT("texts"))[1]);
    Print("count", USallyportJson::Count(Json, TEXT("members")));
    Print("fields", *USallyportJson::GetFields(Json, TEXT("members.0")).Find(TEXT("ID")));
    Print("json", USallyportJson::GetJson(Json, TEXT("members.1.metadata")));
    Print("no JSON", USallyportJson::GetText(TEXT("{\"id\""), TEXT("id")));
}

static void PrintMade()
{
    Print("text", USallyportJson::MakeText(TEXT("a \"b\" \\ \n \u00fc \U0001f6a2")));
    const TCHAR Half[] = {u'x', 0xd83d, 0};
    Print("half a character", USallyportJson::MakeText(Half));
    Print("empty text", USallyportJson::MakeText(FString()));
    Print("not finite", USallyportJson::MakeNumber(std::nan("")));
    Print("list", USallyportJson::MakeList({USallyportJson::MakeInteger(-9007199254740993LL), TEXT("oops"), USallyportJson::MakeFlag(false)}));
    Print("empty list", USallyportJson::MakeList({}));
    Print("texts", USallyportJson::MakeTextList({TEXT(""), TEXT("\"")}));
    TMap<FString, FString> Fields;
    Fields.Add(TEXT("pier \"9\""), USallyportJson::MakeTextObject({}));
    Print("object", USallyportJson::MakeObject(Fields));
    FString Args = USallyportJson::WithText(FString(), TEXT("name"), TEXT("\",\"admin\":true,\"x\":\""));
    Args = USallyportJson::WithNumber(Args, TEXT("Name"), 0.5);
    Args = USallyportJson::WithInteger(Args, TEXT("name"), 7);
    Print("object by fields", USallyportJson::WithFlag(Args, TEXT("on"), true));
    Print("object of a list", USallyportJson::WithInteger(TEXT("[1]"), TEXT("a"), 1));
}

static void PrintRecords()
{
    const FString Lobby = TEXT("{\"id\":\"7\",\"application_id\":42,\"metadata\":{\"map\":\"pier\"},\"members\":[{\"id\":\"78\",\"flags\":1},{\"id\":5}],"
                               "\"flags\":\"none\",\"unknown\":[]}");
    const FSallyportLobby Read = USallyportRecords::ReadLobby(Lobby);
    Print("lobby", Read.Id + TEXT(" of ") + Read.ApplicationId + TEXT(" ") + *Read.Metadata.Find(TEXT("map")));
    Print("members", Read.Members.Num());
    Print("flags of a member", Read.Members[0].Flags);
    Print("flags of another type", Read.Flags);
    Print("member list", USallyportRecords::ReadLobbyMemberList(Lobby, TEXT("members"))[1].Id);
    const FString Friends = TEXT("{\"relationships\":[{\"type\":1,\"user\":{\"id\":\"78\",\"username\":\"grace\"},\"presence\":{\"status\":\"online\","
                                 "\"activity\":{\"name\":\"Dockside\",\"type\":0,\"party\":{\"size\":[1,4]}}}}]}");
    const FSallyportRelationship Friend = USallyportRecords::ReadRelationshipList(Friends, TEXT("relationships"))[0];
    const FSallyportActivity Activity = USallyportRecords::ReadActivity(Friend.Presence.Activity);
    Print("friend", Friend.User.Username + TEXT(" plays ") + Activity.Name);
    Print("party", static_cast<int64>(Activity.Party.Size[1]));
    Print("no record", USallyportRecords::ReadUser(TEXT("[")).Id);
    FSallyportPresence Presence;
    Print("empty presence", USallyportRecords::WritePresence(Presence));
    Presence.Details = TEXT("the \"Wren\"");
    Presence.Timestamps.Start = 1700000000000.0;
    Presence.Party.Size = {0, 4};
    Presence.Secrets.Join = TEXT("pier-9");
    FSallyportActivityInputButtons Button;
    Button.Label = TEXT("Watch");
    Button.Url = TEXT("https://example.com");
    Presence.Buttons = {Button};
    Print("presence", USallyportRecords::WritePresence(Presence));
}

void PrintValues()
{
    PrintRead();
    PrintMade();
    PrintRecords();
}
