using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Sallyport
{
    /// <summary>Owner and kind of a file.</summary>
    internal struct FileFacts
    {
        internal uint UserId;
        internal int Mode;
        /// <summary>Device, inode and time of change: differs when the file was replaced.</summary>
        internal string Mark;
    }

    /// <summary>
    /// Facts about files that the class library does not have. Linux: `statx`, whose result is laid out alike on every processor, unlike
    /// that of `lstat`. macOS: `lstat` with inodes of 64 bits.
    /// </summary>
    internal static class UnixFiles
    {
        private const int KindMask = 0xf000;
        private const int SocketKind = 0xc000;
        private const int FolderKind = 0x4000;
        private const int Sticky = 0x200;
        private const int OthersWrite = 0x12;

        private const int CurrentFolder = -100;
        private const int NoFollow = 0x100;
        private const uint BasicFacts = 0x7ff;

        internal static readonly bool IsLinux = RuntimeInformation.IsOSPlatform(OSPlatform.Linux);

        internal static uint UserId => getuid();

        internal static long ProcessId => getpid();

        /// <summary>Whether other users can create sockets with predictable names in this folder. False if it is missing.</summary>
        internal static bool IsShared(string folder)
        {
            return TryRead(folder, true, out var facts) && (facts.Mode & OthersWrite) != 0;
        }

        /// <summary>
        /// The facts of the socket. Throws <see cref="ForeignServerException"/> if another user owns it or can replace it; null if
        /// there is none.
        /// </summary>
        internal static FileFacts? OwnSocket(string path)
        {
            if (!TryRead(path, false, out var socket) || (socket.Mode & KindMask) != SocketKind) return null;
            if (socket.UserId != UserId) throw new ForeignServerException(path + " belongs to another user of the system");
            var slash = path.LastIndexOf('/');
            var folder = slash <= 0 ? "/" : path.Substring(0, slash);
            var isSafe = TryRead(folder, true, out var around) && (around.Mode & KindMask) == FolderKind
                && (around.UserId == UserId || around.UserId == 0)
                && ((around.Mode & OthersWrite) == 0 || (around.Mode & Sticky) != 0);
            if (!isSafe) throw new ForeignServerException("other users of the system can replace sockets in " + folder);
            return socket;
        }

        private static bool TryRead(string path, bool follow, out FileFacts facts)
        {
            facts = new FileFacts();
            var name = Encoding.UTF8.GetBytes(path + "\0");
            var found = new byte[512];
            if (IsLinux)
            {
                if (statx(CurrentFolder, name, follow ? 0 : NoFollow, BasicFacts, found) != 0) return false;
                facts.UserId = BitConverter.ToUInt32(found, 20);
                facts.Mode = BitConverter.ToUInt16(found, 28);
                facts.Mark = BitConverter.ToString(found, 136, 8) + BitConverter.ToString(found, 32, 8) + BitConverter.ToString(found, 96,
                    12);
                return true;
            }
            if (ReadOnMac(name, follow, found) != 0) return false;
            facts.UserId = BitConverter.ToUInt32(found, 16);
            facts.Mode = BitConverter.ToUInt16(found, 4);
            facts.Mark = BitConverter.ToString(found, 0, 4) + BitConverter.ToString(found, 8, 8) + BitConverter.ToString(found, 64, 16);
            return true;
        }

        private static int ReadOnMac(byte[] name, bool follow, byte[] found)
        {
            if (RuntimeInformation.ProcessArchitecture == Architecture.Arm64) return follow ? stat(name, found) : lstat(name, found);
            return follow ? stat64(name, found) : lstat64(name, found);
        }

        [DllImport("libc")]
        private static extern uint getuid();

        [DllImport("libc")]
        private static extern int getpid();

        [DllImport("libc")]
        private static extern int statx(int folder, byte[] path, int flags, uint mask, [Out] byte[] found);

        [DllImport("libc")]
        private static extern int stat(byte[] path, [Out] byte[] found);

        [DllImport("libc")]
        private static extern int lstat(byte[] path, [Out] byte[] found);

        [DllImport("libc", EntryPoint = "stat$INODE64")]
        private static extern int stat64(byte[] path, [Out] byte[] found);

        [DllImport("libc", EntryPoint = "lstat$INODE64")]
        private static extern int lstat64(byte[] path, [Out] byte[] found);
    }
}
