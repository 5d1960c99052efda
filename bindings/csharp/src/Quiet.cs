using System.Threading.Tasks;

namespace Sallyport
{
    internal static class Quiet
    {
        /// <summary>Completes when the task ends, also when it failed: the state of the client reports the reason.</summary>
        internal static async Task End(Task task)
        {
            try
            {
                await task;
            }
            catch (SallyportException)
            {
                // Reported by the state.
            }
        }
    }
}
