using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading;
using Sallyport.Unity;
using UnityEngine;

/// <summary>
/// Plays the sample game as the editor does: scripts live in a domain of their own, which a reload unloads. The argument says what is
/// played: `play`, `reload`, `unclean`, `absent`, `elsewhere`, `invite`, `refused`, `scenes` or `settings`; or `player`, without domains, as outside the editor. One line per fact.
/// </summary>
internal static class PlayMode
{
    private const int LimitMs = 60000;
    /// <summary>Only what hangs takes longer, also on a busy machine.</summary>
    private const int AtOnceMs = 30000;

    private static void Main(string[] args)
    {
        if (args[0] == "player")
        {
            new Scripts().Play("play");
            return;
        }
        try
        {
            if (args[0] == "reload") Reload(true);
            else if (args[0] == "unclean") Reload(false);
            else Load(out _).Play(args[0]);
        }
        catch (Exception error)
        {
            Console.WriteLine("failed: " + error);
        }
        Console.WriteLine("over");
        Console.Out.Flush();
        Ending.Exit(0);
    }

    private static Scripts Load(out AppDomain domain)
    {
        domain = AppDomain.CreateDomain("scripts");
        return (Scripts)domain.CreateInstanceAndUnwrap(Assembly.GetExecutingAssembly().FullName, typeof(Scripts).FullName);
    }

    /// <summary>Twice the same game, with a reload of the scripts between; the second one must find nothing of the first one.</summary>
    private static void Reload(bool isClean)
    {
        var scripts = Load(out var domain);
        scripts.Open();
        scripts.RunUntilReady();
        if (isClean) scripts.BeforeReload();
        var time = Stopwatch.StartNew();
        AppDomain.Unload(domain);
        Console.WriteLine("unloaded at once: " + (time.ElapsedMilliseconds < AtOnceMs));
        Load(out _).Play("play");
    }

    /// <summary>What lives in the domain of the scripts: a scene with the component and the sample game.</summary>
    private sealed class Scripts : MarshalByRefObject
    {
        private readonly Frames frames = new Frames();
        private readonly GameObject scene = new GameObject();
        private SallyportBehaviour sallyport;
        private string text = "";

        internal void Play(string what)
        {
            if (what == "settings")
            {
                Settings();
                return;
            }
            if (what == "scenes")
            {
                LoadScenes();
                return;
            }
            if (what == "elsewhere")
            {
                Elsewhere();
                return;
            }
            Open(what != "invite" && what != "refused" && what != "disabled");
            if (what == "invite")
            {
                sallyport.OnInvite.AddListener(id =>
                {
                    sallyport.AcceptInvite("0");
                    sallyport.AcceptInvite(id);
                });
                sallyport.OnJoin.AddListener(secret => text += "joins with " + secret);
                frames.RunUntil(() => text.Contains("joins with"), Update, LimitMs);
                Console.WriteLine(text);
            }
            else if (what == "refused")
            {
                // The server refuses the first sign-in, has no time for the second, and revokes the third.
                sallyport.OnSignInRefused.AddListener(reason =>
                {
                    text += "refused: " + reason + "\n";
                    sallyport.SignIn();
                });
                sallyport.OnSignInFailed.AddListener(reason =>
                {
                    text += "failed: " + reason + "\n";
                    sallyport.SignIn();
                });
                sallyport.OnSignedIn.AddListener(name => text += "signed in: " + name + "\n");
                sallyport.OnRevoked.AddListener(() => text += "revoked");
                sallyport.OnReady.AddListener(sallyport.SignIn);
                frames.RunUntil(() => text.Contains("revoked"), Update, LimitMs);
                Console.WriteLine(text);
            }
            else if (what == "disabled")
            {
                RunUntilReady();
                var signIn = sallyport.SignInAsync();
                Send("OnDisable");
                frames.RunUntil(() => signIn.IsCompleted, () => { }, LimitMs);
                Console.WriteLine("sign-in: " + signIn.Exception?.InnerException?.GetType().Name);
            }
            else if (what == "absent")
            {
                frames.RunUntil(() => text.Contains("not available"), Update, LimitMs);
                Console.WriteLine("ready: " + sallyport.IsReady);
            }
            else frames.RunUntil(() => text.Contains("over"), Update, LimitMs);
            Stop();
        }

        internal void Open(bool hasGame = true)
        {
            SynchronizationContext.SetSynchronizationContext(frames);
            var settings = ScriptableObject.CreateInstance<SallyportSettings>();
            Set(settings, "applicationId", "1180000000000000042");
            Resources.Assets[SallyportSettings.AssetName] = settings;
            // The attribute InitializeOnLoad.
            RuntimeHelpers.RunClassConstructor(Editor("SallyportReload").TypeHandle);
            sallyport = scene.AddComponent<SallyportBehaviour>();
            if (hasGame) Set(scene.AddComponent<DocksideGame>(), "pauseMs", 320);
            sallyport.OnNotAvailable.AddListener(reason => text += "not available");
            Send("Awake");
            Send("OnEnable");
            Send("Start");
        }

        /// <summary>A platform that can have no bridge.</summary>
        private void Elsewhere()
        {
            UnityEngine.Application.platform = RuntimePlatform.Android;
            SynchronizationContext.SetSynchronizationContext(frames);
            sallyport = scene.AddComponent<SallyportBehaviour>();
            sallyport.OnNotAvailable.AddListener(reason => Console.WriteLine("reason: " + reason));
            sallyport.OnSignInFailed.AddListener(reason => Console.WriteLine("sign-in: " + reason));
            Send("Awake");
            Send("OnEnable");
            sallyport.SetPresence("alone", "");
            sallyport.AcceptInvite("1");
            sallyport.SignIn();
            Send("Update");
            Send("OnDisable");
            Console.WriteLine("client: " + (sallyport.Client != null) + ", ready: " + sallyport.IsReady);
        }

        /// <summary>From the menu to a level and back, three times. The menu brings the component each time, below a parent.</summary>
        private void LoadScenes()
        {
            SynchronizationContext.SetSynchronizationContext(frames);
            var settings = ScriptableObject.CreateInstance<SallyportSettings>();
            Set(settings, "applicationId", "1180000000000000042");
            Resources.Assets[SallyportSettings.AssetName] = settings;
            SallyportBehaviour inMenu = null;
            var readies = 0;
            for (var round = 1; round <= 3; round++)
            {
                Scenes.Load(() =>
                {
                    var menu = new GameObject();
                    var services = new GameObject();
                    services.transform.SetParent(menu.transform);
                    inMenu = services.AddComponent<SallyportBehaviour>();
                    inMenu.OnReady.AddListener(() => readies++);
                });
                frames.RunUntil(() => inMenu.IsReady, Scenes.Frame, LimitMs);
                // A script of the menu has this component in a field.
                inMenu.SetPresence("In the menu", "round " + round);
                Scenes.Load(() => new GameObject());
                for (var left = 20; left > 0; left--) frames.RunUntil(() => true, () => { }, 0);
                Scenes.Frame();
                Console.WriteLine("components: " + Scenes.Count<SallyportBehaviour>() + ", ready " + readies + " times");
            }
            Scenes.Quit();
            Console.WriteLine("kept: " + (SallyportBehaviour.Instance != null));
            inMenu.SetPresence("after the end", "");
        }

        internal void RunUntilReady()
        {
            frames.RunUntil(() => sallyport.IsReady, Update, LimitMs);
            Console.WriteLine("ready: " + sallyport.IsReady);
        }

        internal void BeforeReload()
        {
            UnityEditor.AssemblyReloadEvents.Reload();
            Send("OnDisable");
            Console.WriteLine("closed: " + (sallyport.Client == null));
        }

        private void Update()
        {
            Send("Update");
            Send("OnGUI");
            var game = scene.GetComponent<DocksideGame>();
            if (game == null) return;
            var lines = (List<string>)typeof(DocksideGame).GetField("lines", Private).GetValue(game);
            if (lines.Count > 0 && (lines[lines.Count - 1].EndsWith("Fair winds!") || lines[lines.Count - 1].StartsWith("Dockside failed")))
                text = "over";
        }

        /// <summary>The stop button.</summary>
        private void Stop()
        {
            var time = Stopwatch.StartNew();
            Send("OnApplicationQuit");
            Send("OnDisable");
            Send("OnDestroy");
            Console.WriteLine("stopped at once: " + (time.ElapsedMilliseconds < AtOnceMs) + " " + (sallyport.Client == null));
            var busy = 1;
            for (var left = AtOnceMs / 10; left > 0 && busy > 0; left--)
            {
                Thread.Sleep(10);
                ThreadPool.GetAvailableThreads(out var workers, out var ports);
                ThreadPool.GetMaxThreads(out var mostWorkers, out var mostPorts);
                busy = mostWorkers - workers + mostPorts - ports;
            }
            Console.WriteLine("busy threads: " + busy);
        }

        /// <summary>Opens the page of the settings twice, then the linker, then a scene without an id.</summary>
        private void Settings()
        {
            var page = (UnityEditor.SettingsProvider)Editor("SallyportSettingsProvider")
                .GetMethod("Create", BindingFlags.Static | BindingFlags.NonPublic).Invoke(null, null);
            Console.WriteLine("page: " + page.settingsPath);
            page.guiHandler("");
            var settings = SallyportSettings.Load();
            Console.WriteLine("scopes: " + string.Join(" ", settings.RequestedScopes));
            scene.AddComponent<SallyportBehaviour>();
            Send("OnEnable");
            Set(settings, "applicationId", "1180000000000000042");
            page.guiHandler("");
            var linker = (UnityEditor.Build.IUnityLinkerProcessor)Activator.CreateInstance(Editor("SallyportLinker"), true);
            Console.WriteLine("link: " + linker.GenerateAdditionalLinkXmlFile(null, null));
        }

        /// <summary>A class of the assembly for the editor, which scripts do not refer to.</summary>
        private static Type Editor(string name)
        {
            const string assembly = "Sallyport.Unity.Editor";
            return Assembly.Load(assembly).GetType(assembly + "." + name);
        }

        private void Send(string message)
        {
            foreach (var component in scene.Components)
                component.GetType().GetMethod(message, Private)?.Invoke(component, null);
        }

        private const BindingFlags Private = BindingFlags.Instance | BindingFlags.NonPublic;

        /// <summary>As the inspector does.</summary>
        private static void Set(UnityEngine.Object target, string field, object value)
        {
            target.GetType().GetField(field, Private).SetValue(target, value);
        }
    }

    /// <summary>The main thread: awaits of scripts continue in its frames.</summary>
    private sealed class Frames : SynchronizationContext
    {
        private readonly List<Action> tasks = new List<Action>();

        public override void Post(SendOrPostCallback callback, object state)
        {
            lock (tasks) tasks.Add(() => callback(state));
        }

        internal void RunUntil(Func<bool> isOver, Action update, int limitMs)
        {
            for (var time = Stopwatch.StartNew(); !isOver() && time.ElapsedMilliseconds < limitMs;)
            {
                Action[] now;
                lock (tasks)
                {
                    now = tasks.ToArray();
                    tasks.Clear();
                }
                foreach (var task in now) task();
                update();
                Thread.Sleep(8);
            }
        }
    }
}
