using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace Sallyport
{
    /// <summary>Whether the server sends the event.</summary>
    public enum SubscriptionStatus
    {
        /// <summary>Not confirmed on this connection.</summary>
        Waiting,
        /// <summary>Confirmed.</summary>
        Active,
        /// <summary>The server refused it; the client tries again after the next sign-in.</summary>
        Refused,
        /// <summary>The game ended it.</summary>
        Closed
    }

    /// <summary>A listener for an event, kept across reconnects. Disposing it ends it.</summary>
    public sealed class Subscription : IDisposable
    {
        private readonly Action<Subscription> close;
        private readonly TaskCompletionSource<bool> active =
            new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        private volatile bool isClosed;

        internal Subscription(SubscriptionEntry entry, IEventListener listener, Action<Subscription> close)
        {
            Entry = entry;
            Listener = listener;
            this.close = close;
            // A game that ignores it has no unobserved exception.
            active.Task.ContinueWith(task => task.Exception, TaskContinuationOptions.OnlyOnFaulted);
        }

        internal SubscriptionEntry Entry { get; set; }

        internal IEventListener Listener { get; }

        internal bool IsClosed => isClosed;

        /// <summary>
        /// Completes when the server confirms the subscription for the first time; fails with <see cref="CallException"/> if it
        /// refuses.
        /// </summary>
        public Task Active => active.Task;

        /// <summary>The status on this connection.</summary>
        public SubscriptionStatus Status => isClosed ? SubscriptionStatus.Closed : Entry.Public;

        /// <summary>The reason of the last refusal, or null.</summary>
        [MayBeNull] public Exception Error => Entry.Error;

        /// <summary>Ends the listener: it is not called again. The last one of an event unsubscribes at the server.</summary>
        public void Dispose()
        {
            if (isClosed) return;
            isClosed = true;
            Listener.End();
            close(this);
        }

        /// <summary>The client was closed.</summary>
        internal void End()
        {
            Listener.End();
            Reject(new ConnectionLostException("the client was closed", null, true));
        }

        internal void Confirm()
        {
            active.TrySetResult(true);
        }

        internal void Reject(Exception error)
        {
            active.TrySetException(error);
        }
    }

    /// <summary>One event with its arguments, shared by its listeners.</summary>
    internal sealed class SubscriptionEntry
    {
        internal string Name;
        internal string Key;
        internal IReadOnlyDictionary<string, object> Args;
        internal readonly List<Subscription> Listeners = new List<Subscription>();
        /// <summary>The server confirmed it on this connection or on an earlier one.</summary>
        internal bool WasActive;
        internal bool IsSent;
        private volatile SubscriptionStatus status;
        private volatile Exception error;

        internal SubscriptionStatus Public
        {
            get { return status; }
            set { status = value; }
        }

        internal Exception Error
        {
            get { return error; }
            set { error = value; }
        }

        internal bool IsUnsent => status == SubscriptionStatus.Waiting && !IsSent;

        /// <summary>Events that the server sends without a subscription; subscribing to them is an error.</summary>
        internal bool IsAutomatic => Name == Events.Ready || Name == Events.Error || Name == Events.TokenRevoked;

        /// <summary>Whether the server may have it; also after a time limit.</summary>
        internal bool MayBeActive => IsSent || status == SubscriptionStatus.Active || (status == SubscriptionStatus.Refused
            && !(error is CallException));

        /// <summary>A refusal that may pass without a change of the game: a restarted server may not know everything yet.</summary>
        internal bool IsTransient
        {
            get
            {
                if (status != SubscriptionStatus.Refused) return false;
                if (!(error is CallException refusal)) return true;
                var needsSignIn = refusal.Code == (long)ErrorCode.InvalidPermissions || refusal.Code == (long)ErrorCode.InvalidToken;
                return refusal.IsRetryable || (WasActive && !needsSignIn);
            }
        }

        internal void Reset()
        {
            IsSent = false;
            if (!IsAutomatic) status = SubscriptionStatus.Waiting;
        }

        /// <summary>
        /// Whether the event can belong to it. Dispatches do not name their subscription, so this compares `x_id` with `x_id` or `x.id` of
        /// the data. An event without that field matches.
        /// </summary>
        internal bool Matches(object data)
        {
            if (Args == null || !(data is IReadOnlyDictionary<string, object> fields)) return true;
            foreach (var arg in Args)
            {
                if (arg.Value == null) continue;
                var actual = JsonValue.Get(fields, arg.Key);
                if (actual == null && arg.Key.EndsWith("_id", StringComparison.Ordinal)
                    && JsonValue.Get(fields, arg.Key.Substring(0, arg.Key.Length - 3)) is IReadOnlyDictionary<string, object> nested)
                    actual = JsonValue.Get(nested, "id");
                if (actual != null && Json.Write(actual) != Json.Write(arg.Value)) return false;
            }
            return true;
        }
    }
}
