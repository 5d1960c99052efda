import { expect, test } from 'vitest'
import { findConnected, findListening } from '#daemon/src/loopback/tcp-table.ts'

/** Output of Linux 6.18: a server on port 43277, its side and two clients; one has disconnected, one uses an IPv6 socket. */
const FOUR = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode                                                     
   0: 0100007F:A90D 00000000:0000 0A 00000000:00000000 00:00000000 00000000     5        0 67843 1 00000000bfde126e 100 0 0 10 0                     
   1: 0100007F:A90D 0100007F:B2C4 01 00000000:00000000 00:00000000 00000000     5        0 67850 1 000000005fde126e 20 4 30 10 -1                    
   2: 0100007F:B2C4 0100007F:A90D 01 00000000:00000000 00:00000000 00000000 65534        0 67849 2 00000000ffde126e 20 0 0 10 -1                     
   3: 0200007F:B2C6 0100007F:A90D 01 00000000:00000000 00:00000000 00000000  1000        0 67851 1 00000000efde126e 20 0 0 10 -1                     
   4: 0100007F:B2C8 0100007F:A90D 05 00000000:00000000 03:00000A5C 00000000     0        0 0 3 00000000dfde126e                                      
`
const SIX = `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0000000000000000FFFF00000100007F:B2CA 0000000000000000FFFF00000100007F:A90D 01 00000000:00000000 00:00000000 00000000  1001        0 67853 1 00000000cfde126e 20 0 0 10 -1
`
const TABLE = FOUR + SIX
const SERVER = { address: '127.0.0.1', port: 43277 }
const client = (port: number, address = '127.0.0.1') => ({ address, port })

test.each([
  ['a client', client(45764), { uid: 65534, inode: 67849 }],
  ['a client at another address of loopback', client(45766, '127.0.0.2'), { uid: 1000, inode: 67851 }],
  ['a socket that no process holds any more', client(45768), { uid: 0, inode: 0 }],
  ['a client by an IPv6 socket', client(45770), { uid: 1001, inode: 67853 }],
  ['no row', client(45772), undefined],
  ['no row at that address', client(45764, '127.0.0.2'), undefined],
])('finds %s', (_what, from, expected) => {
  expect(findConnected(TABLE, from, SERVER)).toEqual(expected)
})

test('distinguishes the two sides of a connection, and listening from connected sockets', () => {
  expect(findConnected(TABLE, SERVER, client(45764))).toEqual({ uid: 5, inode: 67850 })
  expect(findListening(TABLE, SERVER)).toEqual({ uid: 5, inode: 67843 })
  expect(findListening(TABLE, client(45764))).toBeUndefined()
})

test.each([
  ['an empty table', ''],
  ['a header only', FOUR.split('\n')[0] ?? ''],
  ['a line that is cut off before the user', '   2: 0100007F:B2C4 0100007F:A90D 01 00000000:00000000'],
  ['a line that is cut off before the inode', '   2: 0100007F:B2C4 0100007F:A90D 01 00000000:00000000 00:00000000 00000000     5        0'],
  ['columns that are no numbers', '   2: 0100007F:B2C4 0100007F:A90D 01 a b c d e f g'],
])('finds nothing in %s', (_what, table) => {
  expect(findConnected(table, client(45764), SERVER)).toBeUndefined()
})

test('finds the last line without a line break', () => {
  expect(findConnected(SIX.trimEnd(), client(45770), SERVER)).toEqual({ uid: 1001, inode: 67853 })
})
