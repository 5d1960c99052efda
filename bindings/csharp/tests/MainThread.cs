using System;
using System.Collections.Concurrent;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Sallyport;

/// <summary>
/// Plays the main thread of a game with a synchronization context, as Unity has one, against a server that answers every call. The folder
/// of the server is the argument. One line per fact.
/// </summary>
internal static class MainThread
{
    private sealed class Frames : SynchronizationContext
    {
        private readonly BlockingCollection<Action> tasks = new BlockingCollection<Action>();

        public override void Post(SendOrPostCallback callback, object state)
        {
            tasks.Add(() => callback(state));
        }

        internal void RunUntil(Task task)
        {
            while (!task.IsCompleted)
                if (tasks.TryTake(out var next, 10)) next();
            task.GetAwaiter().GetResult();
        }
    }

    private static int main;

    private static bool IsMain => Thread.CurrentThread.ManagedThreadId == main;

    private static void Main(string[] args)
    {
        main = Thread.CurrentThread.ManagedThreadId;
        var frames = new Frames();
        SynchronizationContext.SetSynchronizationContext(frames);
        try
        {
            frames.RunUntil(Play(args[0]));
            Quit(args[0]);
        }
        catch (Exception error)
        {
            Console.WriteLine("failed: " + error);
        }
        Console.Out.Flush();
        Ending.Exit(0);
    }

    private static ClientOptions Options(string folder)
    {
        return new ClientOptions { ApplicationId = "1180000000000000042", RuntimeDirectory = folder };
    }

    private static async Task Play(string folder)
    {
        using (var absent = new SallyportClient(Options(Path.Combine(folder, "absent"))))
        {
            try
            {
                await absent.ConnectAsync(TimeSpan.Zero);
            }
            catch (ServerNotAvailableException)
            {
                Console.WriteLine("not available: " + absent.State.Connection + " " + IsMain);
            }
            absent.Connect();
            while (absent.State.Connection != ConnectionState.Waiting) await Task.Delay(1);
            Console.WriteLine("tries again: " + (absent.State.Error is ServerNotAvailableException));
        }
        var client = new SallyportClient(Options(folder));
        var states = "";
        var stateOnMain = true;
        client.StateChanged += state =>
        {
            states += state.Connection + " ";
            stateOnMain &= IsMain;
        };
        await client.ConnectAsync(TimeSpan.FromSeconds(20));
        Console.WriteLine("ready: " + IsMain);
        var data = await client.CallAsync("ECHO", new JsonObject { { "n", 7 } });
        Console.WriteLine("answer: " + Json.Write(data) + " " + IsMain);
        var called = new TaskCompletionSource<bool>();
        client.Call("ECHO", null, result => called.SetResult(result.Error == null && IsMain));
        Console.WriteLine("callback: " + await called.Task);
        Console.WriteLine("states: " + states + stateOnMain);
        using (var cancel = new CancellationTokenSource())
        {
            var pending = client.CallAsync("SILENT", null, null, cancel.Token);
            cancel.Cancel();
            try
            {
                await pending;
            }
            catch (OperationCanceledException)
            {
                Console.WriteLine("cancelled: " + IsMain);
            }
        }
        try
        {
            await client.CallAsync("SILENT", null, TimeSpan.FromMilliseconds(20));
        }
        catch (CallTimeoutException)
        {
            Console.WriteLine("timed out: " + IsMain);
        }
        // From inside a callback.
        var lost = client.CallAsync("SILENT");
        client.Call("ECHO", null, result => client.Dispose());
        try
        {
            await lost;
        }
        catch (ConnectionLostException error)
        {
            Console.WriteLine("disposed: " + error.WasClosed);
        }
        await client.CloseAsync();
    }

    /// <summary>The main thread blocks, as when a game quits: nothing may need it.</summary>
    private static void Quit(string folder)
    {
        var client = new SallyportClient(Options(folder));
        var isReady = client.ConnectAsync(TimeSpan.FromSeconds(20)).Wait(20000);
        var pending = client.CallAsync("SILENT");
        var isClosed = client.CloseAsync().Wait(30000);
        var isEnded = ((IAsyncResult)pending).AsyncWaitHandle.WaitOne(30000);
        Console.WriteLine("quit: " + isReady + " " + isClosed + " " + isEnded + " " + client.CallAsync("ECHO").ContinueWith(task =>
            task.IsFaulted).Result);
        var busy = 1;
        for (var left = 3000; left > 0 && busy > 0; left--)
        {
            Thread.Sleep(10);
            ThreadPool.GetAvailableThreads(out var workers, out var ports);
            ThreadPool.GetMaxThreads(out var mostWorkers, out var mostPorts);
            busy = mostWorkers - workers + mostPorts - ports;
        }
        Console.WriteLine("busy threads: " + busy);
    }
}
