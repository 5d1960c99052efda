"""Makes 50,000 calls twice: prints by how many KiB the second half grew the process. One argument: the runtime directory."""

from __future__ import annotations

import asyncio
import gc
import sys

from sallyport import AsyncClient

CALLS = 50_000
AT_ONCE = 50


def resident_kib() -> int:
    gc.collect()
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


async def main() -> None:
    async with AsyncClient("42", runtime_dir=sys.argv[1]) as client:
        client.on("ACTIVITY_JOIN", lambda _: None)
        await client.connect(20)

        async def half() -> None:
            for _ in range(CALLS // AT_ONCE):
                await asyncio.gather(*(client.call("GET_LOBBY", {"lobby_id": "7", "text": "x" * 100}) for _ in range(AT_ONCE)))

        await half()
        before = resident_kib()
        await half()
        print(resident_kib() - before)


asyncio.run(main())
