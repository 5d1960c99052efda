using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Sallyport
{
    /// <summary>Keeps sign-in, subscriptions and presence of a game across connections, and restores them. Used in the loop.</summary>
    internal sealed class Session : IConnectionOwner
    {
        /// <summary>Added to the daemon's limit, so that its more specific error arrives first.</summary>
        private const long MarginMs = 5000;
        private const long DaemonCallMs = 30000;
        /// <summary>Wait for subscriptions and presence; a server may delay one, e.g. until it has loaded a guild.</summary>
        private const long RestoreMs = 1000;

        private readonly SerialLoop loop;
        private readonly ClientOptions options;
        private readonly Dispatcher dispatcher;
        private readonly DesiredState desired = new DesiredState();
        private readonly Account account;
        private IDisposable signInTimer;
        private IDisposable subscribeTimer;
        private int subscribeAttempt;
        private bool needsSignIn;
        /// <summary>The last one; it may have ended.</summary>
        private DeferredPresence deferred;
        private RpcUser user;

        internal Session(SerialLoop loop, ClientOptions options, Dispatcher dispatcher)
        {
            this.loop = loop;
            this.options = options;
            this.dispatcher = dispatcher;
            account = new Account(SendHeld);
            Connection = new Connection(loop, options, this);
            Subscriptions = new Subscriptions((command, entry) => Send(command, entry.Args, entry.Name));
        }

        internal Connection Connection { get; }

        internal Subscriptions Subscriptions { get; }

        internal Action<ClientState> StateChanged;

        internal Action<SignInState, RpcUser> SignInChanged;

        internal SignInState SignIn { get; private set; }

        private bool IsReady => Connection.State.Connection == ConnectionState.Ready;

        /// <summary>
        /// Makes a call of the game, and learns from it what to restore. A command that takes a key comes with one; the call fails if the game
        /// needs it kept and the server keeps none.
        /// </summary>
        internal void Call(string command, object args, long? timeoutMs, CancellationToken cancellation, Done done, string key,
            bool needsKey)
        {
            if (!IsReady)
            {
                var state = Connection.State.Connection;
                if (command == Commands.SetActivity && state != ConnectionState.Closed)
                {
                    Keep(args, cancellation, done);
                    return;
                }
                var why = command + " was not sent: the client is " + state.ToString().ToLowerInvariant() + "; wait until it is ready";
                done(null, new ConnectionLostException(why, null, state == ConnectionState.Closed));
                return;
            }
            var keepsKeys = Connection.State.Server.KeepsKeys;
            if (needsKey && !keepsKeys)
            {
                done(null, new KeyNotKeptException(command + " was not sent: this server keeps no keys, so a repeat could take effect twice"));
                return;
            }
            var keyed = keepsKeys && key != null ? new KeyedCall(key, account.Id, loop.NowMs) : null;
            var undo = command == Commands.SetActivity ? desired.SetPresence(args) : null;
            Connection.Send(command, args, null, timeoutMs ?? DefaultMs, cancellation, account.Watch(command, (data, error) =>
            {
                if (error == null) Learn(command, args, data);
                else if (error is CallException) undo?.Invoke();
                done(data, error);
            }), keyed);
        }

        /// <summary>Keeps a presence for the next connection.</summary>
        private void Keep(object args, CancellationToken cancellation, Done done)
        {
            desired.SetUnsentPresence(args);
            deferred?.End(null, new PresenceReplacedException("the game set a newer presence before this one was shown"));
            deferred = new DeferredPresence(loop, cancellation, done);
        }

        internal void Add(Subscription subscription)
        {
            if (Subscriptions.Add(subscription) && IsReady) _ = SubscribePending();
        }

        public async Task Restore()
        {
            account.Connected();
            // Before the sign-in, which can take half a minute if the platform is unreachable.
            var first = Subscriptions.SubscribeFirst();
            _ = Quiet.End(first);
            if (desired.CallTimeoutMs != null)
                _ = Quiet.End(Send(Commands.SetHttpRequestTimeout, new JsonObject { { "timeout_ms", desired.CallTimeoutMs.Value } }));
            // The other subscriptions need the scopes of the sign-in.
            var hadCredential = desired.Credential != null;
            var isSignedIn = await SignInAgain();
            await Task.WhenAny(first, loop.Delay(RestoreMs));
            if (isSignedIn) Subscriptions.Requeue(false);
            var subscribed = Subscriptions.SubscribeAll();
            var shown = ShowAgain(desired.TakePresence());
            _ = Quiet.End(shown);
            _ = ThenResubscribe(subscribed);
            await Task.WhenAny(Task.WhenAll(Quiet.End(subscribed), Quiet.End(shown)), loop.Delay(RestoreMs));
            if (isSignedIn) SetSignIn(SignInState.SignedIn);
            else if (SignIn == SignInState.SignedIn) SetSignIn(SignInState.SignedOut);
            needsSignIn = hadCredential && !isSignedIn;
        }

        private async Task ShowAgain(object presence)
        {
            // A new connection shows nothing, so there is nothing to clear.
            if (presence == null) deferred?.Answer(null, null);
            else await Show(presence);
        }

        /// <summary>Shows a presence, and ends the call that set it without a connection, if there is one.</summary>
        private async Task Show(object presence)
        {
            var waiting = deferred;
            try
            {
                var data = await Send(Commands.SetActivity, presence);
                desired.JudgePresence(presence, false);
                waiting?.Answer(data, null);
            }
            catch (SallyportException error)
            {
                if (error is CallException) desired.JudgePresence(presence, true);
                waiting?.Answer(null, error);
                throw;
            }
        }

        public void OnState(ClientState state)
        {
            signInTimer?.Dispose();
            subscribeTimer?.Dispose();
            subscribeTimer = null;
            if (state.Connection == ConnectionState.Closed)
            {
                Subscriptions.Close();
                deferred?.End(null, new ConnectionLostException("the client was closed before the presence was shown", null, true));
            }
            if (state.Connection == ConnectionState.Waiting || state.Connection == ConnectionState.Offline) Subscriptions.Reset();
            StateChanged(state);
            if (state.Connection != ConnectionState.Ready) return;
            SendHeld();
            // What the game changed while the rest was restored.
            subscribeAttempt = 0;
            _ = SubscribePending();
            var unsent = desired.UnsentPresence;
            desired.UnsentPresence = null;
            if (unsent != null) _ = Quiet.End(Show(unsent));
            if (needsSignIn) ScheduleSignIn(0);
        }

        public void OnEvent(string name, object data, int bytes)
        {
            if (name == Events.TokenRevoked) SignedOut(SignInState.Revoked);
            Subscriptions.Deliver(name, data, bytes);
        }

        public void OnLost(SallyportException reason)
        {
            if (reason is ServerClosedException closed && closed.CloseCode == (long)CloseCode.TokenRevoked) SignedOut(SignInState.Revoked);
        }

        public void WhenRoom(Action resume)
        {
            dispatcher.WhenRoom(resume);
        }

        private long DefaultMs => options.CallTimeout == null
            ? Math.Max(DaemonCallMs, desired.CallTimeoutMs ?? 0) + MarginMs
            : (long)options.CallTimeout.Value.TotalMilliseconds;

        private Task<object> Send(string command, object args, string name = null)
        {
            var ended = new TaskCompletionSource<object>(TaskCreationOptions.RunContinuationsAsynchronously);
            Connection.Send(command, args, name, DefaultMs, CancellationToken.None, account.Watch(command, (data, error) =>
            {
                if (error == null) ended.TrySetResult(data);
                else ended.TrySetException(error);
            }));
            return ended.Task;
        }

        private void Learn(string command, object args, object data)
        {
            if (command == Commands.Authenticate || command == Commands.UpdateToken)
            {
                desired.SignedIn(args, data);
                user = UserOf(data);
                SignedIn();
            }
            else if (command == Commands.ForgetTokens) SignedOut(SignInState.SignedOut);
            else if (command == Commands.SetHttpRequestTimeout && args is IReadOnlyDictionary<string, object> fields)
                desired.CallTimeoutMs = JsonValue.Get(fields, "timeout_ms") is int given ? given : JsonValue.Integer(JsonValue.Get(fields,
                    "timeout_ms"));
        }

        /// <summary>
        /// Signs in with the last credential; forgets one that the server refuses. Fails with <see cref="ConnectionLostException"/>.
        /// </summary>
        private async Task<bool> SignInAgain()
        {
            if (desired.Credential == null) return false;
            try
            {
                user = UserOf(await Send(Commands.Authenticate, desired.Credential));
                return true;
            }
            catch (CallException error) when (!error.IsRetryable)
            {
                // Bridges of earlier versions do not accept the user id.
                if (!desired.IsGrant || error.Code != (long)ErrorCode.InvalidPayload || !desired.Credential.ContainsKey("user_id"))
                {
                    desired.Credential = null;
                    return false;
                }
            }
            catch (ConnectionLostException)
            {
                throw;
            }
            catch (SallyportException)
            {
                return false;
            }
            desired.Credential = new JsonObject();
            return await SignInAgain();
        }

        /// <summary>Repeats writes of earlier connections. They wait while a sign-in has no answer, or is tried again.</summary>
        private void SendHeld()
        {
            var signsIn = desired.Credential != null && SignIn != SignInState.SignedIn;
            if (IsReady) Connection.SendHeld(account.Id, signsIn || account.IsChanging);
        }

        private static RpcUser UserOf(object data)
        {
            return data is IReadOnlyDictionary<string, object> fields ? RpcUser.Read(JsonValue.Get(fields, "user")) : null;
        }

        private void SignedIn()
        {
            signInTimer?.Dispose();
            SetSignIn(SignInState.SignedIn);
            SendHeld();
            Subscriptions.Requeue(false);
            _ = SubscribePending();
        }

        private void SignedOut(SignInState state)
        {
            account.SignedOut();
            desired.Credential = null;
            signInTimer?.Dispose();
            SetSignIn(state);
            SendHeld();
        }

        private void SetSignIn(SignInState state)
        {
            SignIn = state;
            if (state != SignInState.SignedIn) user = null;
            SignInChanged(state, user);
        }

        /// <summary>Signs in later while there is a credential, because the platform may be unreachable.</summary>
        private void ScheduleSignIn(int attempt)
        {
            if (desired.Credential == null)
            {
                SendHeld();
                return;
            }
            signInTimer = loop.After(Backoff.Reconnect.Before(attempt + 3, Backoff.EarlyMs), () => _ = SignInLater(attempt));
        }

        private async Task SignInLater(int attempt)
        {
            try
            {
                var isSignedIn = await SignInAgain();
                if (!IsReady || SignIn == SignInState.SignedIn) return;
                if (isSignedIn) SignedIn();
                else ScheduleSignIn(attempt + 1);
            }
            catch (ConnectionLostException)
            {
                // The restore signs in again.
            }
        }

        private Task SubscribePending()
        {
            return ThenResubscribe(Subscriptions.SubscribeAll());
        }

        /// <summary>Sends transiently refused subscriptions again, with growing delays, until none is left.</summary>
        private async Task ThenResubscribe(Task subscribed)
        {
            try
            {
                await subscribed;
            }
            catch (ConnectionLostException)
            {
                return;
            }
            if (!IsReady || !Subscriptions.HasTransient || subscribeTimer != null) return;
            subscribeTimer = loop.After(Backoff.Resubscribe.Before(subscribeAttempt++, 0), () =>
            {
                subscribeTimer = null;
                Subscriptions.Requeue(true);
                _ = SubscribePending();
            });
        }
    }
}
