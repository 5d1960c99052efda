using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Sallyport
{
    /// <summary>
    /// A named pipe by calls of kernel32, for runtimes whose class library has no pipes. Reads and writes are overlapped, and one thread
    /// waits for their events: the wait handles of such runtimes may be no handles of the system. The system never calls managed code.
    /// Signatures are blittable, as compilers ahead of time want them.
    /// </summary>
    internal sealed class KernelPipe : Stream
    {
        /// <summary>
        /// How long the thread stays in the system at most. Mono cannot end it there, and an editor that reloads its scripts waits for it.
        /// </summary>
        private const uint SliceMs = 1000;
        private const uint WaitFailed = 0xffffffff;
        private const int EventCount = 3;
        private const int ReadBytes = 65536;
        private const uint ReadAndWrite = 0xc0000000;
        private const uint OpenExisting = 3;
        /// <summary>FILE_FLAG_OVERLAPPED, and SECURITY_IDENTIFICATION: the server may identify the game, but not act as it.</summary>
        private const uint Flags = 0x40000000 | 0x00100000 | 0x00010000;
        private const int BrokenPipe = 109;
        private const int MoreData = 234;
        private const int StillRuns = 996;
        private const int Pending = 997;
        private static readonly IntPtr NoHandle = new IntPtr(-1);

        private readonly object sync = new object();
        private readonly IntPtr handle;
        private readonly Operation reading = new Operation();
        private readonly Operation writing = new Operation();
        private readonly IntPtr closing = CreateEventW(IntPtr.Zero, 1, 0, IntPtr.Zero);
        /// <summary>The events that the thread waits for.</summary>
        private readonly IntPtr events = Marshal.AllocHGlobal(EventCount * IntPtr.Size);
        private volatile bool isClosed;
        private long wakes;

        internal KernelPipe(string path)
        {
            var name = Marshal.StringToHGlobalUni(path);
            handle = CreateFileW(name, ReadAndWrite, 0, IntPtr.Zero, OpenExisting, Flags, IntPtr.Zero);
            var error = Marshal.GetLastWin32Error();
            Marshal.FreeHGlobal(name);
            if (handle == NoHandle)
            {
                isClosed = true;
                Free();
                throw new IOException("the pipe " + path + " cannot be opened (error " + error + " of Windows)");
            }
            Marshal.WriteIntPtr(events, 0, closing);
            Marshal.WriteIntPtr(events, IntPtr.Size, reading.Signal);
            Marshal.WriteIntPtr(events, 2 * IntPtr.Size, writing.Signal);
            new Thread(Wait) { IsBackground = true, Name = "Sallyport pipe" }.Start();
        }

        /// <summary>How often the thread has returned from the system.</summary>
        internal long Wakes => Interlocked.Read(ref wakes);

        internal IntPtr Handle => handle;

        public override bool CanRead => true;
        public override bool CanSeek => false;
        public override bool CanWrite => true;
        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get { throw new NotSupportedException(); }
            set { throw new NotSupportedException(); }
        }

        public override IAsyncResult BeginRead(byte[] buffer, int offset, int count, AsyncCallback callback, object state)
        {
            var size = Math.Min(count, ReadBytes);
            return Begin(reading, size, callback, state, () =>
            {
                reading.Target = new ArraySegment<byte>(buffer, offset, size);
                return ReadFile(handle, reading.Data, (uint)size, IntPtr.Zero, reading.Overlapped);
            });
        }

        public override int EndRead(IAsyncResult result)
        {
            return ((Task<int>)result).GetAwaiter().GetResult();
        }

        public override IAsyncResult BeginWrite(byte[] buffer, int offset, int count, AsyncCallback callback, object state)
        {
            return Begin(writing, count, callback, state, () =>
            {
                Marshal.Copy(buffer, offset, writing.Data, count);
                return WriteFile(handle, writing.Data, (uint)count, IntPtr.Zero, writing.Overlapped);
            });
        }

        public override void EndWrite(IAsyncResult result)
        {
            ((Task<int>)result).GetAwaiter().GetResult();
        }

        public override int Read(byte[] buffer, int offset, int count)
        {
            return EndRead(BeginRead(buffer, offset, count, null, null));
        }

        public override void Write(byte[] buffer, int offset, int count)
        {
            EndWrite(BeginWrite(buffer, offset, count, null, null));
        }

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin)
        {
            throw new NotSupportedException();
        }

        public override void SetLength(long value)
        {
            throw new NotSupportedException();
        }

        /// <summary>Does not wait: the thread closes the pipe.</summary>
        protected override void Dispose(bool isDisposing)
        {
            lock (sync)
            {
                if (isClosed) return;
                isClosed = true;
                SetEvent(closing);
            }
        }

        /// <summary>The thread: ends reads and writes, then closes the pipe; also when the runtime aborts the thread.</summary>
        private void Wait()
        {
            try
            {
                while (!isClosed)
                {
                    if (WaitForMultipleObjectsEx(EventCount, events, 0, SliceMs, 1) == WaitFailed) return;
                    Interlocked.Increment(ref wakes);
                    lock (sync)
                    {
                        Finish(reading);
                        Finish(writing);
                    }
                }
            }
            finally
            {
                lock (sync)
                {
                    isClosed = true;
                    Cancel(reading);
                    Cancel(writing);
                    CloseHandle(handle);
                    Free();
                }
            }
        }

        /// <summary>Ends the operation: the system must not write into memory that is given back.</summary>
        private void Cancel(Operation operation)
        {
            if (operation.Source != null && CancelIoEx(handle, operation.Overlapped) != 0)
                GetOverlappedResult(handle, operation.Overlapped, operation.Count, 1);
            operation.Fail(new ObjectDisposedException("the pipe was closed"));
        }

        private void Free()
        {
            reading.Free();
            writing.Free();
            CloseHandle(closing);
            Marshal.FreeHGlobal(events);
        }

        private Task<int> Begin(Operation operation, int size, AsyncCallback callback, object state, Func<int> start)
        {
            var source = new TaskCompletionSource<int>(state, TaskCreationOptions.RunContinuationsAsynchronously);
            if (callback != null) source.Task.ContinueWith(done => callback(done), TaskScheduler.Default);
            lock (sync)
            {
                if (isClosed) throw new ObjectDisposedException("the pipe was closed");
                if (operation.Source != null) throw new InvalidOperationException("the pipe is busy; wait for the end of the last operation");
                operation.Prepare(size);
                operation.Source = source;
                if (start() == 0)
                {
                    var error = Marshal.GetLastWin32Error();
                    if (error != Pending) operation.End(0, error);
                }
                else
                {
                    Finish(operation);
                }
            }
            return source.Task;
        }

        private void Finish(Operation operation)
        {
            if (operation.Source == null) return;
            var error = GetOverlappedResult(handle, operation.Overlapped, operation.Count, 0) == 0 ? Marshal.GetLastWin32Error() : 0;
            if (error != StillRuns) operation.End(Marshal.ReadInt32(operation.Count), error);
        }

        /// <summary>One read or write, with the memory that the system uses for it.</summary>
        private sealed class Operation
        {
            /// <summary>OVERLAPPED: two results, two halves of an offset, an event.</summary>
            private static readonly int EventAt = (2 * IntPtr.Size) + 8;
            private static readonly int CountAt = EventAt + IntPtr.Size;

            private int size;

            internal Operation()
            {
                Overlapped = Marshal.AllocHGlobal(CountAt + 4);
            }

            /// <summary>Set from the end of the operation in the system until <see cref="End"/>.</summary>
            internal IntPtr Signal { get; } = CreateEventW(IntPtr.Zero, 1, 0, IntPtr.Zero);
            internal IntPtr Overlapped { get; }
            internal IntPtr Count => Overlapped + CountAt;
            internal IntPtr Data { get; private set; }
            internal ArraySegment<byte> Target { get; set; }

            /// <summary>Null while nothing runs.</summary>
            internal TaskCompletionSource<int> Source { get; set; }

            internal void Prepare(int bytes)
            {
                if (bytes > size)
                {
                    Marshal.FreeHGlobal(Data);
                    Data = IntPtr.Zero;
                    Data = Marshal.AllocHGlobal(bytes);
                    size = bytes;
                }
                for (var at = 0; at < CountAt + 4; at += 4) Marshal.WriteInt32(Overlapped, at, 0);
                Marshal.WriteIntPtr(Overlapped, EventAt, Signal);
            }

            internal void End(int bytes, int error)
            {
                var source = Source;
                Source = null;
                ResetEvent(Signal);
                // The end of the pipe is the end of the stream.
                if (error == BrokenPipe) source.TrySetResult(0);
                else if (error != 0 && error != MoreData)
                    source.TrySetException(new IOException("the pipe failed (error " + error + " of Windows)"));
                else
                {
                    if (Target.Array != null) Marshal.Copy(Data, Target.Array, Target.Offset, bytes);
                    source.TrySetResult(bytes);
                }
                Target = default(ArraySegment<byte>);
            }

            internal void Fail(Exception reason)
            {
                Source?.TrySetException(reason);
                Source = null;
            }

            internal void Free()
            {
                CloseHandle(Signal);
                Marshal.FreeHGlobal(Overlapped);
                Marshal.FreeHGlobal(Data);
            }
        }

        [DllImport("kernel32", SetLastError = true)]
        private static extern IntPtr CreateFileW(
            IntPtr name, uint access, uint share, IntPtr security, uint disposition, uint flags, IntPtr template);

        [DllImport("kernel32", SetLastError = true)]
        private static extern int ReadFile(IntPtr file, IntPtr data, uint size, IntPtr count, IntPtr overlapped);

        [DllImport("kernel32", SetLastError = true)]
        private static extern int WriteFile(IntPtr file, IntPtr data, uint size, IntPtr count, IntPtr overlapped);

        [DllImport("kernel32", SetLastError = true)]
        private static extern int GetOverlappedResult(IntPtr file, IntPtr overlapped, IntPtr count, int wait);

        [DllImport("kernel32")]
        private static extern int CancelIoEx(IntPtr file, IntPtr overlapped);

        [DllImport("kernel32")]
        private static extern IntPtr CreateEventW(IntPtr security, int isManual, int isSet, IntPtr name);

        [DllImport("kernel32")]
        private static extern int SetEvent(IntPtr signal);

        [DllImport("kernel32")]
        private static extern int ResetEvent(IntPtr signal);

        [DllImport("kernel32")]
        private static extern uint WaitForMultipleObjectsEx(uint count, IntPtr handles, int isAll, uint milliseconds, int isAlertable);

        [DllImport("kernel32")]
        private static extern int CloseHandle(IntPtr handle);
    }
}
