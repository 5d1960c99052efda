/**
 * Loads every module that the simulated daemon may load later. A module that is read from disk arrives when the system brings it, and not when the
 * seed says so.
 */
import { globSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const ROOT = new URL('../../', import.meta.url)

const SOURCES = ['daemon/core/src/**/*.ts', 'daemon/sandbox/src/**/*.ts', 'daemon/src/**/*.ts', 'bindings/ts/src/**/*.ts']

/** What starts programs or runs in a browser, and types. */
const LEFT_OUT =
  /daemon\/src\/(cli|tray|install)\/|operator\/dashboard\/(page\/|html|protocol-text)|operator\/otlp\/|main\.ts$|\.d\.ts$|keychain-(addon|child)|-child\.ts$/

const PACKAGES = [
  'oauth4webapi',
  'undici/lib/dispatcher/pool.js',
  'ws',
  're2js',
  'node:https',
  'node:tls',
  'node:dns/promises',
  'node:child_process',
]

export async function preload(): Promise<void> {
  for (const name of PACKAGES) await import(name)
  const files = globSync(SOURCES, { cwd: ROOT }).toSorted()
  for (const file of files) if (!LEFT_OUT.test(file)) await import(pathToFileURL(new URL(file, ROOT).pathname).href)
}
