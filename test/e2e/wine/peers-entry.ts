/** The listener of the daemon on Windows, which prints who connects and whether it still is who it was: one JSON line each. Every byte goes back. */
import { HeldServer } from '@sallyport/core/net/held-server'
import type { PeerIdentity } from '#daemon/src/ipc/transport/transport.ts'
import { openPeers } from '#daemon/src/identity/systems.ts'
import { nodeIpcListener } from '#daemon/src/ipc/transport/node-ipc-listener.ts'

const PIPE = '\\\\.\\pipe\\sallyport-peers'

const say = (line: object): void => console.log(JSON.stringify(line))

async function main(): Promise<void> {
  const { identify: ask, unknown } = openPeers(process.platform)
  let connections = 0
  const held = await HeldServer.listen<PeerIdentity>(
    { path: PIPE },
    { identify: () => ({ trust: 'kernel', ...ask(-1) }), release: () => {}, onNeeded: () => {} },
  )
  const listener = nodeIpcListener({ address: PIPE, held })

  await listener.listen((link) => {
    const { pid, uid, kind, executable, file, process: handle } = link.peer
    const connection = ++connections
    say({ event: 'accepted', connection, pid, uid, kind, executable, file, isSame: handle?.isUnchanged() })
    return {
      onBytes(bytes) {
        say({
          event: 'bytes',
          connection,
          pid,
          says: Number(bytes.toString()),
          isSame: handle?.isUnchanged(),
          read: handle?.read((read) => read),
        })
        link.write(bytes)
      },
      onDrain() {},
      onEnd: () => link.end(),
      onClose() {
        handle?.release()
        say({ event: 'closed', connection, pid, isSame: handle?.isUnchanged() })
      },
    }
  })
  say({ event: 'ready', node: process.version, unknown })
}

main().catch((failure: unknown) => {
  say({ event: 'failed', failure: String(failure) })
  process.exitCode = 1
})
