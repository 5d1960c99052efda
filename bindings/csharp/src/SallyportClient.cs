using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Sallyport
{
    /// <summary>
    /// A connection of one application to the local server, restored after every reconnect. Every member may be used from every thread, and
    /// none of them blocks.
    /// </summary>
    public sealed partial class SallyportClient : IDisposable
    {
        private readonly SerialLoop loop;
        private readonly Session session;
        private readonly Dispatcher dispatcher;
        private readonly string applicationId;
        private readonly List<Waiter> waiters = new List<Waiter>();
        private readonly TaskCompletionSource<bool> closed =
            new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly long processId;
        private volatile ClientState state = new ClientState(ConnectionState.Offline);
        private volatile RpcUser user;
        private int isClosing;

        /// <summary>Does not connect: listeners can be added first.</summary>
        public SallyportClient(ClientOptions options)
        {
            var given = options.Checked();
            applicationId = given.ApplicationId;
            loop = new SerialLoop(given.Clock ?? new SystemClock());
            dispatcher = new Dispatcher(given.Callbacks, given.Callbacks == Callbacks.Context ? SynchronizationContext.Current : null);
            session = new Session(loop, given, dispatcher) { StateChanged = OnState, SignInChanged = OnSignIn };
            processId = Discovery.IsWindows ? WindowsTransport.ProcessId : UnixFiles.ProcessId;
        }

        /// <summary>Called on each change of <see cref="State"/>.</summary>
        public event Action<ClientState> StateChanged;

        /// <summary>Called when the game was signed in or out, also by a reconnect.</summary>
        public event Action<SignInState> SignInChanged;

        /// <summary>The state now.</summary>
        public ClientState State => state;

        /// <summary>The id of this process, for arguments that have it.</summary>
        public long ProcessId => processId;

        /// <summary>The signed-in user; null while signed out or without a connection.</summary>
        [MayBeNull] public RpcUser CurrentUser => state.Connection == ConnectionState.Ready ? user : null;

        /// <summary>
        /// Starts the search for a server, which goes on until one is found. From then on the client reconnects until it is disposed.
        /// </summary>
        public void Connect()
        {
            loop.Post(() => session.Connection.Connect(-1));
        }

        /// <summary>
        /// Searches for at most this time; zero looks once. Fails with <see cref="ServerNotAvailableException"/>, or with
        /// <see cref="ServerClosedException"/> if a server refused. A cancelled token ends the wait and not the search.
        /// </summary>
        public Task<Server> ConnectAsync(TimeSpan timeout, CancellationToken cancellation = default(CancellationToken))
        {
            loop.Post(() => session.Connection.Connect((long)timeout.TotalMilliseconds));
            return WhenReadyAsync(cancellation);
        }

        /// <summary>Completes when the client can make calls, now or after a reconnect. Fails if it is offline or closed.</summary>
        public Task<Server> WhenReadyAsync(CancellationToken cancellation = default(CancellationToken))
        {
            var waiter = new Waiter();
            if (cancellation.CanBeCanceled)
                waiter.Cancellation = cancellation.Register(() => waiter.Source.TrySetCanceled(cancellation), false);
            loop.Post(() =>
            {
                waiters.Add(waiter);
                Settle(session.Connection.State);
            });
            return waiter.Source.Task;
        }

        /// <summary>
        /// Runs waiting callbacks; with <see cref="Callbacks.Tick"/> once per frame of the game. An exception of a callback leaves the
        /// rest for the next time.
        /// </summary>
        public void Tick()
        {
            dispatcher.Run();
        }

        /// <summary>
        /// Closes the client. Pending calls fail with <see cref="ConnectionLostException"/>; other callbacks do not run any more. Does
        /// not wait.
        /// </summary>
        public void Dispose()
        {
            _ = CloseAsync();
        }

        /// <summary>As <see cref="Dispose"/>; completes when the sent bytes are written, after a second at most.</summary>
        public Task CloseAsync()
        {
            if (Interlocked.Exchange(ref isClosing, 1) == 0)
            {
                dispatcher.Close();
                loop.Post(() => _ = EndAsync());
            }
            return closed.Task;
        }

        private async Task EndAsync()
        {
            await session.Connection.Close();
            loop.StopTimer();
            closed.TrySetResult(true);
        }

        private void OnState(ClientState next)
        {
            state = next;
            dispatcher.Post(() => StateChanged?.Invoke(next));
            Settle(next);
        }

        private void OnSignIn(SignInState next, RpcUser of)
        {
            user = of;
            dispatcher.Post(() => SignInChanged?.Invoke(next));
        }

        /// <summary>Ends the waits that the state decides.</summary>
        private void Settle(ClientState now)
        {
            if (now.Connection == ConnectionState.Connecting || now.Connection == ConnectionState.Waiting) return;
            foreach (var waiter in waiters)
            {
                waiter.Cancellation.Dispose();
                if (now.Connection == ConnectionState.Ready) waiter.Source.TrySetResult(now.Server);
                else if (now.Connection == ConnectionState.Closed)
                    waiter.Source.TrySetException(new ConnectionLostException("the client was closed", null, true));
                else waiter.Source.TrySetException(now.Error ?? new ConnectionLostException("the client is offline; call Connect first"));
            }
            waiters.Clear();
        }

        private sealed class Waiter
        {
            internal readonly TaskCompletionSource<Server> Source =
                new TaskCompletionSource<Server>(TaskCreationOptions.RunContinuationsAsynchronously);
            internal CancellationTokenRegistration Cancellation;
        }
    }
}
