using System.Collections.Generic;

namespace Sallyport.Unity
{
    /// <summary>The last invites, until the player wants to accept one.</summary>
    internal sealed class KeptInvites
    {
        /// <summary>More are not on a screen.</summary>
        private const int Most = 16;

        /// <summary>The arguments that accept an invite, by its id.</summary>
        private readonly Dictionary<string, JsonObject> invites = new Dictionary<string, JsonObject>();

        /// <summary>Oldest first.</summary>
        private readonly List<string> order = new List<string>();

        /// <summary>Keeps the invite of an ACTIVITY_INVITE event, and returns its id.</summary>
        internal string Keep(object data)
        {
            var id = EventData.TextOf(data, "message_id");
            if (!invites.ContainsKey(id)) order.Add(id);
            if (order.Count > Most)
            {
                invites.Remove(order[0]);
                order.RemoveAt(0);
            }
            invites[id] = new JsonObject
            {
                { "type", 1L },
                { "user_id", EventData.TextOf(EventData.FieldOf(data, "user"), "id") },
                { "session_id", EventData.TextOf(data, "session_id") },
                { "channel_id", EventData.TextOf(data, "channel_id") },
                { "message_id", id },
                { "application_id", EventData.FieldOf(data, "application_id") },
            };
            return id;
        }

        /// <summary>The arguments of ACCEPT_ACTIVITY_INVITE; null for an id that is unknown or too old.</summary>
        internal JsonObject ArgumentsOf(string id)
        {
            return id != null && invites.TryGetValue(id, out var args) ? args : null;
        }
    }

    /// <summary>Reads the data of events.</summary>
    internal static class EventData
    {
        /// <summary>Null for what is absent.</summary>
        internal static object FieldOf(object data, string name)
        {
            var fields = data as IReadOnlyDictionary<string, object>;
            return fields != null && fields.TryGetValue(name, out var value) ? value : null;
        }

        /// <summary>Empty for what is absent or no text.</summary>
        internal static string TextOf(object data, string name)
        {
            return FieldOf(data, name) as string ?? "";
        }
    }
}
