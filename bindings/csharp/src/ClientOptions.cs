using System;

namespace Sallyport
{
    /// <summary>How a game on Windows reaches a named pipe.</summary>
    public enum WindowsPipe
    {
        /// <summary>By the class library, or by kernel32 if the library has no pipes.</summary>
        Automatic,
        /// <summary>By kernel32: an editor on mono and a player under IL2CPP then run the same code.</summary>
        Native
    }

    /// <summary>Settings of a client. Only the application id is required.</summary>
    public sealed class ClientOptions
    {
        /// <summary>The id of the application, decimal text.</summary>
        public string ApplicationId { get; set; }

        /// <summary>Where callbacks run.</summary>
        public Callbacks Callbacks { get; set; }

        /// <summary>
        /// The only folder to search for sockets. Default: the first of XDG_RUNTIME_DIR, TMPDIR, TMP, TEMP, else /tmp; or the private
        /// folder of the user below it, if other users can write to it. Not used on Windows.
        /// </summary>
        [MayBeNull] public string RuntimeDirectory { get; set; }

        /// <summary>The only slot to try, 0 to 9; default: all.</summary>
        public int? Slot { get; set; }

        /// <summary>First part of the name of a socket or pipe.</summary>
        public string IpcPrefix { get; set; } = "discord-ipc";

        /// <summary>How the client reaches a pipe. Used on Windows only.</summary>
        public WindowsPipe WindowsPipe { get; set; }

        /// <summary>Whether servers that are not a Sallyport bridge are ignored.</summary>
        public bool RequireBridge { get; set; }

        /// <summary>
        /// Whether the platform's own client is also used where it is installed as a Flatpak or Snap. Contained programs can listen there
        /// too, and then get the presence and the tokens of the game. No effect with RequireBridge.
        /// </summary>
        public bool AllowPackagedClient { get; set; }

        /// <summary>Whether the client connects again when the connection ends.</summary>
        public bool Reconnect { get; set; } = true;

        /// <summary>
        /// Time limit of a call. Default: five seconds more than the limit of the daemon, so that its error arrives first.
        /// </summary>
        public TimeSpan? CallTimeout { get; set; }

        /// <summary>Name and version of the game; the daemon shows them to its user.</summary>
        public string SdkVersion { get; set; } = "sallyport-csharp/0.1.0";

        /// <summary>The time; tests replace it.</summary>
        [MayBeNull] public Clock Clock { get; set; }

        internal ClientOptions Checked()
        {
            if (string.IsNullOrEmpty(ApplicationId)) throw new ArgumentException("ApplicationId is required");
            if (Slot < 0 || Slot >= Wire.SlotCount) throw new ArgumentException("Slot must be 0 to 9");
            // A copy, because the game may change its object later.
            return (ClientOptions)MemberwiseClone();
        }
    }
}
