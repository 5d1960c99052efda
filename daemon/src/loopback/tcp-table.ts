/**
 * The form in which Linux lists TCP sockets (/proc/net/tcp and /proc/net/tcp6), as far as loopback needs it. Pure.
 *
 *   sl  local_address rem_address   st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode …
 */

export interface TcpEnd {
  /** IPv4, with dots. */
  readonly address: string
  readonly port: number
}

/** One socket, as the kernel lists it. */
export interface TcpRow {
  /** Of the user who made the socket. */
  readonly uid: number
  /** 0: no process holds the socket any more, and the uid says nothing. */
  readonly inode: number
}

const UID_COLUMN = 4
const INODE_COLUMN = 6
/** What an IPv6 socket has before the IPv4 address that it uses. */
const MAPPED = '0000000000000000FFFF0000'
/** The other end of a socket that listens. */
const ANY: TcpEnd = { address: '0.0.0.0', port: 0 }

/** The bytes of an address are in the order of the network, and are written as one number of a little-endian machine. */
function written({ address, port }: TcpEnd): string {
  const bytes = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))
  return `${bytes.toReversed().join('')}:${port.toString(16).padStart(4, '0')}`.toUpperCase()
}

/** The socket at `local` that is connected to `remote`; undefined when the table has none. */
export function findConnected(table: string, local: TcpEnd, remote: TcpEnd): TcpRow | undefined {
  const [here, there] = [written(local), written(remote)]
  return rowAfter(table, ` ${here} ${there} `) ?? rowAfter(table, ` ${MAPPED}${here} ${MAPPED}${there} `)
}

/** The socket that listens at `local`. */
export const findListening = (table: string, local: TcpEnd): TcpRow | undefined => rowAfter(table, ` ${written(local)} ${written(ANY)} `)

/** No other pair of columns has the form of two addresses. */
function rowAfter(table: string, addresses: string): TcpRow | undefined {
  const at = table.indexOf(addresses)
  if (at < 0) return undefined
  const start = at + addresses.length
  const end = table.indexOf('\n', start)
  const columns = table.slice(start, end < 0 ? undefined : end).split(/ +/)
  const [uid, inode] = [Number(columns[UID_COLUMN]), Number(columns[INODE_COLUMN])]
  return Number.isSafeInteger(uid) && Number.isSafeInteger(inode) ? { uid, inode } : undefined
}
