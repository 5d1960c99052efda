using System;
using System.Collections.Generic;
using System.Globalization;

namespace Sallyport
{
    /// <summary>An error of the client. The message states what happened and, if possible, what to do.</summary>
    public class SallyportException : Exception
    {
        protected internal SallyportException(string message, Exception cause = null) : base(message, cause)
        {
        }
    }

    /// <summary>The server refused a call. The same connection continues.</summary>
    public sealed class CallException : SallyportException
    {
        internal CallException(string command, long code, string message, IReadOnlyDictionary<string, object> data) : base(message)
        {
            Command = command;
            Code = code;
            Fields = data;
        }

        /// <summary>The client itself refuses a call. Nothing was sent.</summary>
        internal static CallException Refusal(string command, string message)
        {
            return new CallException(command, (long)ErrorCode.InvalidPayload, message, new JsonObject());
        }

        /// <summary>The command of the call.</summary>
        public string Command { get; }

        /// <summary>A code of <see cref="ErrorCode"/>, or a newer one.</summary>
        public long Code { get; }

        /// <summary>The name of the code: "RATE_LIMITED". "UNKNOWN_ERROR" for one of a newer server.</summary>
        public string Name => ErrorNames.Of(Code);

        /// <summary>All fields of the error.</summary>
        public IReadOnlyDictionary<string, object> Fields { get; }

        /// <summary>Whether the same call may succeed later.</summary>
        public bool IsRetryable => RetryableErrors.Contains(Code);

        /// <summary>The time to wait before the next call, if the server named one.</summary>
        public TimeSpan? RetryAfter
        {
            get
            {
                var seconds = JsonValue.Number(JsonValue.Get(Fields, "retry_after"));
                // Nothing waits longer than a day; a larger number must not overflow.
                return seconds == null || !(seconds >= 0) ? (TimeSpan?)null : TimeSpan.FromSeconds(Math.Min(seconds.Value, 86400));
            }
        }
    }

    /// <summary>No response in time. The server may still execute the call.</summary>
    public sealed class CallTimeoutException : SallyportException
    {
        internal CallTimeoutException(string message) : base(message)
        {
        }
    }

    /// <summary>
    /// No connection, or it ended before the response. The server may or may not have executed the call. A call of
    /// <see cref="KeyedCommands"/> that was sent ends so only if it cannot be repeated, for example because another user is signed in.
    /// </summary>
    public sealed class ConnectionLostException : SallyportException
    {
        internal ConnectionLostException(string message, Exception cause = null, bool wasClosed = false) : base(message, cause)
        {
            WasClosed = wasClosed;
        }

        /// <summary>Whether the game closed the client.</summary>
        public bool WasClosed { get; }
    }

    /// <summary>The game gave a key, and this server would ignore it. Nothing was sent.</summary>
    public sealed class KeyNotKeptException : SallyportException
    {
        internal KeyNotKeptException(string message) : base(message)
        {
        }
    }

    /// <summary>A presence that was set without a connection was never shown, because the game set a newer one.</summary>
    public sealed class PresenceReplacedException : SallyportException
    {
        internal PresenceReplacedException(string message) : base(message)
        {
        }
    }

    /// <summary>
    /// No usable server was found: the game continues without it. The cause is a <see cref="ForeignServerException"/> if one was
    /// rejected.
    /// </summary>
    public sealed class ServerNotAvailableException : SallyportException
    {
        internal ServerNotAvailableException(string message, Exception cause) : base(message, cause)
        {
        }
    }

    /// <summary>The server may belong to another user or to a contained program; the client does not use it.</summary>
    public sealed class ForeignServerException : SallyportException
    {
        internal ForeignServerException(string message) : base(message)
        {
        }
    }

    /// <summary>The server refused the handshake or closed the connection with a code.</summary>
    public sealed class ServerClosedException : SallyportException
    {
        internal ServerClosedException(long closeCode, string reason) : base(Sentence(closeCode, reason))
        {
            CloseCode = closeCode;
        }

        /// <summary>A code of <see cref="Sallyport.CloseCode"/>, or a newer one.</summary>
        public long CloseCode { get; }

        private static string Sentence(long code, string reason)
        {
            var number = code.ToString(CultureInfo.InvariantCulture);
            return reason == "" ? "the server closed the connection with code " + number : "the server closed the connection: " + reason
                + " (" + number + ")";
        }
    }

    /// <summary>The server violated the framing or the encoding; the client ends the connection.</summary>
    public sealed class ProtocolException : SallyportException
    {
        internal ProtocolException(string message) : base(message)
        {
        }
    }
}
