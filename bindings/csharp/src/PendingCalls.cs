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

        /// <summary>The connection ended, and another one follows: those with a key wait for it.</summary>
        internal void Hold(Exception error)
        {
            foreach (var call in new List<Call>(pending.Values))
            {
                if (call.Keyed == null) End(call, null, error);
                else call.IsHeld = true;
            }
        }

        /// <summary>Sends those that wait again, in the order in which they were made; those that may not be repeated end.</summary>
        internal void SendHeld(Func<KeyedCall, Repeat> decide, Exception lost)
        {
            var held = new List<Call>();
            foreach (var call in pending.Values) if (call.IsHeld) held.Add(call);
            held.Sort((one, other) => one.Number.CompareTo(other.Number));
            foreach (var call in held)
            {
                var decision = decide(call.Keyed);
                if (decision == Repeat.Never) End(call, null, lost);
                if (decision != Repeat.Now) continue;
                pending.Remove(call.Nonce);
                call.IsHeld = false;
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
            internal bool IsHeld;
            internal Action<string> Send;
            internal Done Done;
            internal IDisposable Timer;
            internal CancellationTokenRegistration Cancellation;
        }
    }
}
