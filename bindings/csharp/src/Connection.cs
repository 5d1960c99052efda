using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Sallyport
{
    /// <summary>What a connection needs from its owner. Every member is called in the loop.</summary>
    internal interface IConnectionOwner
    {
        /// <summary>
        /// Restores the state of the game on a new connection. Fails with <see cref="ConnectionLostException"/> if it is lost.
        /// </summary>
        Task Restore();
        void OnEvent(string name, object data, int bytes);
        void OnLost(SallyportException reason);
        void OnState(ClientState state);
        void WhenRoom(Action resume);
    }

    /// <summary>
    /// A connection that reconnects: offline, connect, connecting, ready, waiting, connecting, ..., closed. Used in the loop only.
    /// </summary>
    internal sealed class Connection
    {
        /// <summary>Time for which the client waits for a lost bridge before it accepts another server.</summary>
        private const long BridgeReturnMs = 10000;
        /// <summary>
        /// Time between handshakes with a server that is not a bridge, because each delays the handshakes of games there.
        /// </summary>
        private const long OtherRetryMs = 60000;

        private readonly SerialLoop loop;
        private readonly ClientOptions options;
        private readonly IConnectionOwner owner;
        private readonly PendingCalls calls;
        private readonly Dictionary<string, long> othersSeenMs = new Dictionary<string, long>();
        private ServerConnection connection;
        private Search search;
        private IDisposable retry;
        private int attempt;
        private long sinceMs;
        private long readyAtMs;
        private long? giveUpAtMs;
        private bool wasBridge;
        /// <summary>The end of the last connection, for calls with a key that are not repeated.</summary>
        private ConnectionLostException lost;
        private Task closing = Task.CompletedTask;

        internal Connection(SerialLoop loop, ClientOptions options, IConnectionOwner owner)
        {
            this.loop = loop;
            this.options = options;
            this.owner = owner;
            calls = new PendingCalls(loop);
        }

        internal ClientState State { get; private set; } = new ClientState(ConnectionState.Offline);

        /// <summary>Searches for the time, or for ever if it is negative.</summary>
        internal void Connect(long timeoutMs)
        {
            if (State.Connection == ConnectionState.Offline)
            {
                attempt = 0;
                sinceMs = loop.NowMs;
                giveUpAtMs = timeoutMs < 0 ? (long?)null : sinceMs + timeoutMs;
                Find();
            }
            else if (State.Connection == ConnectionState.Waiting) Find();
        }

        internal void Send(string command, object args, string name, long timeoutMs, CancellationToken cancellation, Done done,
            KeyedCall keyed = null)
        {
            if (connection == null)
            {
                var isClosed = State.Connection == ConnectionState.Closed;
                var why = isClosed ? ": the client was closed" : ": there is no connection";
                done(null, new ConnectionLostException(command + " was not sent" + why, null, isClosed));
                return;
            }
            calls.Open(command, timeoutMs, cancellation, nonce =>
            {
                var message = new JsonObject { { "cmd", command }, { "args", args ?? new JsonObject() } };
                if (name != null) message.Add("evt", name);
                message.Add("nonce", nonce);
                if (keyed != null) message.Add("key", keyed.Key);
                connection.Send(command, message);
            }, done, keyed);
        }

        /// <summary>Sends the calls with a key again that an earlier connection left without a response. Used when ready.</summary>
        internal void SendHeld(string account, bool mayChange)
        {
            var keepsKeys = connection.Server.KeepsKeys;
            calls.SendHeld(call => keepsKeys ? call.RepeatAs(account, mayChange, loop.NowMs) : Repeat.Never, lost);
        }

        /// <summary>Completes when the sent bytes are written, after a second at most.</summary>
        internal Task Close()
        {
            if (State.Connection == ConnectionState.Closed) return closing;
            Disconnect();
            calls.EndAll(new ConnectionLostException("the client was closed before the response", null, true));
            Enter(new ClientState(ConnectionState.Closed));
            return closing;
        }

        private void Enter(ClientState state)
        {
            State = state;
            owner.OnState(state);
        }

        private void Find()
        {
            retry?.Dispose();
            var now = loop.NowMs;
            var acceptOthers = !options.RequireBridge && !(wasBridge && now - sinceMs < BridgeReturnMs);
            var all = Discovery.Candidates(options);
            var chosen = acceptOthers
                ? all
                : all.FindAll(one => !othersSeenMs.TryGetValue(one.Path, out var seenMs) || now - seenMs >= OtherRetryMs);
            search = new Search(loop, options, chosen, all.Count - chosen.Count, acceptOthers)
            {
                OnFound = Adopt,
                OnFailed = reason => Fail(reason),
                OnOther = other => othersSeenMs[other.Server.Path] = loop.NowMs,
            };
            Enter(new ClientState(ConnectionState.Connecting));
            search.Start();
        }

        private void Adopt(ServerConnection found)
        {
            search = null;
            connection = found;
            othersSeenMs.Clear();
            wasBridge = found.Server.IsBridge;
            owner.OnEvent(Events.Ready, found.ReadyData, 0);
            found.Attach(Receive, reason => End(found, reason), owner.WhenRoom);
            if (connection == found) _ = Restore(found);
        }

        private async Task Restore(ServerConnection of)
        {
            try
            {
                await owner.Restore();
            }
            catch (ConnectionLostException)
            {
                // The end of the connection was reported already.
                return;
            }
            if (connection != of) return;
            readyAtMs = loop.NowMs;
            giveUpAtMs = null;
            Enter(new ClientState(ConnectionState.Ready, of.Server));
        }

        private void Receive(Message message, int bytes)
        {
            if (message.Event == null) calls.Settle(message);
            else owner.OnEvent(message.Event, message.Data, bytes);
        }

        private void End(ServerConnection of, SallyportException reason)
        {
            if (connection != of) return;
            owner.OnLost(reason);
            Fail(reason);
        }

        private void Fail(SallyportException reason)
        {
            var now = loop.NowMs;
            var wasReady = State.Connection == ConnectionState.Ready;
            var detail = reason is ServerClosedException ? ": " + reason.Message : "";
            lost = new ConnectionLostException("the connection was lost before the response" + detail, reason);
            Disconnect();
            if ((wasReady && !options.Reconnect) || (giveUpAtMs != null && now >= giveUpAtMs))
            {
                calls.EndAll(lost);
                Enter(new ClientState(ConnectionState.Offline, null, reason));
                return;
            }
            calls.Hold(lost);
            if (wasReady && now - readyAtMs >= Backoff.StableMs)
            {
                attempt = 0;
                sinceMs = now;
            }
            var delayMs = Backoff.Reconnect.Before(attempt++, now - sinceMs);
            if (giveUpAtMs != null) delayMs = Math.Min(delayMs, giveUpAtMs.Value - now);
            retry = loop.After(delayMs, Find);
            Enter(new ClientState(ConnectionState.Waiting, null, reason, TimeSpan.FromMilliseconds(delayMs)));
        }

        private void Disconnect()
        {
            retry?.Dispose();
            var ended = connection;
            connection = null;
            search?.Cancel();
            search = null;
            if (ended != null) closing = ended.Close();
        }
    }
}
