/**
 * Finds the user of this machine who owns the peer of a loopback connection. TCP itself does not carry the owner, but Linux lists every
 * socket with its owner. On other systems the owner is unknown, and programs of every user are accepted.
 */
import { readFile } from 'node:fs/promises'
import { type AddressInfo, BoundSocket, createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { LOOPBACK } from '@sallyport/core/loopback'
import { findConnected, findListening, type TcpAddress } from './tcp-table.ts'

/** Root counts as this user, because relays of remote shells and virtual machines run as root, and root has full access anyway. */
export type PeerOwner = 'this-user' | 'another-user' | 'unknown'

export interface TcpPeers {
  /** Whether this system lists the owners of connections; undefined before the first peer. */
  readonly areKnown: boolean | undefined
  /** The current owner of the peer of this accepted connection. Never rejects. */
  ownerOf(socket: Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>): Promise<PeerOwner>
}

/** Reads the socket tables; rejects on systems without them. */
export type ReadTcpTable = () => Promise<string>

const ROOT = 0
/** The table is not read atomically, so a socket can be missing while others open and close. */
const MAX_READS = 3

async function readTable(): Promise<string> {
  if (process.platform !== 'linux') throw Object.assign(new Error('This system has no TCP socket table.'), { code: 'ENOENT' })
  // Without IPv6 there is no second table.
  const [four, six] = await Promise.all([readFile('/proc/net/tcp', 'latin1'), readFile('/proc/net/tcp6', 'latin1').catch(() => '')])
  return four + six
}

/** There is no table, or it may not be read. Any other failure passes. */
const NO_TABLE: readonly unknown[] = ['ENOENT', 'EACCES', 'EPERM']

/** Whether the table contains a socket of our own. Some systems keep it empty. Rejects when that cannot be said now. */
async function listsOwnSocket(read: ReadTcpTable): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(new BoundSocket({ host: LOOPBACK }))
    await once(server, 'listening')
    const address = server.address() as AddressInfo
    return findListening(await read(), address) !== undefined
  } catch (failure) {
    if (NO_TABLE.includes((failure as NodeJS.ErrnoException).code)) return false
    throw failure
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

export interface TcpPeersOptions {
  /** Called once, when it turns out that this system lists no sockets. */
  readonly onUnknown?: () => void
  readonly read?: ReadTcpTable
  readonly uid?: number | undefined
}

/**
 * Checks whether the system lists sockets at the first peer: a read walks the whole table of the kernel, some milliseconds, and most bridges never
 * have such a peer. Any other failure, also a lack of file descriptors, counts as another user, and the next peer is a new attempt.
 */
export function openTcpPeers({ onUnknown = () => {}, read = readTable, uid = process.getuid?.() }: TcpPeersOptions = {}): TcpPeers {
  const table = coalesced(read)
  let areKnown: boolean | undefined
  let checking: Promise<boolean> | undefined

  async function check(): Promise<boolean> {
    try {
      areKnown = await listsOwnSocket(read)
    } finally {
      checking = undefined
    }
    if (!areKnown) onUnknown()
    return areKnown
  }

  async function userOf(peer: TcpAddress, local: TcpAddress): Promise<PeerOwner> {
    if (!(areKnown ?? (await (checking ??= check())))) return 'unknown'
    for (let attempt = 0; attempt < MAX_READS; attempt++) {
      const row = findConnected(await table(), peer, local)
      if (row === undefined) continue
      return row.inode !== 0 && (row.uid === uid || row.uid === ROOT) ? 'this-user' : 'another-user'
    }
    return 'another-user'
  }

  return {
    get areKnown() {
      return areKnown
    },
    async ownerOf({ remoteAddress, remotePort, localAddress, localPort }) {
      const [peer, local] = [addressOf(remoteAddress, remotePort), addressOf(localAddress, localPort)]
      if (peer === undefined || local === undefined) return 'another-user'
      return userOf(peer, local).catch(() => 'another-user' as const)
    },
  }
}
