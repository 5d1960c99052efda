/** The daemon's own listener on the named pipe of Windows, which passes every byte to a daemon at a TCP port, and back. Bundled, then run by node.exe. */
import { connect } from 'node:net'
import { openLocalSockets } from '#daemon/src/ipc/transport/local.ts'
import { nodeIpcListener } from '#daemon/src/ipc/transport/node-ipc-listener.ts'
import { supplyBoundSocket } from './node-22.ts'

const say = (event: object): void => console.log(JSON.stringify(event))
const port = Number(process.argv[2])

async function main(): Promise<void> {
  supplyBoundSocket()
  const { sockets } = await openLocalSockets({ directory: '', ipcPrefix: 'discord-ipc', hasPrivateFolder: false, onNeeded: () => {} })
  for (const socket of sockets) {
    await nodeIpcListener(socket).listen((pipe) => {
      const daemon = connect(port, '127.0.0.1')
      daemon.on('data', (bytes: Buffer) => pipe.write(bytes))
      daemon.on('error', () => pipe.destroy())
      daemon.on('end', () => pipe.end())
      return {
        onBytes: (bytes) => daemon.write(Buffer.from(bytes)),
        onDrain() {},
        onEnd: () => daemon.end(),
        onClose: () => daemon.destroy(),
      }
    })
  }
  say({ event: 'ready', addresses: sockets.map(({ address }) => address) })
}

main().catch((failure: unknown) => {
  say({ event: 'failed', failure: String(failure) })
  process.exitCode = 1
})
