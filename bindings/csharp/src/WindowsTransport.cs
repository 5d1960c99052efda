using System;
using System.IO;
using System.IO.Pipes;
using System.Runtime.InteropServices;
using System.Security.Principal;

namespace Sallyport
{
    /// <summary>An open connection, and what carries it.</summary>
    internal sealed class Opened
    {
        internal Opened(Stream stream, string transport, bool mayBeContained = false)
        {
            Stream = stream;
            Transport = transport;
            MayBeContained = mayBeContained;
        }

        internal Stream Stream { get; }

        internal string Transport { get; }

        /// <summary>Whether a contained program may have started the server, which then is no bridge.</summary>
        internal bool MayBeContained { get; }
    }

    /// <summary>Named pipes whose server runs as the same user. The server may identify the game, but not act as it.</summary>
    internal static class WindowsTransport
    {
        private const string Before = @"\\.\pipe\";
        private const uint QueryLimited = 0x1000;
        private const uint TokenQuery = 8;
        private const int TokenUser = 1;
        /// <summary>A TOKEN_USER with the longest SID, with room.</summary>
        private const int TokenBytes = 256;

        /// <summary>Whether the class library turned out to have no pipes. Does not change back.</summary>
        private static volatile bool isLibraryMissing;

        internal static long ProcessId => GetCurrentProcessId();

        internal static Opened Open(string path, WindowsPipe way)
        {
            return way == WindowsPipe.Native ? OpenNative(path) : Choose(path, OpenOfLibrary, OpenNative);
        }

        /// <summary>The first way, or the second one from the time on when the first is missing in this runtime.</summary>
        internal static Opened Choose(string path, Func<string, Opened> ofLibrary, Func<string, Opened> native)
        {
            if (!isLibraryMissing)
            {
                try
                {
                    return ofLibrary(path);
                }
                catch (Exception error) when (IsMissing(error))
                {
                    isLibraryMissing = true;
                }
            }
            return native(path);
        }

        /// <summary>What runtimes throw that were built without pipes, as IL2CPP is.</summary>
        private static bool IsMissing(Exception error)
        {
            return error is NotSupportedException || error is NotImplementedException || error is TypeLoadException
                || error is MissingMemberException;
        }

        private static Opened OpenOfLibrary(string path)
        {
            var pipe = new NamedPipeClientStream(
                ".", path.Substring(Before.Length), PipeDirection.InOut, PipeOptions.Asynchronous, TokenImpersonationLevel.Identification);
            try
            {
                // A pipe that is missing or busy is tried again later; waiting would hold a thread.
                pipe.Connect(0);
                Check(pipe.SafePipeHandle.DangerousGetHandle(), path);
                return new Opened(pipe, "named pipe");
            }
            catch
            {
                pipe.Dispose();
                throw;
            }
        }

        private static Opened OpenNative(string path)
        {
            var pipe = new KernelPipe(path);
            try
            {
                Check(pipe.Handle, path);
                return new Opened(pipe, "named pipe by kernel32");
            }
            catch
            {
                pipe.Dispose();
                throw;
            }
        }

        private static void Check(IntPtr pipe, string path)
        {
            if (GetNamedPipeServerProcessId(pipe, out var id) == 0)
                throw new ForeignServerException("the system does not name the process of the server at " + path);
            var process = OpenProcess(QueryLimited, 0, id);
            var own = Marshal.AllocHGlobal(TokenBytes);
            var other = Marshal.AllocHGlobal(TokenBytes);
            try
            {
                if (process == IntPtr.Zero || !ReadUser(process, other) || !ReadUser(GetCurrentProcess(), own))
                    throw new ForeignServerException("the user of the server at " + path + " cannot be read; it may run with more rights");
                // A TOKEN_USER begins with the pointer to its SID.
                if (EqualSid(Marshal.ReadIntPtr(own), Marshal.ReadIntPtr(other)) == 0)
                    throw new ForeignServerException("the server at " + path + " runs as another user of the system");
            }
            finally
            {
                Marshal.FreeHGlobal(own);
                Marshal.FreeHGlobal(other);
                if (process != IntPtr.Zero) CloseHandle(process);
            }
        }

        private static bool ReadUser(IntPtr process, IntPtr user)
        {
            if (OpenProcessToken(process, TokenQuery, out var token) == 0) return false;
            var isRead = GetTokenInformation(token, TokenUser, user, TokenBytes, out _) != 0;
            CloseHandle(token);
            return isRead;
        }

        [DllImport("kernel32")]
        private static extern int GetNamedPipeServerProcessId(IntPtr pipe, out uint process);

        [DllImport("kernel32")]
        private static extern IntPtr OpenProcess(uint access, int inherit, uint process);

        [DllImport("kernel32")]
        private static extern IntPtr GetCurrentProcess();

        [DllImport("kernel32")]
        private static extern uint GetCurrentProcessId();

        [DllImport("kernel32")]
        private static extern int CloseHandle(IntPtr handle);

        [DllImport("advapi32")]
        private static extern int OpenProcessToken(IntPtr process, uint access, out IntPtr token);

        [DllImport("advapi32")]
        private static extern int GetTokenInformation(IntPtr token, int what, IntPtr user, int size, out int needed);

        [DllImport("advapi32")]
        private static extern int EqualSid(IntPtr one, IntPtr other);
    }
}
