/** The checks of `sallyport doctor` about this user's session: folders, clients, the service, the tray, Wine. */
import { execFile } from 'node:child_process'
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { basename, dirname, join, resolve as absolute } from 'node:path'
import { SANDBOX_IPC_PREFIX } from '@sallyport/core/platform-names'
import { assertPrivate } from '@sallyport/core/storage/safe-folder'
import type { Settings } from '../config/load.ts'
import { checkSocketLength, type Machine, runtimeDir as searchedDir, socketPath } from '../config/paths.ts'
import { startersOf, textsOf } from '../install/starters.ts'
import { type Finding, found, messageOf } from './doctor-finding.ts'
import { hasBridge, winePrefixes } from './wine-prefix.ts'

const prefixOf = ({ profile }: Pick<Settings, 'profile'>): string => profile?.ipcPrefix ?? SANDBOX_IPC_PREFIX

export function checkSocketPath(settings: Settings, { platform }: Machine): Finding {
  try {
    checkSocketLength(settings.runtimeDir, prefixOf(settings), platform)
    return found('socket path', 'ok', 'The paths of the sockets are short enough.')
  } catch (failure) {
    return found('socket path', 'wrong', messageOf(failure))
  }
}

const isInFolder = (address: string, folder: string, platform: NodeJS.Platform): boolean =>
  platform === 'win32' || dirname(absolute(address)) === absolute(folder)

/** Where each kind of client searches. Games of this session must search where the settings put the sockets. */
export function checkClients(settings: Settings, machine: Machine, running: readonly string[] = []): Finding {
  const { platform } = machine
  const prefix = prefixOf(settings)
  const elsewhere = running.length > 0 && !running.some((address) => isInFolder(address, settings.runtimeDir, platform))
  if (elsewhere) {
    const advice = `Games that search in ${settings.runtimeDir} do not find it. Start it again with the settings that this command has.`
    return found('clients', 'wrong', `The running bridge listens at ${running.join(' and ')}. ${advice}`)
  }
  const path = socketPath(settings.runtimeDir, prefix, 0, platform)
  const searched = socketPath(searchedDir(machine), prefix, 0, platform)
  if (platform !== 'win32' && path !== searched) {
    const advice = `Omit --runtime-dir, or start games with XDG_RUNTIME_DIR=${settings.runtimeDir}.`
    return found('clients', 'wrong', `Games of this session search at ${searched}, but the bridge listens at ${path}. ${advice}`)
  }
  if (platform !== 'linux') return found('clients', 'ok', `Games search at ${path}.`)
  const { containerFolders } = settings
  const contained =
    containerFolders === 'off'
      ? 'Games in Flatpak and Snap do not, because --container-folders is off.'
      : `Games in Flatpak and Snap do, if their permissions include one of these folders below it: ${containerFolders.join(', ')}.`
  return found('clients', 'ok', `Native games reach ${path}. ${contained} Windows games in Wine have pipes of their prefix.`)
}

const MAX_DEPTH = 3
/** Holds no secret; earlier versions made it as other files are made. */
const RECORD_NAME = 'installed.json'

function filesBelow(folder: string, depth = 0): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return depth < MAX_DEPTH ? filesBelow(path, depth + 1) : []
    return entry.isFile() ? [path] : []
  })
}

/** The files in the data folder; the folder has a check of its own. */
export function checkPrivateFiles({ dataDir }: Settings): Finding {
  try {
    const files = existsSync(dataDir) ? filesBelow(dataDir) : []
    for (const file of files) if (basename(file) !== RECORD_NAME) assertPrivate(file, 'file', lstatSync(file))
    return found('private files', 'ok', `Only you can access the ${files.length} files in ${dataDir}.`)
  } catch (failure) {
    return found('private files', 'wrong', messageOf(failure))
  }
}

/** The first word of a command line in a unit or desktop file. */
const PROGRAM = /^Exec(?:Start)?="?((?:[^"\\\n ]|\\.)+)/m

/** The files that `sallyport install` or a package placed. */
export function checkService(machine: Machine): Finding {
  if (machine.platform === 'win32')
    return found('service', 'not checked', 'On Windows the registry starts the bridge; sallyport install shows its values.')
  const all = startersOf(machine)
  if (all.length === 0) return found('service', 'ok', 'Nothing starts the bridge. To start it at the first game: sallyport install')
  const own = all.filter(({ owner }) => owner === 'user')
  const hidden = all.find(({ owner, kind }) => owner === 'package' && own.some((one) => one.kind === kind))
  if (hidden !== undefined) {
    const names = own.map(({ path }) => path).join(' and ')
    return found('service', 'wrong', `${names} hides ${hidden.path} of the package. To remove your own: sallyport install`)
  }
  if (own.length > 1) {
    const names = own.map(({ path }) => path).join(' and ')
    return found('service', 'wrong', `Both ${names} start the bridge. Run: sallyport install, which keeps the right one.`)
  }
  const broken = all.find((one) => one.kind !== 'agent' && !startsProgram(textsOf(one, machine).map(({ text }) => text)))
  if (broken !== undefined) {
    const remedy = broken.owner === 'package' ? 'Install the package again.' : 'Run sallyport install with the program that you have now.'
    return found('service', 'wrong', `${broken.path} starts a program that does not exist. ${remedy}`)
  }
  return found('service', 'ok', `${all.map(({ path }) => path).join(' or ')} starts the bridge.`)
}

/** What the user added to a unit replaces its command. */
function startsProgram(texts: readonly string[]): boolean {
  const programs = texts.map((text) => PROGRAM.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1')).filter((program) => program !== undefined)
  const program = programs.at(-1)
  return program !== undefined && existsSync(program)
}

const BUS_MS = 3000
const WATCHER = 'org.kde.StatusNotifierWatcher'

/** Whether a name has an owner on the session bus; undefined if it cannot be asked. */
const hasBusName = (name: string): Promise<boolean | undefined> =>
  new Promise((resolve) => {
    const words = [
      '--session',
      '--print-reply=literal',
      '--dest=org.freedesktop.DBus',
      '/org/freedesktop/DBus',
      'org.freedesktop.DBus.NameHasOwner',
      `string:${name}`,
    ]
    execFile('dbus-send', words, { timeout: BUS_MS }, (failure, printed) =>
      resolve(failure === null ? printed.includes('true') : undefined),
    )
  })

/** A machine without a desktop is in order. */
export async function checkTray({ platform, env }: Machine, hasName = hasBusName): Promise<Finding> {
  if (platform !== 'linux') return found('tray', 'ok', 'This system always has a place for tray icons.')
  if (!env['DBUS_SESSION_BUS_ADDRESS'])
    return found('tray', 'ok', 'There is no session bus, so there is no tray; the dashboard shows the same.')
  const isThere = await hasName(WATCHER)
  if (isThere === undefined) return found('tray', 'not checked', 'The session bus does not answer dbus-send.')
  if (isThere) return found('tray', 'ok', 'The desktop shows tray icons.')
  return found('tray', 'ok', 'The desktop shows no tray icons; on GNOME, add the extension AppIndicator. The dashboard shows the same.')
}

export function checkWine(machine: Machine): Finding {
  const prefixes = machine.platform === 'linux' ? winePrefixes(machine) : []
  if (prefixes.length === 0) return found('wine', 'ok', 'There is no Wine prefix.')
  const without = prefixes.filter((prefix) => !hasBridge(prefix))
  if (without.length === 0) return found('wine', 'ok', `All ${prefixes.length} Wine prefixes have the pipe bridge.`)
  const advice = 'Their games see pipes, not sockets. To let them reach the bridge: sallyport wine install PREFIX'
  return found('wine', 'ok', `${without.length} of ${prefixes.length} Wine prefixes have no pipe bridge: ${without.join(', ')}. ${advice}`)
}
