/**
 * A private empty file that says that the daemon on this data folder has loaded the bridge. Until then there are no games, and the tray does not
 * connect, because its first byte would load the bridge.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { removeSmallFile, writeSmallFile } from './small-file.ts'

const fileIn = (dataDir: string): string => join(dataDir, 'bridge.loaded')

/** Throws SERVICE_UNAVAILABLE. */
export const markBridgeLoaded = (dataDir: string): void => writeSmallFile(fileIn(dataDir), '')

/** Throws SERVICE_UNAVAILABLE. */
export const unmarkBridgeLoaded = (dataDir: string): void => removeSmallFile(fileIn(dataDir))

/** Stays true after a crash. */
export const isBridgeLoaded = (dataDir: string): boolean => existsSync(fileIn(dataDir))
