using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace Sallyport
{
    /// <summary>The subscriptions of the game: one entry per event and arguments, kept across connections. Used in the loop.</summary>
    internal sealed class Subscriptions
    {
        private readonly List<SubscriptionEntry> entries = new List<SubscriptionEntry>();
        private readonly Func<string, SubscriptionEntry, Task> send;
        /// <summary>Number of the connection, to ignore responses of earlier ones.</summary>
        private int connection;

        internal Subscriptions(Func<string, SubscriptionEntry, Task> send)
        {
            this.send = send;
        }

        internal bool HasTransient => entries.Exists(entry => entry.IsTransient);

        /// <summary>
        /// The key of an event with arguments: as at the server, null equals a missing argument, and order does not matter.
        /// </summary>
        internal static string KeyOf(string name, IReadOnlyDictionary<string, object> args)
        {
            var sorted = new SortedDictionary<string, object>(StringComparer.Ordinal);
            if (args != null) foreach (var arg in args) if (arg.Value != null) sorted.Add(arg.Key, arg.Value);
            return name + " " + Json.Write(sorted);
        }

        /// <summary>Adds the listener to the entry with the same key; true if it must be subscribed.</summary>
        internal bool Add(Subscription subscription)
        {
            if (subscription.IsClosed) return false;
            var known = entries.Find(entry => entry.Key == subscription.Entry.Key);
            if (known == null) entries.Add(subscription.Entry);
            else subscription.Entry = known;
            var joined = subscription.Entry;
            joined.Listeners.Add(subscription);
            if (joined.IsAutomatic) joined.Public = SubscriptionStatus.Active;
            if (joined.Public == SubscriptionStatus.Active) subscription.Confirm();
            if (joined.Public == SubscriptionStatus.Refused) joined.Reset();
            return joined.IsUnsent;
        }

        /// <summary>Removes the listener, and unsubscribes after the last one.</summary>
        internal void Remove(Subscription subscription)
        {
            var entry = subscription.Entry;
            subscription.Reject(new ConnectionLostException("the subscription to " + entry.Name + " was closed before it was confirmed"));
            if (!entry.Listeners.Remove(subscription) || entry.Listeners.Count > 0) return;
            entries.Remove(entry);
            if (entry.MayBeActive && !entry.IsAutomatic) _ = Quiet.End(send(Commands.Unsubscribe, entry));
        }

        /// <summary>After the connection is lost, nothing is subscribed.</summary>
        internal void Reset()
        {
            connection++;
            foreach (var entry in entries) entry.Reset();
        }

        /// <summary>Refused entries may be sent again, e.g. after a sign-in.</summary>
        internal void Requeue(bool onlyTransient)
        {
            foreach (var entry in entries)
                if (entry.Public == SubscriptionStatus.Refused && (!onlyTransient || entry.IsTransient)) entry.Reset();
        }

        /// <summary>Subscribes AUTHORIZE_REQUEST if it has a listener: the platform needs it to offer account linking.</summary>
        internal Task SubscribeFirst()
        {
            return Task.WhenAll(Unsent(true).ConvertAll(Subscribe));
        }

        /// <summary>Subscribes what is not, in order, AUTHORIZE_REQUEST first. Fails with <see cref="ConnectionLostException"/>.</summary>
        internal Task SubscribeAll()
        {
            var unsent = Unsent(true);
            unsent.AddRange(Unsent(false));
            return Task.WhenAll(unsent.ConvertAll(Subscribe));
        }

        /// <summary>Gives the event to each of its listeners.</summary>
        internal void Deliver(string name, object data, int bytes)
        {
            foreach (var entry in entries)
            {
                if (entry.Name != name || !entry.Matches(data)) continue;
                foreach (var subscription in entry.Listeners) subscription.Listener.Deliver(data, bytes);
            }
        }

        internal void Close()
        {
            foreach (var entry in entries)
                foreach (var subscription in entry.Listeners) subscription.End();
            entries.Clear();
        }

        private List<SubscriptionEntry> Unsent(bool isFirst)
        {
            return entries.FindAll(entry => entry.IsUnsent && (entry.Name == Events.AuthorizeRequest) == isFirst);
        }

        private async Task Subscribe(SubscriptionEntry entry)
        {
            var of = connection;
            entry.IsSent = true;
            Exception refusal = null;
            try
            {
                await send(Commands.Subscribe, entry);
            }
            catch (ConnectionLostException)
            {
                if (of == connection) entry.Reset();
                throw;
            }
            catch (SallyportException error)
            {
                refusal = error;
            }
            if (of != connection) return;
            entry.IsSent = false;
            entry.Error = refusal;
            entry.Public = refusal == null ? SubscriptionStatus.Active : SubscriptionStatus.Refused;
            entry.WasActive |= refusal == null;
            foreach (var listener in entry.Listeners.ToArray())
                if (refusal == null) listener.Confirm();
                else listener.Reject(refusal);
        }
    }
}
