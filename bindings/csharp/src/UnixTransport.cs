using System;
using System.IO;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Sallyport
{
    /// <summary>
    /// Unix sockets of this user only. Where other users can write, another user can listen first at the name that games try. So the
    /// client checks owner and kind of the socket, its folder, that it was not replaced, and user and container of the peer, before it
    /// sends anything.
    /// </summary>
    internal static class UnixTransport
    {
        /// <summary>Room for a path on every system; macOS has 104 bytes with the end.</summary>
        private const int PathBytes = 103;

        internal static Opened Open(Candidate candidate, bool allowContained)
        {
            var path = candidate.Path;
            var before = UnixFiles.OwnSocket(path);
            if (before == null) throw new IOException("there is no socket at " + path);
            if (candidate.IsPackaged && !allowContained) throw Contained(path);
            var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
            try
            {
                // A server whose queue is full would block the thread.
                socket.Blocking = false;
                socket.Connect(new UnixAddress(path));
                socket.Blocking = true;
                var after = UnixFiles.OwnSocket(path);
                if (after == null || after.Value.Mark != before.Value.Mark)
                    throw new ForeignServerException(path + " was replaced while the client connected");
                var peer = Peer.Of((int)socket.Handle);
                if (peer.UserId != UnixFiles.UserId)
                    throw new ForeignServerException("the server at " + path + " runs as another user of the system");
                var mayBeContained = candidate.IsPackaged || !peer.IsOutside;
                if (mayBeContained && !allowContained) throw Contained(path);
                return new Opened(new NetworkStream(socket, true), "Unix socket", mayBeContained);
            }
            catch
            {
                socket.Close();
                throw;
            }
        }

        private static ForeignServerException Contained(string path)
        {
            return new ForeignServerException("a contained program may have started the server at " + path
                + "; the client uses the platform's own client there only with AllowPackagedClient");
        }

        /// <summary>The address of a Unix socket. netstandard2.0 has no class for it.</summary>
        private sealed class UnixAddress : EndPoint
        {
            private readonly byte[] path;

            internal UnixAddress(string path)
            {
                this.path = Encoding.UTF8.GetBytes(path);
                if (this.path.Length > PathBytes) throw new IOException("the path is too long for a socket: " + path);
            }

            public override AddressFamily AddressFamily => AddressFamily.Unix;

            public override SocketAddress Serialize()
            {
                // The family has two bytes; a zero ends the path.
                var address = new SocketAddress(AddressFamily.Unix, 2 + path.Length + 1);
                for (var index = 0; index < path.Length; index++) address[2 + index] = path[index];
                address[2 + path.Length] = 0;
                return address;
            }

            public override EndPoint Create(SocketAddress address)
            {
                return this;
            }
        }
    }
}
