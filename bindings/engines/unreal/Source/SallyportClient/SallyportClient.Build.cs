using System.IO;
using UnrealBuildTool;

/// <summary>
/// The C client is compiled into this module, so there is no library to stage and nothing that a shipping build could miss. The module
/// compiles for every platform; where no bridge can run, the C client leaves the system out. The module is not named Sallyport: the
/// engine would then define SALLYPORT_API, which the C client defines itself.
/// </summary>
public class SallyportClient : ModuleRules
{
    public SallyportClient(ReadOnlyTargetRules Target) : base(Target)
    {
        PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
        PublicDependencyModuleNames.AddRange(new[] { "Core", "CoreUObject", "DeveloperSettings", "Engine" });
        PrivateIncludePaths.Add(Path.Combine(ModuleDirectory, "Private"));
        if (Target.Platform == UnrealTargetPlatform.Win64)
        {
            PublicSystemLibraries.Add("advapi32.lib");
            PublicSystemLibraries.Add("bcrypt.lib");
        }
        else if (Target.Platform != UnrealTargetPlatform.Mac && Target.Platform != UnrealTargetPlatform.Linux
            && Target.Platform != UnrealTargetPlatform.LinuxArm64)
        {
            PrivateDefinitions.Add("SALLYPORT_NO_SYSTEM=1");
        }
    }
}
