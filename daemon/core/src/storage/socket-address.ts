/**
 * Tells the command line of the same user where the daemon on this data listens: a file for this user alone, gone with the daemon. Secrets of
 * the operator go there and nowhere else, whoever listens where games look.
 */
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readSmallText, writeSmallFile } from './small-file.ts'

const fileIn = (dataDir: string): string => join(dataDir, 'socket.address')

/** Path of a socket, or name of a pipe. What a dead daemon left is replaced. Throws what the system says. */
export const writeSocketAddress = (dataDir: string, address: string): void => writeSmallFile(fileIn(dataDir), resolve(address))

export const removeSocketAddress = (dataDir: string): void => rmSync(fileIn(dataDir), { force: true })

/** Undefined when no daemon runs on this data, or it ended well. */
export const readSocketAddress = (dataDir: string): string | undefined => readSmallText(fileIn(dataDir))
