using System;

namespace Sallyport
{
    /// <summary>What the connection does.</summary>
    public enum ConnectionState
    {
        /// <summary>Not started, or given up.</summary>
        Offline,
        /// <summary>Searches for a server, or restores the state of the game.</summary>
        Connecting,
        /// <summary>Can make calls.</summary>
        Ready,
        /// <summary>The connection or the search failed; the client tries again after the delay.</summary>
        Waiting,
        /// <summary>The game closed the client.</summary>
        Closed
    }

    /// <summary>Whether the game is signed in.</summary>
    public enum SignInState
    {
        /// <summary>No user.</summary>
        SignedOut,
        /// <summary>The connection has a user.</summary>
        SignedIn,
        /// <summary>The user or the platform revoked the permission; the game must request it again.</summary>
        Revoked
    }

    /// <summary>The state of a client at a moment.</summary>
    public sealed class ClientState
    {
        internal ClientState(ConnectionState connection, Server server = null, SallyportException error = null,
            TimeSpan delay = default(TimeSpan))
        {
            Connection = connection;
            Server = server;
            Error = error;
            Delay = delay;
        }

        /// <summary>What the connection does.</summary>
        public ConnectionState Connection { get; }

        /// <summary>The server while ready; else null.</summary>
        [MayBeNull] public Server Server { get; }

        /// <summary>While waiting or offline: why; <see cref="ServerNotAvailableException"/> if there is no server.</summary>
        [MayBeNull] public SallyportException Error { get; }

        /// <summary>While waiting: the time until the next attempt.</summary>
        public TimeSpan Delay { get; }
    }
}
