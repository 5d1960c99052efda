/**
 * A private file with the socket address of the daemon that uses this data folder; the daemon deletes it at exit. The command line sends
 * secrets of the operator only to this address, because another server may listen in the runtime folder.
 */
import { rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readSmallText, writeSmallFile } from './small-file.ts'

const fileIn = (dataDir: string): string => join(dataDir, 'socket.address')

/** `address`: the path of a socket or the name of a pipe. Replaces a stale file. Throws system errors. */
export const writeSocketAddress = (dataDir: string, address: string): void => writeSmallFile(fileIn(dataDir), resolve(address))

export const removeSocketAddress = (dataDir: string): void => rmSync(fileIn(dataDir), { force: true })

/** Undefined if no daemon uses this data folder. May be stale after a crash. */
export const readSocketAddress = (dataDir: string): string | undefined => readSmallText(fileIn(dataDir))

/** Differs for each daemon that has written the file; undefined if no daemon uses this data folder. */
export function socketAddressStamp(dataDir: string): string | undefined {
  const found = statSync(fileIn(dataDir), { throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.ino} ${found.mtimeMs}`
}
