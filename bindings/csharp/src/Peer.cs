using System;
using System.Globalization;
using System.IO;
using System.Runtime.InteropServices;

namespace Sallyport
{
    /// <summary>
    /// The process at the other end of a Unix socket: its user, and whether it runs in a container. What a process sees is told by the
    /// mount at its root and by the users of its namespace. The kernel writes both for every reader, while the links in /proc/PID/ns can
    /// be read of processes only that allow to be traced. A bridge forbids that, because it holds secrets.
    /// </summary>
    internal struct Peer
    {
        private const int SocketLevel = 1;
        private const int PeerCredentials = 17;
        /// <summary>Linux 6.5: a descriptor of the process that began to listen.</summary>
        private const int PeerProcess = 77;
        private const int NoSuchOption = 92;
        private const short CanRead = 1;
        /// <summary>
        /// Characters of a list of mounts that are read, so that a server with many of them does not hold up the game.
        /// </summary>
        private const int MountsLimit = 1048576;

        /// <summary>
        /// Files at the root of a Flatpak and of a Snap. Outside of them, neither another user nor a contained program can make a file
        /// there.
        /// </summary>
        private static readonly string[] ContainerMarks = { "/.flatpak-info", "/meta/snap.yaml" };

        /// <summary>The user of the process that listens; null if the system does not say.</summary>
        internal uint? UserId { get; private set; }

        /// <summary>
        /// Whether it runs in no container, as far as this process can see. On systems without containers always true.
        /// </summary>
        internal bool IsOutside { get; private set; }

        /// <summary>Whether this process runs in a Flatpak or Snap.</summary>
        internal static bool IsSelfContained => UnixFiles.IsLinux && Array.Exists(ContainerMarks, File.Exists);

        internal static Peer Of(int socket)
        {
            if (!UnixFiles.IsLinux)
                return new Peer { UserId = getpeereid(socket, out var user, out _) == 0 ? user : (uint?)null, IsOutside = true };
            // Process, user and group.
            var credentials = new byte[12];
            var size = credentials.Length;
            if (getsockopt(socket, SocketLevel, PeerCredentials, credentials, ref size) != 0 || size != credentials.Length)
                return new Peer();
            return new Peer
            {
                UserId = BitConverter.ToUInt32(credentials, 4),
                IsOutside = IsSelfContained || IsProcessOutside(socket, BitConverter.ToInt32(credentials, 0)),
            };
        }

        private static bool IsProcessOutside(int socket, int id)
        {
            // It has no number here, so this process is in a container and the server is not in it.
            if (id == 0) return true;
            var place = PlaceOf(id.ToString(CultureInfo.InvariantCulture));
            // In a container that shows the processes of the system, the first process is outside, as a bridge is.
            return place != null && (place == PlaceOf("self") || place == PlaceOf("1")) && HasNumber(socket);
        }

        /// <summary>
        /// Where a process runs. No two mount namespaces share a mount, so its number names the namespace. Null if the system does not say.
        /// </summary>
        private static string PlaceOf(string process)
        {
            try
            {
                var mount = RootMount("/proc/" + process + "/mountinfo");
                return mount == null ? null : mount + " " + File.ReadAllText("/proc/" + process + "/uid_map");
            }
            catch (Exception error) when (error is IOException || error is UnauthorizedAccessException)
            {
                return null;
            }
        }

        /// <summary>The number of the mount at "/" in lines `NUMBER PARENT DEVICE ROOT POINT ...`.</summary>
        private static string RootMount(string path)
        {
            using (var mounts = new StreamReader(path))
            {
                var left = MountsLimit;
                for (var line = mounts.ReadLine(); line != null && left > 0; line = mounts.ReadLine())
                {
                    var fields = line.Split(new[] { ' ' }, 6);
                    if (fields.Length > 5 && fields[4] == "/") return fields[0];
                    left -= line.Length;
                }
            }
            return null;
        }

        /// <summary>Whether the process that began to listen still has its number. Before Linux 6.5 the system does not say.</summary>
        private static bool HasNumber(int socket)
        {
            var descriptor = new byte[4];
            var size = descriptor.Length;
            if (getsockopt(socket, SocketLevel, PeerProcess, descriptor, ref size) != 0) return Marshal.GetLastWin32Error() == NoSuchOption;
            var process = new PollFile { Descriptor = BitConverter.ToInt32(descriptor, 0), Events = CanRead };
            var isAlive = poll(ref process, (UIntPtr)1, 0) == 0;
            close(process.Descriptor);
            return isAlive;
        }

        private struct PollFile
        {
            internal int Descriptor;
            internal short Events;
            internal short Found;
        }

        [DllImport("libc", SetLastError = true)]
        private static extern int getsockopt(int socket, int level, int name, [Out] byte[] value, ref int size);

        [DllImport("libc")]
        private static extern int getpeereid(int socket, out uint user, out uint group);

        [DllImport("libc")]
        private static extern int poll(ref PollFile files, UIntPtr count, int timeoutMs);

        [DllImport("libc")]
        private static extern int close(int descriptor);
    }
}
