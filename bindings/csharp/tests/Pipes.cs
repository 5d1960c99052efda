using System;
using System.Diagnostics;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Sallyport
{
    /// <summary>
    /// Strains a pipe of kernel32 on Windows: calls at the same time, calls of almost a MiB, an end while a read waits, many pipes one
    /// after the other, and no pipe. A bridge must run. One line per fact.
    /// </summary>
    internal static class Pipes
    {
        private const int ManyPipes = 100;
        private const int ManyCalls = 200;

        private static int Main()
        {
            Play().GetAwaiter().GetResult();
            return 0;
        }

        private static ClientOptions Options()
        {
            return new ClientOptions { ApplicationId = "1180000000000000042", WindowsPipe = WindowsPipe.Native };
        }

        private static async Task Play()
        {
            using (var client = new SallyportClient(Options()))
            {
                var server = await client.ConnectAsync(TimeSpan.FromSeconds(60));
                Console.WriteLine("by: " + server.Transport);
                var calls = new Task<string>[ManyCalls];
                for (var call = 0; call < ManyCalls; call++) calls[call] = Refusal(client, call % 40 == 0 ? 900000 : call);
                Console.WriteLine("answers: " + Array.FindAll(await Task.WhenAll(calls), one => one == "4002").Length);
                Console.WriteLine("presence: " + (await client.SetActivityAsync(new JsonObject { { "details", "At the pier" } }) != null));
            }
            await OpenAndClose();
            var before = Handles();
            for (var pipe = 0; pipe < ManyPipes; pipe++) await OpenAndClose();
            Console.WriteLine("handles stay: " + (Handles() - before < ManyPipes / 2));
            EndWhileReading();
            await Missing();
            for (var left = 3000; left > 0 && Busy() > 0; left--) Thread.Sleep(10);
            Console.WriteLine("busy threads: " + Busy());
        }

        private static async Task<string> Refusal(SallyportClient client, int size)
        {
            try
            {
                await client.CallAsync("NO_SUCH_COMMAND", new JsonObject { { "text", new string('x', size) } });
                return "none";
            }
            catch (CallException error)
            {
                return error.Code.ToString();
            }
        }

        private static async Task OpenAndClose()
        {
            var client = new SallyportClient(Options());
            await client.ConnectAsync(TimeSpan.FromSeconds(60));
            await client.CloseAsync();
        }

        private static void EndWhileReading()
        {
            var pipe = new KernelPipe("\\\\.\\pipe\\discord-ipc-0");
            var reading = (Task<int>)pipe.BeginRead(new byte[16], 0, 16, null, null);
            try
            {
                pipe.BeginRead(new byte[16], 0, 16, null, null);
            }
            catch (InvalidOperationException)
            {
                Console.WriteLine("busy: True");
            }
            // A timer of 8 ms would wake 125 times a second.
            var waited = Stopwatch.StartNew();
            var isAtRest = !reading.Wait(2000) && pipe.Wakes * 80 < waited.ElapsedMilliseconds;
            Console.WriteLine("at rest: " + isAtRest);
            var time = Stopwatch.StartNew();
            pipe.Dispose();
            pipe.Dispose();
            try
            {
                reading.GetAwaiter().GetResult();
            }
            catch (ObjectDisposedException)
            {
                Console.WriteLine("ended at once: " + (time.ElapsedMilliseconds < 30000));
            }
        }

        private static async Task Missing()
        {
            using (var client = new SallyportClient(new ClientOptions
                { ApplicationId = "1", WindowsPipe = WindowsPipe.Native, IpcPrefix = "no-such-pipe" }))
            {
                try
                {
                    await client.ConnectAsync(TimeSpan.Zero);
                }
                catch (ServerNotAvailableException error)
                {
                    Console.WriteLine("missing: " + (error.InnerException is IOException));
                }
            }
        }

        private static int Busy()
        {
            ThreadPool.GetAvailableThreads(out var workers, out var ports);
            ThreadPool.GetMaxThreads(out var mostWorkers, out var mostPorts);
            // One of them runs this.
            return mostWorkers - workers + mostPorts - ports - (Thread.CurrentThread.IsThreadPoolThread ? 1 : 0);
        }

        private static uint Handles()
        {
            GetProcessHandleCount(GetCurrentProcess(), out var count);
            return count;
        }

        [DllImport("kernel32")]
        private static extern IntPtr GetCurrentProcess();

        [DllImport("kernel32")]
        private static extern int GetProcessHandleCount(IntPtr process, out uint count);
    }
}
