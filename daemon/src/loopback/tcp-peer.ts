/**
 * Which user of this machine made the other end of a loopback connection. A TCP socket does not say it, but Linux lists every socket with
 * its owner. Other systems do not; there every program of the machine is taken, whoever's it is, and `areKnown` is false.
 */
import { readFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { LOOPBACK } from './loopback-server.ts'
import { findConnected, findListening, type TcpEnd } from './tcp-table.ts'

/** Root counts as this user: relays of remote shells and of virtual machines run as root, and root needs no such way in. */
export type PeerOwner = 'this-user' | 'another-user' | 'unknown'

export interface TcpPeers {
  /** Whether this system lists who owns a connection. */
  readonly areKnown: boolean
  /** Who is at the other end of this accepted connection now. Never rejects. */
  ownerOf(socket: Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>): Promise<PeerOwner>
}

/** Gives every socket that the system lists; rejects where it lists none. */
export type ReadTable = () => Promise<string>

const ROOT = 0
/** The list is not read in one piece: a socket can be left out while others come and go. */
const LOOKS = 3

async function readTable(): Promise<string> {
  if (process.platform !== 'linux') throw new Error('This system has no such list.')
  // Without IPv6 there is no second list.
  const [four, six] = await Promise.all([readFile('/proc/net/tcp', 'latin1'), readFile('/proc/net/tcp6', 'latin1').catch(() => '')])
  return four + six
}

/** Some systems have the list and keep it empty, so a socket of our own is looked for. */
async function listsOurs(read: ReadTable): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(0, LOOPBACK)
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

/** One read at a time, however many ask; who asks while one is under way is told by the next. */
function shared(read: ReadTable): ReadTable {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<string> | undefined
  const begin = (): Promise<string> => {
    next = undefined
    const begun = read()
    running = begun
    return begun
  }
  return () => (next ??= running.then(begin, begin))
}

const endOf = (address: string | undefined, port: number | undefined): TcpEnd | undefined =>
  address === undefined || port === undefined ? undefined : { address, port }

/** Looks once whether the system lists sockets; if it does, a list that cannot be read later refuses. */
export async function openTcpPeers(read: ReadTable = readTable, uid = process.getuid?.()): Promise<TcpPeers> {
  if (!(await listsOurs(read))) return { areKnown: false, ownerOf: async () => 'unknown' }
  const table = shared(read)
  return {
    areKnown: true,
    async ownerOf({ remoteAddress, remotePort, localAddress, localPort }) {
      const [theirs, ours] = [endOf(remoteAddress, remotePort), endOf(localAddress, localPort)]
      if (theirs === undefined || ours === undefined) return 'another-user'
      try {
        for (let look = 0; look < LOOKS; look++) {
          const row = findConnected(await table(), theirs, ours)
          if (row === undefined) continue
          return row.inode !== 0 && (row.uid === uid || row.uid === ROOT) ? 'this-user' : 'another-user'
        }
      } catch {
        // Not even a lack of descriptors may let somebody in.
      }
      return 'another-user'
    },
  }
}
