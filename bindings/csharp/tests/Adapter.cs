using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Threading;
using Sallyport;

/// <summary>
/// The adapter of the C# client for the conformance kit. Its main thread plays the frames of a game: it obeys lines and calls Tick.
/// </summary>
internal static class Adapter
{
    private static readonly BlockingCollection<string> Lines = new BlockingCollection<string>();
    private static readonly Dictionary<string, Subscription> Subscriptions = new Dictionary<string, Subscription>();
    private static readonly AdvancedClock Time = new AdvancedClock();
    private static readonly int MainThread = Thread.CurrentThread.ManagedThreadId;
    private static StreamWriter output;
    private static SallyportClient client;

    private static void Main()
    {
        output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { AutoFlush = false };
        new Thread(ReadLines) { IsBackground = true }.Start();
        while (!Lines.IsCompleted)
        {
            if (Lines.TryTake(out var line, 2)) Obey((IReadOnlyDictionary<string, object>)Json.Read(line));
            client?.Tick();
            output.Flush();
        }
        client?.CloseAsync().Wait();
        output.Flush();
        Ending.Exit(0);
    }

    private static void ReadLines()
    {
        using (var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false)))
            for (var line = input.ReadLine(); line != null; line = input.ReadLine()) Lines.Add(line);
        Lines.CompleteAdding();
    }

    private static object Get(IReadOnlyDictionary<string, object> request, string name)
    {
        return request.TryGetValue(name, out var value) ? value : null;
    }

    private static void Obey(IReadOnlyDictionary<string, object> request)
    {
        var id = Get(request, "id");
        var name = (string)Get(request, "name");
        var args = (IReadOnlyDictionary<string, object>)Get(request, "args");
        switch ((string)request["do"])
        {
            case "connect":
                client = Create((string)request["application_id"], (string)Get(request, "runtime_dir"),
                    Get(request, "allow_packaged_client") != null);
                if (Get(request, "timeout_ms") == null) client.Connect();
                else client.ConnectAsync(TimeSpan.FromMilliseconds((long)request["timeout_ms"])).ContinueWith(task => task.Exception);
                break;
            case "call":
                Call(request, args);
                break;
            case "activity":
                Made().SetActivity((IReadOnlyDictionary<string, object>)request["activity"], Report(id));
                break;
            case "sign_in":
                Made().AskToSignIn(Scopes(request), Report(id));
                break;
            case "sign_in_if_needed":
                Made().SignIn(Scopes(request), Report(id));
                break;
            case "sign_out":
                Made().Call(Commands.ForgetTokens, null, Report(id));
                break;
            case "sign_in_silently":
                Made().Call(Commands.Authenticate, null, Report(id));
                break;
            case "subscribe":
                Subscriptions[name] = Made().Subscribe(name, data => Emit("dispatch", new JsonObject { { "name", name }, { "data",
                    data } }), args);
                break;
            case "unsubscribe":
                Subscriptions[name].Dispose();
                break;
            case "advance":
                Time.Advance((long)request["ms"]);
                break;
            case "echo":
                Emit("echo", new JsonObject { { "id", id } });
                break;
            case "close":
                Made().CloseAsync().Wait();
                client.Tick();
                Emit("closed", new JsonObject());
                break;
            default:
                throw new InvalidOperationException("there is no action " + request["do"]);
        }
    }

    private static void Call(IReadOnlyDictionary<string, object> request, IReadOnlyDictionary<string, object> args)
    {
        var id = Get(request, "id");
        var limit = (long?)Get(request, "timeout_ms");
        try
        {
            Made().Call((string)request["command"], args, Report(id), limit == null ? (TimeSpan?)null
                : TimeSpan.FromMilliseconds(limit.Value), (string)Get(request, "key"));
        }
        catch (ArgumentException error)
        {
            Emit("result", new JsonObject { { "id", id }, { "error", FailureOf(error) } });
        }
    }

    private static SallyportClient Made()
    {
        return client ?? (client = Create("0", null));
    }

    private static SallyportClient Create(string application, string folder, bool allowPackagedClient = false)
    {
        var made = new SallyportClient(new ClientOptions { ApplicationId = application, RuntimeDirectory = folder, Clock = Time,
            Callbacks = Callbacks.Tick, AllowPackagedClient = allowPackagedClient });
        made.StateChanged += state =>
        {
            var line = new JsonObject { { "name", state.Connection.ToString().ToLowerInvariant() } };
            if (state.Error != null) line.Add("message", state.Error.Message);
            if (state.Error is ServerClosedException closed) line.Add("close_code", closed.CloseCode);
            Emit("state", line);
        };
        return made;
    }

    private static List<string> Scopes(IReadOnlyDictionary<string, object> request)
    {
        var scopes = new List<string>();
        foreach (var scope in (IReadOnlyList<object>)request["scopes"]) scopes.Add((string)scope);
        return scopes;
    }

    private static Action<CallResult> Report(object id)
    {
        return result =>
        {
            var line = new JsonObject { { "id", id } };
            if (result.Error == null) line.Add("data", result.Data);
            else line.Add("error", FailureOf(result.Error));
            Emit("result", line);
        };
    }

    private static JsonObject FailureOf(Exception error)
    {
        var failure = new JsonObject { { "message", error.Message } };
        if (error is CallException refused)
        {
            failure.Add("kind", "refused");
            failure.Add("code", refused.Code);
            if (refused.RetryAfter != null) failure.Add("retry_after_ms", (long)refused.RetryAfter.Value.TotalMilliseconds);
        }
        else if (error is CallTimeoutException) failure.Add("kind", "timeout");
        else if (error is ConnectionLostException lost) failure.Add("kind", lost.WasClosed ? "closed" : "lost");
        else failure.Add("kind", "not-sent");
        return failure;
    }

    private static void Emit(string name, JsonObject line)
    {
        if (Thread.CurrentThread.ManagedThreadId != MainThread)
            throw new InvalidOperationException("a callback ran outside the main thread");
        line.Add("event", name);
        output.Write(Json.Write(line) + "\n");
    }
}

/// <summary>The clock of the system, and what the kit has added.</summary>
internal sealed class AdvancedClock : Clock
{
    private readonly System.Diagnostics.Stopwatch watch = System.Diagnostics.Stopwatch.StartNew();
    private readonly HashSet<Entry> entries = new HashSet<Entry>();
    private long addedMs;

    public override long NowMs => watch.ElapsedMilliseconds + Interlocked.Read(ref addedMs);

    public override IDisposable After(long delayMs, Action task)
    {
        var entry = new Entry { Of = this, DueMs = NowMs + delayMs, Task = task };
        lock (entries)
        {
            entries.Add(entry);
            entry.Timer = new Timer(_ => entry.Run(), null, Math.Max(0, delayMs), Timeout.Infinite);
        }
        return entry;
    }

    internal void Advance(long ms)
    {
        lock (entries)
        {
            Interlocked.Add(ref addedMs, ms);
            foreach (var entry in entries) entry.Timer.Change(Math.Max(0, entry.DueMs - NowMs), Timeout.Infinite);
        }
    }

    private sealed class Entry : IDisposable
    {
        internal AdvancedClock Of;
        internal long DueMs;
        internal Action Task;
        internal Timer Timer;

        internal void Run()
        {
            lock (Of.entries) if (!Of.entries.Remove(this)) return;
            Task();
        }

        public void Dispose()
        {
            lock (Of.entries) Of.entries.Remove(this);
            Timer.Dispose();
        }
    }
}
