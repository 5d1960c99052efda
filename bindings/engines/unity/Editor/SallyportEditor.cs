using System.IO;
using UnityEditor;
using UnityEditor.Build;
using UnityEditor.Build.Reporting;
using UnityEditor.UnityLinker;

namespace Sallyport.Unity.Editor
{
    /// <summary>Closes every connection before the editor unloads the scripts, also those of objects that no message reaches.</summary>
    [InitializeOnLoad]
    internal static class SallyportReload
    {
        static SallyportReload()
        {
            AssemblyReloadEvents.beforeAssemblyReload += SallyportBehaviour.CloseAll;
            EditorApplication.quitting += SallyportBehaviour.CloseAll;
        }
    }

    /// <summary>Gives link.xml to the linker, which does not read it in packages.</summary>
    internal sealed class SallyportLinker : IUnityLinkerProcessor
    {
        public int callbackOrder => 0;

        public string GenerateAdditionalLinkXmlFile(BuildReport report, UnityLinkerBuildPipelineData data)
        {
            return Path.GetFullPath("Packages/com.sallyport.client/link.xml");
        }
    }
}
