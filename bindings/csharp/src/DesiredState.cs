using System;
using System.Collections.Generic;

namespace Sallyport
{
    /// <summary>What every connection should have, besides subscriptions: sign-in, presence, time limit of calls.</summary>
    internal sealed class DesiredState
    {
        /// <summary>Arguments of AUTHENTICATE to sign in again; null while signed out. May hold a token.</summary>
        internal JsonObject Credential;
        /// <summary>Arguments of the SET_ACTIVITY to repeat; null after a clear.</summary>
        internal object Presence;
        /// <summary>Arguments of a SET_ACTIVITY that was made without a connection.</summary>
        internal object UnsentPresence;
        /// <summary>Arguments of a SET_ACTIVITY that was made without a connection, until a server has judged it.</summary>
        private object kept;
        /// <summary>Time limit of calls at the server; null: its own.</summary>
        internal long? CallTimeoutMs;

        internal bool IsGrant => Credential != null && !Credential.ContainsKey("access_token");

        /// <summary>Stores a presence when it is sent; the result puts the one before back, if the server refuses it.</summary>
        internal Action SetPresence(object args)
        {
            var before = Presence;
            var activity = args is IReadOnlyDictionary<string, object> fields ? JsonValue.Get(fields, "activity") : null;
            var desired = activity == null ? null : args;
            Presence = desired;
            UnsentPresence = null;
            kept = null;
            return () =>
            {
                if (Presence == desired) Presence = before;
            };
        }

        internal void SetUnsentPresence(object args)
        {
            SetPresence(args);
            UnsentPresence = args;
            kept = args;
        }

        /// <summary>A presence that was kept ends with the judgement of the server: refused, no later connection shows it.</summary>
        internal void JudgePresence(object args, bool isRefused)
        {
            if (kept != args) return;
            kept = null;
            if (isRefused) Presence = null;
        }

        internal object TakePresence()
        {
            UnsentPresence = null;
            return Presence;
        }

        /// <summary>
        /// Remembers a sign-in: the token that the game passed, or the stored grant with the user of the response, since another instance
        /// of the game may sign in as another user.
        /// </summary>
        internal void SignedIn(object args, object response)
        {
            var token = args is IReadOnlyDictionary<string, object> given ? JsonValue.Text(JsonValue.Get(given, "access_token")) : null;
            if (token != null)
            {
                Credential = new JsonObject { { "access_token", token } };
                return;
            }
            Credential = new JsonObject();
            var user = response is IReadOnlyDictionary<string, object> fields ? JsonValue.Get(fields, "user") : null;
            var id = user is IReadOnlyDictionary<string, object> of ? JsonValue.Text(JsonValue.Get(of, "id")) : null;
            if (id != null) Credential.Add("user_id", id);
        }
    }
}
