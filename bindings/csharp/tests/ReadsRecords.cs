using System;
using System.Collections.Generic;
using Sallyport;

/// <summary>Reads records of parsed JSON, one line of output per fact.</summary>
internal static class ReadsRecords
{
    private static void Main()
    {
        var message = LobbyMessage.Read(new Dictionary<string, object>
        {
            { "id", "18446744073709551615" },
            { "lobby_id", 8L },
            { "content", "ahoy" },
            { "flags", 1.0 },
            { "type", "wrong" },
            { "author", new Dictionary<string, object> { { "id", "5" }, { "username", "ada" }, { "bot", true } } },
            { "metadata", new Dictionary<string, object> { { "map", "pier" } } },
            { "moderation_metadata", null },
        });
        Console.WriteLine(message.Id + " " + message.LobbyId + " " + message.Content + " " + message.Flags + " " + message.Type);
        Console.WriteLine(message.Author.Username + " " + message.Author.Bot + " " + message.Metadata["map"]);
        Console.WriteLine((message.ModerationMetadata == null) + " " + (message.ApplicationId == null) + " "
            + (LobbyMessage.Read("x") == null));
        // A field of any shape stays what the JSON is.
        var presence = RelationshipPresence.Read(Json.Read("{\"status\":\"online\",\"activity\":{\"name\":\"Dockside\",\"party\":{\"size\":[1,4]}}}"));
        Console.WriteLine(presence.Status + " " + Json.Write(presence.Activity));
        // Arguments are JSON objects: what is not set is not sent, null is sent, and the constructor wants what is required.
        var activity = new ActivityInput { Details = "Unloading", Party = new ActivityInputParty { Id = "p", Size = new[] { 1, 4 } } };
        var invite = new ActivityInviteUserArguments(5, 42) { Content = null };
        invite["newer"] = true;
        Console.WriteLine(Json.Write(new SetActivityArguments { Activity = activity }));
        Console.WriteLine(invite.Command + " " + Json.Write(invite) + " " + invite.UserId + " " + activity.Party.Id + " " + (activity.State == null));
        Console.WriteLine(Commands.SetActivity + " " + (int)ErrorCode.InvalidToken + " " + Wire.ContractVersion + " "
            + AccountState.Provisional);
    }
}
