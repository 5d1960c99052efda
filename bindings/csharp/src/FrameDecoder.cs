using System;

namespace Sallyport
{
    /// <summary>Finds frames in a stream, with bounded memory: the length is checked before the payload is allocated.</summary>
    internal sealed class FrameDecoder
    {
        private readonly byte[] header = new byte[Wire.HeaderBytes];
        private int headerBytes;
        private byte[] payload;
        private int payloadBytes;

        internal Opcode Opcode { get; private set; }

        internal static byte[] Encode(Opcode opcode, byte[] payload)
        {
            var frame = new byte[Wire.HeaderBytes + payload.Length];
            WriteUInt32(frame, 0, (uint)opcode);
            WriteUInt32(frame, 4, (uint)payload.Length);
            Buffer.BlockCopy(payload, 0, frame, (int)Wire.HeaderBytes, payload.Length);
            return frame;
        }

        /// <summary>Takes bytes up to the end of a frame, and returns its payload; null if the frame is not complete.</summary>
        internal byte[] Take(byte[] bytes, ref int at, int end)
        {
            if (payload == null)
            {
                while (headerBytes < header.Length && at < end) header[headerBytes++] = bytes[at++];
                if (headerBytes < header.Length) return null;
                ReadHeader();
            }
            var count = Math.Min(end - at, payload.Length - payloadBytes);
            Buffer.BlockCopy(bytes, at, payload, payloadBytes, count);
            at += count;
            payloadBytes += count;
            if (payloadBytes < payload.Length) return null;
            var complete = payload;
            payload = null;
            headerBytes = 0;
            return complete;
        }

        private void ReadHeader()
        {
            var opcode = ReadUInt32(header, 0);
            var length = ReadUInt32(header, 4);
            if (opcode == (uint)Opcode.Handshake
                || opcode > (uint)Opcode.Pong) throw new ProtocolException("the server sent a frame of type " + opcode);
            if (length > Limits.ContractFrameBytes)
                throw new ProtocolException("the server announced a frame of " + length + " bytes; at most " + Limits.ContractFrameBytes
                    + " are accepted");
            Opcode = (Opcode)opcode;
            payload = new byte[length];
            payloadBytes = 0;
        }

        private static void WriteUInt32(byte[] bytes, int at, uint value)
        {
            for (var index = 0; index < 4; index++) bytes[at + index] = (byte)(value >> (8 * index));
        }

        private static uint ReadUInt32(byte[] bytes, int at)
        {
            return bytes[at] | (uint)bytes[at + 1] << 8 | (uint)bytes[at + 2] << 16 | (uint)bytes[at + 3] << 24;
        }
    }
}
