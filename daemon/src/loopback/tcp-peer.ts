/**
 * Finds the user of this machine who owns the peer of a loopback connection. TCP itself does not carry the owner, but Linux lists every
 * socket with its owner. On other systems `areKnown` is false, and programs of every user are accepted.
 */
import { readFile } from 'node:fs/promises'
import { BoundSocket, createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { LOOPBACK } from '@sallyport/core/loopback'
import { findConnected, findListening, type TcpAddress } from './tcp-table.ts'

/** Root counts as this user, because relays of remote shells and virtual machines run as root, and root has full access anyway. */
export type PeerOwner = 'this-user' | 'another-user' | 'unknown'

export interface TcpPeers {
  /** Whether this system lists the owners of connections. */
  readonly areKnown: boolean
  /** The current owner of the peer of this accepted connection. Never rejects. */
  ownerOf(socket: Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>): Promise<PeerOwner>
}

/** Reads the socket tables; rejects on systems without them. */
export type ReadTcpTable = () => Promise<string>

const ROOT = 0
/** The table is not read atomically, so a socket can be missing while others open and close. */
const MAX_READS = 3

async function readTable(): Promise<string> {
  if (process.platform !== 'linux') throw new Error('This system has no TCP socket table.')
  // Without IPv6 there is no second table.
  const [four, six] = await Promise.all([readFile('/proc/net/tcp', 'latin1'), readFile('/proc/net/tcp6', 'latin1').catch(() => '')])
  return four + six
}

/** Whether the table contains a socket of our own. Some systems keep it empty. */
async function listsOwnSocket(read: ReadTcpTable): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(new BoundSocket({ host: LOOPBACK }))
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') return false
    return findListening(await read(), address) !== undefined
  } catch {
    return false
  } finally {
    server.close()
  }
}

/** Coalesces reads. Requests during a read share the next one. */
function coalesced(read: ReadTcpTable): ReadTcpTable {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<string> | undefined
  const start = (): Promise<string> => {
    next = undefined
    const started = read()
    running = started
    return started
  }
  return () => (next ??= running.then(start, start))
}

const addressOf = (address: string | undefined, port: number | undefined): TcpAddress | undefined =>
  address === undefined || port === undefined ? undefined : { address, port }

/** Checks once whether the system lists sockets. If it does, a later read failure counts as another user. */
export async function openTcpPeers(read: ReadTcpTable = readTable, uid = process.getuid?.()): Promise<TcpPeers> {
  if (!(await listsOwnSocket(read))) return { areKnown: false, ownerOf: async () => 'unknown' }
  const table = coalesced(read)
  return {
    areKnown: true,
    async ownerOf({ remoteAddress, remotePort, localAddress, localPort }) {
      const [peer, local] = [addressOf(remoteAddress, remotePort), addressOf(localAddress, localPort)]
      if (peer === undefined || local === undefined) return 'another-user'
      try {
        for (let attempt = 0; attempt < MAX_READS; attempt++) {
          const row = findConnected(await table(), peer, local)
          if (row === undefined) continue
          return row.inode !== 0 && (row.uid === uid || row.uid === ROOT) ? 'this-user' : 'another-user'
        }
      } catch {
        // Even a lack of file descriptors must not grant access.
      }
      return 'another-user'
    },
  }
}
