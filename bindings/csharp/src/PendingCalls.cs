using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;

namespace Sallyport
{
    /// <summary>Receives the end of a call: data, or an error.</summary>
    internal delegate void Done(object data, Exception error);

    /// <summary>
    /// The pending calls: each ends once, by its response, its time limit, its cancellation, or the end of the connection. One with a key
    /// may wait for the next connection instead.
    /// </summary>
    internal sealed class PendingCalls
    {
        private readonly SerialLoop loop;
        private readonly Dictionary<string, Call> pending = new Dictionary<string, Call>();
        /// <summary>Never reset, so that a response to a call of an earlier connection matches no later call.</summary>
        private long lastNonce;

        internal PendingCalls(SerialLoop loop)
        {
            this.loop = loop;
        }

        /// <summary>Sends a call by `send`, which gets the nonce and throws <see cref="CallException"/> if nothing was sent.</summary>
        internal void Open(string command, long timeoutMs, CancellationToken cancellation, Action<string> send, Done done,
            KeyedCall keyed = null)
        {
            var call = new Call { Command = command, Done = done, Keyed = keyed, Send = keyed == null ? null : send };
            Register(call);
            call.Timer = loop.After(timeoutMs, () => End(call, null, new CallTimeoutException(
                command + " timed out after " + timeoutMs + " ms; the server may still execute it")));
            if (cancellation.CanBeCanceled)
                call.Cancellation = cancellation.Register(() => loop.Post(() => End(call, null,
                    new OperationCanceledException(cancellation))), false);
            try
            {
                send(call.Nonce);
            }
            catch (CallException error)
            {
                End(call, null, error);
            }
        }

        internal void Settle(Message message)
        {
            if (!pending.TryGetValue(message.Nonce, out var call)) return;
            if (message.IsError) End(call, null, message.ErrorOf(call.Command));
            else End(call, message.Data, null);
        }

        internal void EndAll(Exception error)
        {
            foreach (var call in new List<Call>(pending.Values)) End(call, null, error);
        }

        /// <summary>Ends those that no later connection can repeat.</summary>
        internal void EndUnkeyed(Exception error)
        {
            foreach (var call in new List<Call>(pending.Values)) if (call.Keyed == null) End(call, null, error);
        }

        /// <summary>Sends those with a key again, in the order in which they were made; those that may not be repeated end.</summary>
        internal void Repeat(Func<KeyedCall, bool> isRepeatable, Exception lost)
        {
            var kept = new List<Call>();
            foreach (var call in pending.Values) if (call.Keyed != null) kept.Add(call);
            kept.Sort((one, other) => one.Number.CompareTo(other.Number));
            foreach (var call in kept)
            {
                if (!isRepeatable(call.Keyed))
                {
                    End(call, null, lost);
                    continue;
                }
                pending.Remove(call.Nonce);
                Register(call);
                try
                {
                    call.Send(call.Nonce);
                }
                catch (CallException)
                {
                    // The first call may have been executed.
                    End(call, null, lost);
                }
            }
        }

        private void Register(Call call)
        {
            call.Number = ++lastNonce;
            call.Nonce = call.Number.ToString(CultureInfo.InvariantCulture);
            pending.Add(call.Nonce, call);
        }

        private void End(Call call, object data, Exception error)
        {
            if (!pending.Remove(call.Nonce)) return;
            call.Timer.Dispose();
            call.Cancellation.Dispose();
            call.Done(data, error);
        }

        private sealed class Call
        {
            internal string Command;
            internal string Nonce;
            internal long Number;
            internal KeyedCall Keyed;
            internal Action<string> Send;
            internal Done Done;
            internal IDisposable Timer;
            internal CancellationTokenRegistration Cancellation;
        }
    }
}
