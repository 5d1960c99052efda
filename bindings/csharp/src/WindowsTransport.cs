using System;
using System.IO;
using System.IO.Pipes;
using System.Runtime.InteropServices;
using System.Security.Principal;

namespace Sallyport
{
    /// <summary>Named pipes whose server runs as the same user. The server may identify the game, but not act as it.</summary>
    internal static class WindowsTransport
    {
        private const string Before = @"\\.\pipe\";
        private const uint QueryLimited = 0x1000;
        private const uint TokenQuery = 8;
        private const int TokenUser = 1;
        /// <summary>A TOKEN_USER with the longest SID, with room.</summary>
        private const int TokenBytes = 256;

        internal static Stream Open(string path)
        {
            var pipe = new NamedPipeClientStream(
                ".", path.Substring(Before.Length), PipeDirection.InOut, PipeOptions.Asynchronous, TokenImpersonationLevel.Identification);
            try
            {
                // A pipe that is missing or busy is tried again later; waiting would hold a thread.
                pipe.Connect(0);
                Check(pipe, path);
                return pipe;
            }
            catch
            {
                pipe.Dispose();
                throw;
            }
        }

        private static void Check(NamedPipeClientStream pipe, string path)
        {
            if (!GetNamedPipeServerProcessId(pipe.SafePipeHandle.DangerousGetHandle(), out var id))
                throw new ForeignServerException("the system does not name the process of the server at " + path);
            var process = OpenProcess(QueryLimited, false, id);
            var own = Marshal.AllocHGlobal(TokenBytes);
            var other = Marshal.AllocHGlobal(TokenBytes);
            try
            {
                if (process == IntPtr.Zero || !ReadUser(process, other) || !ReadUser(GetCurrentProcess(), own))
                    throw new ForeignServerException("the user of the server at " + path + " cannot be read; it may run with more rights");
                // A TOKEN_USER begins with the pointer to its SID.
                if (!EqualSid(Marshal.ReadIntPtr(own), Marshal.ReadIntPtr(other)))
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
            if (!OpenProcessToken(process, TokenQuery, out var token)) return false;
            var isRead = GetTokenInformation(token, TokenUser, user, TokenBytes, out _);
            CloseHandle(token);
            return isRead;
        }

        [DllImport("kernel32", SetLastError = true)]
        private static extern bool GetNamedPipeServerProcessId(IntPtr pipe, out uint process);

        [DllImport("kernel32")]
        private static extern IntPtr OpenProcess(uint access, bool inherit, uint process);

        [DllImport("kernel32")]
        private static extern IntPtr GetCurrentProcess();

        [DllImport("kernel32")]
        private static extern bool CloseHandle(IntPtr handle);

        [DllImport("advapi32")]
        private static extern bool OpenProcessToken(IntPtr process, uint access, out IntPtr token);

        [DllImport("advapi32")]
        private static extern bool GetTokenInformation(IntPtr token, int what, IntPtr user, int size, out int needed);

        [DllImport("advapi32")]
        private static extern bool EqualSid(IntPtr one, IntPtr other);
    }
}
