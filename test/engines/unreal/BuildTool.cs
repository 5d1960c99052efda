using System;
using System.Collections.Generic;
using System.IO;
using UnrealBuildTool;

/// <summary>Our own stand-in for the part of the build tool that the rules of the module use. It is no part of the engine.</summary>
namespace UnrealBuildTool
{
    public enum UnrealTargetPlatform
    {
        Win64,
        Linux,
        LinuxArm64,
        Mac,
        Android,
        IOS
    }

    public sealed class ReadOnlyTargetRules
    {
        public UnrealTargetPlatform Platform;
    }

    public class ModuleRules
    {
        public enum PCHUsageMode
        {
            Default,
            UseExplicitOrSharedPCHs
        }

        public PCHUsageMode PCHUsage;
        public readonly List<string> PublicDependencyModuleNames = new List<string>();
        public readonly List<string> PrivateIncludePaths = new List<string>();
        public readonly List<string> PrivateDefinitions = new List<string>();
        public readonly List<string> PublicSystemLibraries = new List<string>();
        public readonly List<string> PublicAdditionalLibraries = new List<string>();
        public readonly List<string> PublicDelayLoadDLLs = new List<string>();

        public ModuleRules(ReadOnlyTargetRules Target)
        {
        }

        public string ModuleDirectory => Directory.GetCurrentDirectory();
    }
}

/// <summary>Prints what the rules say for each system.</summary>
internal static class BuildTool
{
    private static void Main()
    {
        foreach (UnrealTargetPlatform platform in Enum.GetValues(typeof(UnrealTargetPlatform)))
        {
            var rules = new SallyportClient(new ReadOnlyTargetRules { Platform = platform });
            foreach (var path in rules.PrivateIncludePaths)
                if (!Directory.Exists(path)) throw new DirectoryNotFoundException(path);
            Console.WriteLine(platform + ": " + string.Join(" ", rules.PublicDependencyModuleNames) + " | "
                + string.Join(" ", rules.PublicSystemLibraries) + " | " + string.Join(" ", rules.PrivateDefinitions) + " | staged "
                + (rules.PublicAdditionalLibraries.Count + rules.PublicDelayLoadDLLs.Count));
        }
    }
}
