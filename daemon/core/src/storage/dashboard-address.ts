/** A private file with the address and token of the running dashboard, for the command line of the same user. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { LOOPBACK } from '../loopback.ts'
import type { Secret } from '../secret.ts'
import { readSmallText, writeSmallFile } from './small-file.ts'

/** Address of the page with the token in its fragment, which browsers do not send. Contains a secret: never log it. */
export const dashboardUrl = (port: number, token: Secret<string>): string =>
  `http://${LOOPBACK}:${port}/#token=${encodeURIComponent(token.reveal())}`

export const dashboardFile = (dataDir: string): string => join(dataDir, 'dashboard.address')

/** Replaces the file of a daemon that crashed. Throws system errors. */
export const writeDashboardAddress = (dataDir: string, url: string): void => writeSmallFile(dashboardFile(dataDir), url)

export const removeDashboardAddress = (dataDir: string): void => rmSync(dashboardFile(dataDir), { force: true })

/** Undefined when no dashboard ran, or it stopped normally. */
export function readDashboardAddress(dataDir: string): URL | undefined {
  const text = readSmallText(dashboardFile(dataDir))
  return text === undefined ? undefined : (URL.parse(text) ?? undefined)
}
