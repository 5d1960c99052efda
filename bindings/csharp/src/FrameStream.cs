using System;
using System.Collections.Generic;
using System.IO;
using System.Threading.Tasks;

namespace Sallyport
{
    /// <summary>Frames over one socket or pipe. Answers PING. Every member is used inside the loop; no thread waits.</summary>
    internal sealed class FrameStream
    {
        private const int ChunkBytes = 65536;
        /// <summary>Bytes that may wait for a server that does not read.</summary>
        private const int MostWaitingBytes = 8 << 20;
        /// <summary>How long the end may wait for sent bytes.</summary>
        private const long EndMs = 1000;

        private readonly SerialLoop loop;
        private readonly Stream stream;
        private readonly Queue<byte[]> outbox = new Queue<byte[]>();
        private readonly FrameDecoder decoder = new FrameDecoder();
        private readonly byte[] chunk = new byte[ChunkBytes];
        private readonly TaskCompletionSource<bool> ended =
            new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        private int waitingBytes;
        private bool isWriting;
        private bool canWrite = true;
        private bool isEnded;
        private bool isDisposed;

        internal FrameStream(SerialLoop loop, Stream stream)
        {
            this.loop = loop;
            this.stream = stream;
        }

        /// <summary>Called for each FRAME and CLOSE.</summary>
        internal Action<Opcode, byte[]> OnFrame;

        /// <summary>Called once when the connection ends, unless the client ended it.</summary>
        internal Action<SallyportException> OnEnd;

        /// <summary>Called with what continues reading, after each chunk.</summary>
        internal Action<Action> BeforeRead;

        internal void Start()
        {
            Read();
        }

        /// <summary>Sends a frame in one write; false if too much waits already.</summary>
        internal bool Send(Opcode opcode, byte[] payload)
        {
            if (isEnded || !canWrite) return true;
            if (waitingBytes + payload.Length > MostWaitingBytes) return false;
            var frame = FrameDecoder.Encode(opcode, payload);
            waitingBytes += frame.Length;
            outbox.Enqueue(frame);
            if (!isWriting) Write();
            return true;
        }

        /// <summary>Ends the connection at once, and reports the reason.</summary>
        internal void Fail(SallyportException reason)
        {
            if (isEnded) return;
            isEnded = true;
            Dispose();
            OnEnd(reason);
        }

        /// <summary>Ends the connection without a report; completes when the sent bytes are written, after a second at most.</summary>
        internal Task End()
        {
            if (isEnded) return ended.Task;
            isEnded = true;
            if (!isWriting) Dispose();
            else loop.After(EndMs, Dispose);
            return ended.Task;
        }

        private void Dispose()
        {
            if (isDisposed) return;
            isDisposed = true;
            outbox.Clear();
            stream.Dispose();
            ended.TrySetResult(true);
        }

        private void Read()
        {
            if (isDisposed) return;
            try
            {
                stream.BeginRead(chunk, 0, chunk.Length, result => loop.Post(() => EndRead(result)), null);
            }
            catch (Exception error) when (IsOfStream(error))
            {
                Fail(new ConnectionLostException("the connection to the server failed", error));
            }
        }

        private void EndRead(IAsyncResult result)
        {
            int count;
            try
            {
                count = stream.EndRead(result);
            }
            catch (Exception error) when (IsOfStream(error))
            {
                Fail(new ConnectionLostException("the connection to the server failed", error));
                return;
            }
            if (isEnded) return;
            if (count == 0)
            {
                Fail(new ConnectionLostException("the server closed the connection"));
                return;
            }
            try
            {
                for (var at = 0; at < count && !isEnded;)
                {
                    var payload = decoder.Take(chunk, ref at, count);
                    if (payload != null) Receive(decoder.Opcode, payload);
                }
            }
            catch (ProtocolException error)
            {
                Fail(error);
            }
            if (isEnded) return;
            if (BeforeRead == null) Read();
            else BeforeRead(() => loop.Post(Read));
        }

        private void Receive(Opcode opcode, byte[] payload)
        {
            if (opcode == Opcode.Frame || opcode == Opcode.Close) OnFrame(opcode, payload);
            // No PONG while the server does not read: PINGs must not fill the memory.
            else if (opcode == Opcode.Ping && outbox.Count < PongsThatWait) Send(Opcode.Pong, payload);
        }

        /// <summary>Several PINGs can come in one chunk.</summary>
        private const int PongsThatWait = 64;

        private void Write()
        {
            var frame = outbox.Dequeue();
            isWriting = true;
            try
            {
                stream.BeginWrite(frame, 0, frame.Length, result => loop.Post(() => EndWrite(result, frame.Length)), null);
            }
            catch (Exception error) when (IsOfStream(error))
            {
                CannotWrite(error);
            }
        }

        private void EndWrite(IAsyncResult result, int bytes)
        {
            waitingBytes -= bytes;
            try
            {
                stream.EndWrite(result);
            }
            catch (Exception error) when (IsOfStream(error))
            {
                CannotWrite(error);
                return;
            }
            isWriting = false;
            if (outbox.Count > 0) Write();
            else if (isEnded) Dispose();
        }

        /// <summary>The server may have sent its reason before it left, so reading goes on until its end.</summary>
        private void CannotWrite(Exception error)
        {
            isWriting = false;
            canWrite = false;
            outbox.Clear();
            if (isEnded) Dispose();
            else loop.After(EndMs, () => Fail(new ConnectionLostException("the connection to the server failed", error)));
        }

        private static bool IsOfStream(Exception error)
        {
            return error is IOException || error is ObjectDisposedException || error is InvalidOperationException;
        }
    }
}
