using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace Sallyport
{
    /// <summary>The connected server, as READY describes it.</summary>
    public sealed class Server
    {
        internal Server(Candidate candidate, string transport, object ready)
        {
            var fields = ready as IReadOnlyDictionary<string, object> ?? new JsonObject();
            var bridge = JsonValue.Get(fields, "bridge") as IReadOnlyDictionary<string, object>;
            Path = candidate.Path;
            Slot = candidate.Slot;
            Transport = transport;
            Contract = JsonValue.Text(JsonValue.Get(fields, "contract"));
            User = RpcUser.Read(JsonValue.Get(fields, "user"));
            IsBridge = bridge != null;
            BridgeVersion = bridge == null ? null : JsonValue.Text(JsonValue.Get(bridge, "version"));
            KeepsKeys = JsonValue.Flag(JsonValue.Get(fields, "call_keys")) == true;
        }

        /// <summary>Socket or pipe.</summary>
        public string Path { get; }

        /// <summary>Its number, 0 to 9.</summary>
        public int Slot { get; }

        /// <summary>What carries the connection, for logs: "Unix socket", "named pipe" or "named pipe by kernel32".</summary>
        public string Transport { get; }

        /// <summary>Whether the server is a Sallyport bridge.</summary>
        public bool IsBridge { get; }

        /// <summary>Version of the bridge; null for another server.</summary>
        [MayBeNull] public string BridgeVersion { get; }

        /// <summary>Version of the contract, MAJOR.MINOR; null if the server names none.</summary>
        [MayBeNull] public string Contract { get; }

        /// <summary>Whether it runs a call with a key at most once, also if the call is repeated.</summary>
        public bool KeepsKeys { get; }

        /// <summary>The user of the server; null if it names none.</summary>
        [MayBeNull] public RpcUser User { get; }
    }

    /// <summary>One connection: the handshake, then messages.</summary>
    internal sealed class ServerConnection
    {
        /// <summary>Time limit until READY. The platform's own client delays handshakes when there are many.</summary>
        private const long HandshakeMs = 5000;

        private readonly FrameStream frames;
        private readonly TaskCompletionSource<bool> ready =
            new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly Candidate candidate;
        private readonly string transport;
        /// <summary>What came before <see cref="Attach"/>: at most one chunk, since reading waits.</summary>
        private readonly List<Message> early = new List<Message>();
        private SallyportException earlyEnd;
        private Action resume;
        private Action<Message, int> onMessage;
        private Action<SallyportException> onEnd;
        private Action<Action> whenRoom;

        private ServerConnection(SerialLoop loop, Opened opened, Candidate candidate)
        {
            this.candidate = candidate;
            transport = opened.Transport;
            frames = new FrameStream(loop, opened.Stream) { OnFrame = Receive, OnEnd = End, BeforeRead = BeforeRead };
        }

        internal Server Server { get; private set; }

        internal object ReadyData { get; private set; }

        /// <summary>
        /// Connects and shakes hands. Throws a <see cref="SallyportException"/>, or an error of the system if nothing listens.
        /// </summary>
        internal static async Task<ServerConnection> Open(SerialLoop loop, Candidate candidate, ClientOptions options,
            bool allowContained, Search search)
        {
            var opened = Discovery.IsWindows
                ? WindowsTransport.Open(candidate.Path, options.WindowsPipe)
                : UnixTransport.Open(candidate, allowContained);
            var connection = new ServerConnection(loop, opened, candidate);
            Action expire = () => connection.frames.Fail(
                new ConnectionLostException(candidate.Path + " accepted the connection but did not complete the handshake in time"));
            var timer = loop.After(HandshakeMs, expire);
            search.OnEnd += expire;
            try
            {
                connection.frames.Start();
                connection.frames.Send(Opcode.Handshake, Message.Encode(new JsonObject
                {
                    { "v", Wire.ProtocolVersion },
                    { "client_id", options.ApplicationId },
                    { "contract", Wire.ContractVersion },
                    { "encoding", "json" },
                    { "max_frame_bytes", Limits.ContractFrameBytes },
                    { "streams", true },
                    { "sdk_version", options.SdkVersion },
                }));
                await connection.ready.Task;
                if (!connection.Server.IsBridge || !opened.MayBeContained) return connection;
                _ = connection.Close();
                throw new ForeignServerException(
                    "the server at " + candidate.Path + " says that it is a bridge, where a contained program may have started it");
            }
            finally
            {
                search.OnEnd -= expire;
                timer.Dispose();
            }
        }

        /// <summary>Delivers messages with their bytes, then the end; first what came earlier.</summary>
        internal void Attach(Action<Message, int> message, Action<SallyportException> end, Action<Action> room)
        {
            onMessage = message;
            onEnd = end;
            whenRoom = room;
            foreach (var one in early) message(one, 0);
            early.Clear();
            if (earlyEnd != null) end(earlyEnd);
            else if (resume != null) room(resume);
            resume = null;
        }

        /// <summary>
        /// Sends a call. Throws <see cref="CallException"/> if it is no JSON, or larger than the server accepts, which would end the
        /// connection.
        /// </summary>
        internal void Send(string command, JsonObject message)
        {
            byte[] payload;
            try
            {
                payload = Message.Encode(message);
            }
            catch (Exception error)
            {
                // It runs collections of the game. One that another thread changes, or a lazy one, may throw anything.
                throw CallException.Refusal(command, error.Message);
            }
            var limit = Server.Contract == null ? Limits.OutgoingPayloadBytes : Limits.ContractFrameBytes;
            if (payload.Length > limit) throw CallException.Refusal(command, "the call has " + payload.Length + " bytes; this server accepts at most "
                + limit);
            if (!frames.Send(Opcode.Frame, payload)) throw CallException.Refusal(command, "the server does not read; call again later");
        }

        /// <summary>Sends CLOSE and ends the connection; completes when CLOSE is sent.</summary>
        internal Task Close()
        {
            frames.Send(Opcode.Close, Message.Encode(new JsonObject { { "code", (long)CloseCode.CloseNormal }, { "message", "" } }));
            return frames.End();
        }

        private void Receive(Opcode opcode, byte[] payload)
        {
            if (opcode == Opcode.Close)
            {
                frames.Fail(Message.ReadClose(payload));
                return;
            }
            var message = Message.Read(payload);
            if (Server == null)
            {
                if (message == null
                    || message.Event != Events.Ready) throw new ProtocolException("the first message of the server is not READY");
                ReadyData = message.Data;
                Server = new Server(candidate, transport, message.Data);
                ready.TrySetResult(true);
            }
            else if (message == null) return;
            else if (onMessage == null) early.Add(message);
            else onMessage(message, payload.Length);
        }

        private void End(SallyportException reason)
        {
            if (Server == null) ready.TrySetException(reason);
            else if (onEnd == null) earlyEnd = reason;
            else onEnd(reason);
        }

        private void BeforeRead(Action read)
        {
            // Between READY and the restore nothing is read.
            if (Server != null && whenRoom == null) resume = read;
            else if (whenRoom == null) read();
            else whenRoom(read);
        }
    }
}
