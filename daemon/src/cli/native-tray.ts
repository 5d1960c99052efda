/** Where the native helper of the tray is: beside the program, where installers put it. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

const HELPERS: Partial<Record<NodeJS.Platform, string>> = { win32: 'sallyport-tray.exe', darwin: 'sallyport-tray' }

/** Undefined on systems whose tray needs no helper. */
export function trayHelper(): string | undefined {
  const name = HELPERS[process.platform]
  return name === undefined ? undefined : join(dirname(process.execPath), name)
}

/** Whether this installation can show a tray. */
export function hasTrayHere(): boolean {
  const helper = trayHelper()
  return helper === undefined || existsSync(helper)
}
