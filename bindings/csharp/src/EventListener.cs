using System;

namespace Sallyport
{
    /// <summary>Receives the events of one subscription. Called in the loop, except for <see cref="End"/>.</summary>
    internal interface IEventListener
    {
        /// <summary>An event; `bytes` is its size on the wire.</summary>
        void Deliver(object data, int bytes);

        /// <summary>No event follows. Any thread may call it, also more than once.</summary>
        void End();
    }

    /// <summary>Calls the game back where it wants callbacks to run.</summary>
    internal sealed class CallbackListener : IEventListener
    {
        private readonly Dispatcher dispatcher;
        private readonly Action<object> callback;
        private volatile bool isEnded;

        internal CallbackListener(Dispatcher dispatcher, Action<object> callback)
        {
            this.dispatcher = dispatcher;
            this.callback = callback;
        }

        public void Deliver(object data, int bytes)
        {
            dispatcher.Post(() =>
            {
                if (!isEnded) callback(data);
            }, bytes);
        }

        public void End()
        {
            isEnded = true;
        }
    }
}
