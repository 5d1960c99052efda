using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Sallyport
{
    public sealed partial class SallyportClient
    {
        /// <summary>Time for the user to decide: the longest of a call.</summary>
        private const long ConsentMs = 300000;

        /// <summary>
        /// Makes one call. Fails with <see cref="CallException"/>,
        /// <see cref="CallTimeoutException"/>, <see cref="ConnectionLostException"/>, <see cref="KeyNotKeptException"/>
        /// or <see cref="OperationCanceledException"/>. The arguments must not change before the call ends. A call of
        /// <see cref="KeyedCommands"/> copies them, is repeated on the next connection if its own was lost, and takes effect at most once:
        /// after <see cref="ErrorCode.UnknownOutcome"/> it may have done so or not. `key` is one that the game stored before
        /// (<see cref="CallKey"/>). Throws <see cref="ArgumentException"/> for a key that is none or that is not needed.
        /// </summary>
        public Task<object> CallAsync(
            string command,
            IReadOnlyDictionary<string, object> args = null,
            TimeSpan? timeout = null,
            CancellationToken cancellation = default(CancellationToken),
            string key = null)
        {
            CallKey.Check(command, key);
            return AsTask(done => Request(command, args, Milliseconds(timeout), cancellation, done, key), cancellation);
        }

        /// <summary>Makes the call of these arguments. Is and fails as the other method of this name.</summary>
        public Task<object> CallAsync(CallArguments args, TimeSpan? timeout = null,
            CancellationToken cancellation = default(CancellationToken), string key = null)
        {
            return CallAsync(args.Command, args, timeout, cancellation, key);
        }

        /// <summary>As the other method of this name, with the command of the arguments.</summary>
        public void Call(CallArguments args, Action<CallResult> callback, TimeSpan? timeout = null, string key = null)
        {
            Call(args.Command, args, callback, timeout, key);
        }

        /// <summary>Makes one call; the callback runs once, also after the client is disposed. The key is as in CallAsync.</summary>
        public void Call(string command, IReadOnlyDictionary<string, object> args, Action<CallResult> callback, TimeSpan? timeout = null,
            string key = null)
        {
            CallKey.Check(command, key);
            Request(command, args, Milliseconds(timeout), CancellationToken.None, Dispatched(callback), key);
        }

        /// <summary>
        /// Adds a listener for an event, kept across reconnects. Listeners of the same event and arguments share one subscription.
        /// </summary>
        public Subscription Subscribe(string name, Action<object> listener, IReadOnlyDictionary<string, object> args = null)
        {
            return Subscribe(name, new CallbackListener(dispatcher, listener), args);
        }

        /// <summary>
        /// The events of this name, for `await foreach` in C# 8. The loop neither needs <see cref="Tick"/> nor runs in it. A refused
        /// subscription is tried again after the next sign-in, as that of a listener.
        /// </summary>
        public EventStream Stream(string name, IReadOnlyDictionary<string, object> args = null)
        {
            return new EventStream(cancellation =>
            {
                var events = new EventEnumerator(dispatcher, cancellation);
                events.Subscription = Subscribe(name, events, args);
                return events;
            });
        }

        private Subscription Subscribe(string name, IEventListener listener, IReadOnlyDictionary<string, object> args)
        {
            var entry = new SubscriptionEntry { Name = name, Args = args, Key = Subscriptions.KeyOf(name, args) };
            var subscription = new Subscription(entry, listener, one => loop.Post(() => session.Subscriptions.Remove(one)));
            loop.Post(() =>
            {
                if (session.Connection.State.Connection == ConnectionState.Closed) subscription.End();
                else session.Add(subscription);
            });
            return subscription;
        }

        /// <summary>
        /// Adds a listener for the user's request to link the account to this game, which should then sign in. Restored first.
        /// </summary>
        public Subscription OnAuthorizeRequest(Action listener)
        {
            return Subscribe(Events.AuthorizeRequest, data => listener());
        }

        /// <summary>
        /// Shows a presence, restored after every reconnect. `activity` has the fields of SET_ACTIVITY. Without a connection the client
        /// keeps it: the task ends when the next connection has shown it, or with <see cref="PresenceReplacedException"/> when the game
        /// sets another one first.
        /// </summary>
        public Task<object> SetActivityAsync(IReadOnlyDictionary<string, object> activity,
            CancellationToken cancellation = default(CancellationToken))
        {
            return CallAsync(Commands.SetActivity, PresenceOf(activity), null, cancellation);
        }

        /// <summary>As the other method of this name; null clears the presence.</summary>
        public void SetActivity(IReadOnlyDictionary<string, object> activity, Action<CallResult> callback)
        {
            Call(Commands.SetActivity, PresenceOf(activity), callback);
        }

        /// <summary>Clears the presence. Without a connection the task ends when the next connection does not show it.</summary>
        public Task<object> ClearActivityAsync(CancellationToken cancellation = default(CancellationToken))
        {
            return SetActivityAsync(null, cancellation);
        }

        /// <summary>
        /// Signs in with the stored grant of this program, and asks the user for the scopes only if nothing valid is stored. A rate limit, an
        /// unreachable platform and a refusal are no reasons to open a browser: it fails with them.
        /// </summary>
        public async Task<Authentication> SignInAsync(IEnumerable<string> scopes,
            CancellationToken cancellation = default(CancellationToken))
        {
            var data = await AsTask(done => SignIn(scopes, cancellation, done), cancellation).ConfigureAwait(false);
            return Authentication.Read(data);
        }

        /// <summary>As <see cref="SignInAsync"/>, with a callback.</summary>
        public void SignIn(IEnumerable<string> scopes, Action<CallResult> callback)
        {
            SignIn(scopes, CancellationToken.None, Dispatched(callback));
        }

        /// <summary>
        /// Asks the user for the scopes in the browser in any case, for example for more than before, and signs in with a proof key. The daemon
        /// stores the tokens. Fails with <see cref="CallException"/>: <see cref="ErrorCode.Oauth2Error"/> when the user declines.
        /// </summary>
        public async Task<Authentication> AskToSignInAsync(IEnumerable<string> scopes,
            CancellationToken cancellation = default(CancellationToken))
        {
            var data = await AsTask(done => Ask(scopes, cancellation, done), cancellation).ConfigureAwait(false);
            return Authentication.Read(data);
        }

        /// <summary>As <see cref="AskToSignInAsync"/>, with a callback.</summary>
        public void AskToSignIn(IEnumerable<string> scopes, Action<CallResult> callback)
        {
            Ask(scopes, CancellationToken.None, Dispatched(callback));
        }

        /// <summary>Ends the sign-in of this program: the bridge forgets its tokens, and no reconnect restores it.</summary>
        public Task SignOutAsync(CancellationToken cancellation = default(CancellationToken))
        {
            return CallAsync(Commands.ForgetTokens, null, null, cancellation);
        }

        /// <summary>
        /// Signs in with the stored grant of this program. Fails with <see cref="ErrorCode.InvalidToken"/> if there is none.
        /// </summary>
        public async Task<Authentication> SignInSilentlyAsync(CancellationToken cancellation = default(CancellationToken))
        {
            return Authentication.Read(await CallAsync(Commands.Authenticate, null, null, cancellation).ConfigureAwait(false));
        }

        private void SignIn(IEnumerable<string> scopes, CancellationToken cancellation, Done done)
        {
            Request(Commands.Authenticate, null, null, cancellation, (user, error) =>
            {
                if (error is CallException refused && refused.Code == (long)ErrorCode.InvalidToken) Ask(scopes, cancellation, done);
                else done(user, error);
            });
        }

        private void Ask(IEnumerable<string> scopes, CancellationToken cancellation, Done done)
        {
            var key = Pkce.Create();
            var authorize = new JsonObject
            {
                { "client_id", applicationId },
                { "response_type", "code" },
                { "scopes", new List<string>(scopes) },
                { "code_challenge", key.Challenge },
                { "code_challenge_method", "S256" },
            };
            Request(Commands.Authorize, authorize, ConsentMs, cancellation, (granted, error) =>
            {
                if (error != null) done(null, error);
                else Exchange(key, granted as IReadOnlyDictionary<string, object>, cancellation, done);
            });
        }

        private void Exchange(Pkce key, IReadOnlyDictionary<string, object> granted, CancellationToken cancellation, Done done)
        {
            var code = granted == null ? null : JsonValue.Text(JsonValue.Get(granted, "code"));
            var redirect = granted == null ? null : JsonValue.Text(JsonValue.Get(granted, "redirect_uri"));
            if (code == null || redirect == null)
            {
                done(null,
                    new ProtocolException("the response to AUTHORIZE has no code or no redirect_uri; only a Sallyport bridge signs in"));
                return;
            }
            var exchange = new JsonObject { { "code", code }, { "code_verifier", key.Verifier }, { "redirect_uri", redirect } };
            Request(Commands.GetToken, exchange, null, cancellation, (tokens, error) =>
            {
                if (error != null)
                {
                    done(null, error);
                    return;
                }
                var args = new JsonObject();
                // The daemon could not store the tokens: this sign-in lasts as long as the connection.
                if (tokens is IReadOnlyDictionary<string, object> fields && JsonValue.Flag(JsonValue.Get(fields, "kept")) == false)
                    args.Add("access_token", JsonValue.Text(JsonValue.Get(fields, "access_token")));
                Request(Commands.Authenticate, args, null, cancellation, done);
            });
        }

        private JsonObject PresenceOf(IReadOnlyDictionary<string, object> activity)
        {
            var args = new JsonObject { { "pid", processId } };
            if (activity != null) args.Add("activity", CopyOf(activity));
            return args;
        }

        /// <summary>A copy, because games change one object and the client repeats it later.</summary>
        private static object CopyOf(object args)
        {
            return Json.Read(Json.Write(args));
        }

        private void Request(string command, object args, long? timeoutMs, CancellationToken cancellation, Done done, string key = null)
        {
            var takesKey = KeyedCommands.Contains(command);
            // Here and not in the loop, where an error would reach no code of the game.
            var usedKey = takesKey ? key ?? CallKey.Create() : null;
            object usedArgs;
            try
            {
                usedArgs = takesKey ? CopyOf(args) : args;
            }
            catch (Exception error)
            {
                // It runs collections of the game, which may throw anything.
                done(null, CallException.Refusal(command, error.Message));
                return;
            }
            loop.Post(() => session.Call(command, usedArgs, timeoutMs, cancellation, done, usedKey, key != null));
        }

        private Done Dispatched(Action<CallResult> callback)
        {
            return (data, error) => dispatcher.PostResult(() => callback?.Invoke(new CallResult(data, error)));
        }

        private static Task<object> AsTask(Action<Done> start, CancellationToken cancellation)
        {
            if (cancellation.IsCancellationRequested) return Task.FromCanceled<object>(cancellation);
            var ended = new TaskCompletionSource<object>(TaskCreationOptions.RunContinuationsAsynchronously);
            start((data, error) =>
            {
                if (error == null) ended.TrySetResult(data);
                else if (error is OperationCanceledException) ended.TrySetCanceled(cancellation);
                else ended.TrySetException(error);
            });
            return ended.Task;
        }

        private static long? Milliseconds(TimeSpan? time)
        {
            return time == null ? (long?)null : (long)time.Value.TotalMilliseconds;
        }
    }
}
