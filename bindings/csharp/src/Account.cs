using System;
using System.Collections.Generic;

namespace Sallyport
{
    /// <summary>The account for which the server makes the calls of a connection. Used in the loop.</summary>
    internal sealed class Account
    {
        private readonly Action answered;
        private string id = "";
        /// <summary>Calls that change the account and have no answer. After a time limit the server may still execute one.</summary>
        private int unanswered;

        /// <summary>`answered` is called after each answer that may have changed the account.</summary>
        internal Account(Action answered)
        {
            this.answered = answered;
        }

        /// <summary>The id of the user; empty without one; null while it is not certain.</summary>
        [MayBeNull] internal string Id => IsChanging ? null : id;

        /// <summary>Whether a call that changes the account has no answer yet.</summary>
        internal bool IsChanging => unanswered > 0;

        /// <summary>A new connection has no user.</summary>
        internal void Connected()
        {
            id = "";
            unanswered = 0;
        }

        internal void SignedOut()
        {
            id = "";
        }

        /// <summary>Learns from the end of a call that is about to be sent.</summary>
        internal Done Watch(string command, Done done)
        {
            var isSignOut = command == Commands.ForgetTokens;
            if (!isSignOut && command != Commands.Authenticate && command != Commands.UpdateToken) return done;
            unanswered++;
            return (data, error) =>
            {
                var isAnswered = error == null || error is CallException;
                if (error == null) id = isSignOut ? "" : IdOf(data);
                if (isAnswered) unanswered--;
                done(data, error);
                if (isAnswered) answered();
            };
        }

        private static string IdOf(object data)
        {
            var fields = data as IReadOnlyDictionary<string, object>;
            var user = fields == null ? null : JsonValue.Get(fields, "user") as IReadOnlyDictionary<string, object>;
            return user == null ? null : JsonValue.Text(JsonValue.Get(user, "id"));
        }
    }
}
