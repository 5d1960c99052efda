using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;

namespace Sallyport
{
    /// <summary>Receives the end of a call: data, or an error.</summary>
    internal delegate void Done(object data, Exception error);

    /// <summary>
    /// The pending calls: each ends once, by its response, its time limit, its cancellation, or the end of the connection.
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

        internal void Open(string command, long timeoutMs, CancellationToken cancellation, Action<string> send, Done done)
        {
            var nonce = (++lastNonce).ToString(CultureInfo.InvariantCulture);
            var call = new Call { Command = command, Done = done };
            pending.Add(nonce, call);
            call.Timer = loop.After(timeoutMs, () => End(nonce, null, new CallTimeoutException(
                command + " timed out after " + timeoutMs + " ms; the server may still execute it")));
            if (cancellation.CanBeCanceled)
                call.Cancellation = cancellation.Register(() => loop.Post(() => End(nonce, null,
                    new OperationCanceledException(cancellation))), false);
            try
            {
                send(nonce);
            }
            catch (CallException error)
            {
                End(nonce, null, error);
            }
        }

        internal void Settle(Message message)
        {
            if (!pending.TryGetValue(message.Nonce, out var call)) return;
            if (message.IsError) End(message.Nonce, null, message.ErrorOf(call.Command));
            else End(message.Nonce, message.Data, null);
        }

        internal void EndAll(Exception error)
        {
            foreach (var nonce in new List<string>(pending.Keys)) End(nonce, null, error);
        }

        private void End(string nonce, object data, Exception error)
        {
            if (!pending.TryGetValue(nonce, out var call)) return;
            pending.Remove(nonce);
            call.Timer.Dispose();
            call.Cancellation.Dispose();
            call.Done(data, error);
        }

        private sealed class Call
        {
            internal string Command;
            internal Done Done;
            internal IDisposable Timer;
            internal CancellationTokenRegistration Cancellation;
        }
    }
}
