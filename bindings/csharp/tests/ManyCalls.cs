using System;
using System.Diagnostics;
using System.Threading.Tasks;
using Sallyport;

/// <summary>
/// Makes many calls: the folder of a server that answers and their number are the arguments. Prints the growth of the heap as JSON.
/// </summary>
internal static class ManyCalls
{
    private static void Main(string[] args)
    {
        Play(args[0], int.Parse(args[1])).Wait();
        Console.Out.Flush();
        Ending.Exit(0);
    }

    private static async Task Play(string folder, int calls)
    {
        var client = new SallyportClient(new ClientOptions { ApplicationId = "1180000000000000042", RuntimeDirectory = folder });
        await client.ConnectAsync(TimeSpan.FromSeconds(20));
        await Make(client, calls / 10);
        var before = GC.GetTotalMemory(true);
        var watch = Stopwatch.StartNew();
        await Make(client, calls);
        var us = watch.Elapsed.TotalMilliseconds * 1000 / calls;
        var after = GC.GetTotalMemory(true);
        Console.WriteLine(Json.Write(new JsonObject { { "calls", calls }, { "grown_bytes", after - before }, { "call_us",
            Math.Round(us) } }));
        await client.CloseAsync();
    }

    private static async Task Make(SallyportClient client, int calls)
    {
        var args = new JsonObject { { "lobby_id", 7UL } };
        for (var left = calls; left > 0; left -= 10)
        {
            var some = new Task<object>[10];
            for (var index = 0; index < some.Length; index++) some[index] = client.CallAsync(Commands.GetLobby, args);
            foreach (var data in await Task.WhenAll(some))
                if (Json.Write(data) != "{\"lobby_id\":\"7\"}") throw new InvalidOperationException("a call got " + Json.Write(data));
        }
    }
}
