using System.Runtime.InteropServices;

/// <summary>The end of a test program.</summary>
internal static class Ending
{
    /// <summary>
    /// Ends the process without the shutdown of the runtime: that of mono 6.8 hangs now and then in every program that
    /// used the thread pool.
    /// </summary>
    [DllImport("libc", EntryPoint = "_exit")]
    internal static extern void Exit(int code);
}
