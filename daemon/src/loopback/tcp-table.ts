/**
 * Parser for the Linux TCP socket tables (/proc/net/tcp and /proc/net/tcp6), limited to loopback. Pure.
 *
 *   sl  local_address rem_address   st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode …
 */

export interface TcpAddress {
  /** IPv4, dotted. */
  readonly address: string
  readonly port: number
}

/** One socket in the table. */
interface TcpRow {
  /** Owner of the socket. */
  readonly uid: number
  /** 0: no process holds the socket any more, and the uid is meaningless. */
  readonly inode: number
}

const UID_COLUMN = 4
const INODE_COLUMN = 6
/** Prefix of an IPv4-mapped IPv6 address. */
const MAPPED = '0000000000000000FFFF0000'
/** The remote address of a listening socket. */
const ANY: TcpAddress = { address: '0.0.0.0', port: 0 }

/** An address as the table prints it: network byte order, printed as one little-endian number. */
function tableForm({ address, port }: TcpAddress): string {
  const bytes = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))
  return `${bytes.toReversed().join('')}:${port.toString(16).padStart(4, '0')}`.toUpperCase()
}

/** The socket at `local` that is connected to `remote`; undefined if the table has none. */
export function findConnected(table: string, local: TcpAddress, remote: TcpAddress): TcpRow | undefined {
  const [localText, remoteText] = [tableForm(local), tableForm(remote)]
  return rowAfter(table, ` ${localText} ${remoteText} `) ?? rowAfter(table, ` ${MAPPED}${localText} ${MAPPED}${remoteText} `)
}

/** The socket that listens at `local`. */
export const findListening = (table: string, local: TcpAddress): TcpRow | undefined =>
  rowAfter(table, ` ${tableForm(local)} ${tableForm(ANY)} `)

/** Parses the row after the two address columns. No other pair of columns has this format. */
function rowAfter(table: string, addresses: string): TcpRow | undefined {
  const at = table.indexOf(addresses)
  if (at < 0) return undefined
  const start = at + addresses.length
  const end = table.indexOf('\n', start)
  const columns = table.slice(start, end < 0 ? undefined : end).split(/ +/)
  const [uid, inode] = [Number(columns[UID_COLUMN]), Number(columns[INODE_COLUMN])]
  return Number.isSafeInteger(uid) && Number.isSafeInteger(inode) ? { uid, inode } : undefined
}
