using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace Sallyport
{
    /// <summary>
    /// The search for a server (as RFC 8305): tries candidates in order, starts the next one when the last fails or is slow, and prefers a
    /// bridge. It ends once, and closes every connection that it does not return.
    /// </summary>
    internal sealed class Search
    {
        /// <summary>Time after which the next candidate starts while the last one is pending.</summary>
        private const long HeadStartMs = 250;

        private readonly SerialLoop loop;
        private readonly ClientOptions options;
        private readonly IReadOnlyList<Candidate> candidates;
        private readonly int skipped;
        private readonly bool acceptOthers;
        private readonly List<ServerConnection> others = new List<ServerConnection>();
        private readonly List<Exception> errors = new List<Exception>();
        private IDisposable headStart;
        private int started;
        private int pending;
        private bool isEnded;

        internal Search(SerialLoop loop, ClientOptions options, IReadOnlyList<Candidate> candidates, int skipped, bool acceptOthers)
        {
            this.loop = loop;
            this.options = options;
            this.candidates = candidates;
            this.skipped = skipped;
            this.acceptOthers = acceptOthers;
        }

        /// <summary>Attempts that are still pending end with the search.</summary>
        internal event Action OnEnd;

        internal Action<ServerConnection> OnFound;

        internal Action<SallyportException> OnFailed;

        internal Action<ServerConnection> OnOther;

        internal void Start()
        {
            headStart?.Dispose();
            if (isEnded) return;
            if (started == candidates.Count)
            {
                if (pending == 0) Finish(acceptOthers ? FirstOther() : null);
                return;
            }
            var candidate = candidates[started++];
            pending++;
            headStart = loop.After(HeadStartMs, Start);
            _ = Try(candidate);
        }

        internal void Cancel()
        {
            OnFound = connection => _ = connection.Close();
            OnFailed = _ => { };
            Finish(null);
        }

        private async Task Try(Candidate candidate)
        {
            ServerConnection connection = null;
            try
            {
                connection = await ServerConnection.Open(loop, candidate, options, acceptOthers && options.AllowPackagedClient, this);
            }
            catch (Exception error)
            {
                errors.Add(error);
            }
            pending--;
            if (connection == null) Start();
            else if (isEnded) _ = connection.Close();
            else if (connection.Server.IsBridge) Finish(connection);
            else
            {
                others.Add(connection);
                OnOther(connection);
                Start();
            }
        }

        private void Finish(ServerConnection selected)
        {
            if (isEnded) return;
            isEnded = true;
            headStart?.Dispose();
            OnEnd?.Invoke();
            foreach (var other in others) if (other != selected) _ = other.Close();
            if (selected == null) OnFailed(NotFound());
            else OnFound(selected);
        }

        private ServerConnection FirstOther()
        {
            foreach (var candidate in candidates)
                foreach (var other in others)
                    if (other.Server.Path == candidate.Path) return other;
            return null;
        }

        private SallyportException NotFound()
        {
            var refused = errors.Find(error => error is ServerClosedException);
            if (refused != null) return (SallyportException)refused;
            var foreign = errors.Find(error => error is ForeignServerException);
            var first = candidates.Count == 0 ? "no candidate" : candidates[0].Path;
            string sentence;
            if (skipped + others.Count > 0) sentence = "a server of the protocol was found, but it is not a Sallyport bridge";
            else if (foreign == null) sentence = "no server was found";
            else sentence = "no trusted server was found: " + foreign.Message;
            return new ServerNotAvailableException(
                sentence + " (searched from " + first + "); start one with: sallyport run", foreign ?? (errors.Count > 0 ? errors[0]
                    : null));
        }
    }
}
