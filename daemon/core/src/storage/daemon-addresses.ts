/**
 * Private files in the data folder with the addresses of the daemon that uses it, for the command line of the same user: its socket and its
 * dashboard. The daemon deletes them at exit, so those of a daemon that crashed stay until the next one replaces them.
 */
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { LOOPBACK } from '../loopback.ts'
import type { Secret } from '../secret.ts'
import { readSmallText, removeSmallFile, writeSmallFile } from './small-file.ts'

const socketFile = (dataDir: string): string => join(dataDir, 'socket.address')

/**
 * `address`: the path of a socket or the name of a pipe. The command line sends secrets of the operator only to this address, because another
 * server may listen in the runtime folder. Throws SERVICE_UNAVAILABLE.
 */
export const writeSocketAddress = (dataDir: string, address: string): void => writeSmallFile(socketFile(dataDir), resolve(address))

export const removeSocketAddress = (dataDir: string): void => removeSmallFile(socketFile(dataDir))

/** Undefined if no daemon uses this data folder. */
export const readSocketAddress = (dataDir: string): string | undefined => readSmallText(socketFile(dataDir))

/** Differs for each daemon that has written the file; undefined if no daemon uses this data folder. */
export function socketAddressStamp(dataDir: string): string | undefined {
  const found = statSync(socketFile(dataDir), { throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.ino} ${found.mtimeMs}`
}

/**
 * Address of the page with a secret in its fragment, which browsers do not send: never log it. `token`: for tools, until the daemon ends. `code`:
 * for one tab. A page takes either, once.
 */
export const dashboardUrl = (port: number, secret: Secret<string>, kind: 'token' | 'code' = 'token'): string =>
  `http://${LOOPBACK}:${port}/#${kind}=${encodeURIComponent(secret.reveal())}`

export const dashboardFile = (dataDir: string): string => join(dataDir, 'dashboard.address')

/** Throws SERVICE_UNAVAILABLE. */
export const writeDashboardAddress = (dataDir: string, url: string): void => writeSmallFile(dashboardFile(dataDir), url)

export const removeDashboardAddress = (dataDir: string): void => removeSmallFile(dashboardFile(dataDir))

/** Undefined when no dashboard ran, or it stopped normally. */
export function readDashboardAddress(dataDir: string): URL | undefined {
  const text = readSmallText(dashboardFile(dataDir))
  return text === undefined ? undefined : (URL.parse(text) ?? undefined)
}

const portFile = (dataDir: string): string => join(dataDir, 'dashboard.port')
const MAX_PORT = 65_535

/** The port of the last dashboard, so that an open page finds the next one; 0 if unknown. */
export function readDashboardPort(dataDir: string): number {
  const port = Number(readSmallText(portFile(dataDir)))
  return Number.isInteger(port) && port > 0 && port <= MAX_PORT ? port : 0
}

/** Throws SERVICE_UNAVAILABLE. */
export const writeDashboardPort = (dataDir: string, port: number): void => writeSmallFile(portFile(dataDir), String(port))
