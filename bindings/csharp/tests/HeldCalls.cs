using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using Sallyport;

/// <summary>
/// Calls with a key over a lost connection. The argument is the runtime directory of a server that breaks the connection after two writes,
/// and then refuses the first sign-in for a moment. One line per fact.
/// </summary>
internal static class HeldCalls
{
    private static void Main(string[] args)
    {
        try
        {
            Play(args[0]).GetAwaiter().GetResult();
        }
        catch (Exception error)
        {
            Console.WriteLine("failed: " + error);
        }
        Console.Out.Flush();
        Ending.Exit(0);
    }

    private static async Task Play(string folder)
    {
        using (var client = new SallyportClient(new ClientOptions { ApplicationId = "42", RuntimeDirectory = folder }))
        {
            var lost = new TaskCompletionSource<bool>();
            client.StateChanged += state =>
            {
                if (state.Connection == ConnectionState.Waiting) lost.TrySetResult(true);
            };
            await client.ConnectAsync(TimeSpan.FromSeconds(20));
            foreach (var command in new[] { Commands.GetLobby, Commands.SendLobbyMessage })
                await Show(command, client.CallAsync(command, new JsonObject { { "ids", Broken() } }));
            await client.SignInSilentlyAsync();
            var line = new JsonObject { { "content", "first" } };
            var first = client.CallAsync(Commands.SendLobbyMessage, line);
            line["content"] = "second";
            var second = client.CallAsync(Commands.SendLobbyMessage, line);
            line["content"] = "third";
            await lost.Task;
            await client.WhenReadyAsync();
            var signIns = new[] { client.SignInSilentlyAsync(), client.SignInSilentlyAsync() };
            await Task.WhenAny(signIns);
            // One still waits for its answer, and so do the writes.
            await client.CallAsync(Commands.GetLobby);
            await Show("first", first);
            await Show("second", second);
            foreach (var signIn in signIns) await signIn.ContinueWith(ended => ended.Exception);
        }
    }

    /// <summary>A collection of a game that fails while it is read, as one does that another thread changes.</summary>
    private static IEnumerable<string> Broken()
    {
        yield return "1";
        throw new InvalidOperationException("the collection was changed");
    }

    private static async Task Show(string what, Task<object> call)
    {
        try
        {
            Console.WriteLine(what + ": " + Json.Write(await call));
        }
        catch (CallException error)
        {
            Console.WriteLine(what + ": " + error.Name + " " + error.Message);
        }
        catch (SallyportException error)
        {
            Console.WriteLine(what + ": " + error.Message);
        }
    }
}
