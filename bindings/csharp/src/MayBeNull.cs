using System;

namespace Sallyport
{
    /// <summary>
    /// The member may be null. The package is compiled with a `?` in its place: C# 7.2, in which these sources are written, has none.
    /// </summary>
    [AttributeUsage(AttributeTargets.Property | AttributeTargets.Method)]
    internal sealed class MayBeNullAttribute : Attribute
    {
    }
}
