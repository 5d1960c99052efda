"""The adapter of the conformance kit: test/conformance/clients/README.md has its lines."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any, Awaitable, Callable, Dict, Optional, Set

from sallyport import AsyncClient, CallError, CallTimeoutError, ClientClosedError, ConnectionLostError, ServerClosedError, State, Subscription
from sallyport import NotSentError, Presence

SEARCH_S = 3600.0


class AdvancedClock:
    """The clock of the system, and what the kit has added."""

    def __init__(self) -> None:
        self._added = 0.0
        self.timers: "Set[_Timer]" = set()

    def now(self) -> float:
        return time.monotonic() + self._added

    def after(self, delay: float, task: Callable[[], None]) -> Callable[[], None]:
        timer = _Timer(self, self.now() + delay, task)
        return timer.cancel

    def advance(self, seconds: float) -> None:
        self._added += seconds
        for timer in tuple(self.timers):
            timer.arm()


class _Timer:
    def __init__(self, clock: AdvancedClock, due: float, task: Callable[[], None]) -> None:
        self._clock, self._due, self._task = clock, due, task
        self._handle: Optional[asyncio.TimerHandle] = None
        clock.timers.add(self)
        self.arm()

    def arm(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
        self._handle = asyncio.get_running_loop().call_later(max(0.0, self._due - self._clock.now()), self._run)

    def cancel(self) -> None:
        self._clock.timers.discard(self)
        if self._handle is not None:
            self._handle.cancel()

    def _run(self) -> None:
        self._clock.timers.discard(self)
        self._task()


def emit(line: Dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def failure_of(error: BaseException) -> Dict[str, Any]:
    if isinstance(error, CallError):
        failure = {"kind": "refused", "code": error.code, "message": error.data["message"]}
        return failure if error.retry_after is None else {**failure, "retry_after_ms": round(error.retry_after * 1000)}
    kinds = ((CallTimeoutError, "timeout"), (ClientClosedError, "closed"), (NotSentError, "not-sent"), (ConnectionLostError, "lost"))
    return {"kind": next((kind for one, kind in kinds if isinstance(error, one)), "not-sent"), "message": str(error)}


class Adapter:
    def __init__(self) -> None:
        self._clock = AdvancedClock()
        self._client = AsyncClient("0", clock=self._clock)
        self._subscriptions: Dict[str, Subscription] = {}
        self._tasks: "Set[asyncio.Task[None]]" = set()

    def obey(self, request: Dict[str, Any]) -> None:
        getattr(self, f"do_{request['do']}")(request)

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _report(self, request: Dict[str, Any], call: Awaitable[Any]) -> None:
        async def run() -> None:
            try:
                emit({"event": "result", "id": request["id"], "data": await call})
            except Exception as error:
                emit({"event": "result", "id": request["id"], "error": failure_of(error)})

        self._start(run())

    def _show_state(self, state: State) -> None:
        line: Dict[str, Any] = {"event": "state", "name": state.name}
        if state.error is not None:
            line["message"] = str(state.error)
        if isinstance(state.error, ServerClosedError):
            line["close_code"] = state.error.close_code
        emit(line)

    def _show_presence(self, presence: Presence) -> None:
        if presence.error is None:
            emit({"event": "presence", "data": presence.activity})
        else:
            emit({"event": "presence", "error": failure_of(presence.error)})

    def do_connect(self, request: Dict[str, Any]) -> None:
        self._client = AsyncClient(
            request["application_id"],
            runtime_dir=request.get("runtime_dir"),
            allow_packaged_client=request.get("allow_packaged_client", False),
            clock=self._clock,
        )
        self._client.on_state(self._show_state)
        self._client.on_presence(self._show_presence)

        async def run() -> None:
            timeout = request.get("timeout_ms")
            try:
                await self._client.connect(SEARCH_S if timeout is None else timeout / 1000)
            except Exception:
                pass  # The state says it.

        self._start(run())

    def do_call(self, request: Dict[str, Any]) -> None:
        timeout = request.get("timeout_ms")
        limit = None if timeout is None else timeout / 1000
        self._report(request, self._client.call(request["command"], request["args"], timeout=limit, key=request.get("key")))

    def do_activity(self, request: Dict[str, Any]) -> None:
        async def run() -> Any:
            is_ready = self._client.state.name == "ready"
            activity = request["activity"]
            shown = await (self._client.clear_activity() if activity is None else self._client.set_activity(activity))
            if not is_ready:
                raise NotSentError("the presence is kept, and shown later")
            return shown

        self._report(request, run())

    def do_sign_in(self, request: Dict[str, Any]) -> None:
        self._report(request, self._client.ask_to_sign_in(request["scopes"]))

    def do_sign_in_if_needed(self, request: Dict[str, Any]) -> None:
        self._report(request, self._client.sign_in(request["scopes"]))

    def do_sign_out(self, request: Dict[str, Any]) -> None:
        self._report(request, self._client.sign_out())

    def do_sign_in_silently(self, request: Dict[str, Any]) -> None:
        self._report(request, self._client.sign_in_silently())

    def do_subscribe(self, request: Dict[str, Any]) -> None:
        name = request["name"]
        self._subscriptions[name] = self._client.on(
            name, lambda data: emit({"event": "dispatch", "name": name, "data": data}), request.get("args")
        )

    def do_unsubscribe(self, request: Dict[str, Any]) -> None:
        self._subscriptions[request["name"]].close()

    def do_advance(self, request: Dict[str, Any]) -> None:
        self._clock.advance(request["ms"] / 1000)

    def do_echo(self, request: Dict[str, Any]) -> None:
        emit({"event": "echo", "id": request["id"]})

    def do_close(self, request: Dict[str, Any]) -> None:
        async def run() -> None:
            await self._client.close()
            emit({"event": "closed"})

        self._start(run())


async def main() -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=16 * 1024 * 1024)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    adapter = Adapter()
    while True:
        line = await reader.readline()
        if not line:
            return
        adapter.obey(json.loads(line))


asyncio.run(main())
