using System;
using System.Collections.Generic;
using System.Globalization;

namespace Sallyport
{
    /// <summary>A place where a server may listen: the path of a socket, or of a pipe of Windows.</summary>
    internal sealed class Candidate
    {
        internal string Path;
        internal int Slot;
        /// <summary>Contained programs can listen there: what answers is not believed to be a bridge.</summary>
        internal bool IsPackaged;
    }

    /// <summary>The discovery rule: where servers may listen.</summary>
    internal static class Discovery
    {
        /// <summary>The first variable that is set names the directory; later ones are not tried.</summary>
        private static readonly string[] Variables = { "XDG_RUNTIME_DIR", "TMPDIR", "TMP", "TEMP" };

        /// <summary>Below it packaged desktop clients put their sockets.</summary>
        private static readonly string[] PackagedFolders = { "/app/com.discordapp.Discord", "/snap.discord" };

        internal static readonly bool IsWindows = Environment.OSVersion.Platform == PlatformID.Win32NT;

        /// <summary>Every place, best first.</summary>
        internal static List<Candidate> Candidates(ClientOptions options)
        {
            var candidates = new List<Candidate>();
            if (IsWindows) AddSlots(candidates, @"\\.\pipe\", options);
            else foreach (var directory in Directories(options.RuntimeDirectory)) AddSlots(candidates, directory + "/", options);
            return candidates;
        }

        private static IEnumerable<string> Directories(string chosen)
        {
            if (chosen != null)
            {
                yield return chosen.TrimEnd('/');
                yield break;
            }
            var directory = "/tmp";
            foreach (var name in Variables)
            {
                var value = Environment.GetEnvironmentVariable(name);
                if (string.IsNullOrEmpty(value)) continue;
                directory = value;
                break;
            }
            directory = directory.TrimEnd('/');
            // Other users can create sockets there: only the private folder of this user is searched.
            if (UnixFiles.IsShared(directory == "" ? "/" : directory))
            {
                yield return directory + "/sallyport-" + UnixFiles.UserId.ToString(CultureInfo.InvariantCulture);
                yield break;
            }
            yield return directory;
            if (!UnixFiles.IsLinux) yield break;
            foreach (var folder in PackagedFolders) yield return directory + folder;
        }

        /// <summary>
        /// Whether Flatpaks and Snaps can write to the folder, by the name that it has outside. A container has no other folder than
        /// these, so inside of one they count as any other.
        /// </summary>
        private static bool IsPackaged(string folder)
        {
            // UnixFiles needs what the class library of Windows may not have.
            if (IsWindows || !UnixFiles.IsLinux) return false;
            var parts = folder.Split(new[] { '/' }, StringSplitOptions.RemoveEmptyEntries);
            Func<int, string> above = steps => parts.Length > steps ? parts[parts.Length - 1 - steps] : "";
            var isContained = above(0).StartsWith("snap.", StringComparison.Ordinal)
                || (above(0) == "xdg-run" && above(2) == ".flatpak")
                || (above(1) == "app" && above(0).Split('.').Length > 2);
            return isContained && !Peer.IsSelfContained;
        }

        private static void AddSlots(List<Candidate> candidates, string before, ClientOptions options)
        {
            var isPackaged = IsPackaged(before);
            for (var slot = 0; slot < Wire.SlotCount; slot++)
                if (options.Slot == null || options.Slot == slot)
                    candidates.Add(new Candidate { Path = before + options.IpcPrefix + "-" + slot.ToString(CultureInfo.InvariantCulture),
                        Slot = slot, IsPackaged = isPackaged });
        }
    }
}
