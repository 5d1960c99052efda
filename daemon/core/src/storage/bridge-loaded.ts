/**
 * A private empty file that says that the daemon on this data folder has loaded the bridge. Until then there are no games, and the tray does not
 * connect, because its first byte would load the bridge.
 */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeSmallFile } from './small-file.ts'

const fileIn = (dataDir: string): string => join(dataDir, 'bridge.loaded')

/** Throws system errors. */
export const markBridgeLoaded = (dataDir: string): void => writeSmallFile(fileIn(dataDir), '')

export const unmarkBridgeLoaded = (dataDir: string): void => rmSync(fileIn(dataDir), { force: true })

/** Stays true after a crash. */
export const isBridgeLoaded = (dataDir: string): boolean => existsSync(fileIn(dataDir))
