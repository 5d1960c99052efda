/**
 * `sallyport tray`: the icon in the tray of the desktop. A process of its own, which speaks the local protocol as an operator. Packaging makes this
 * module a file of its own, so that the tray loads nothing of the bridge, and the bridge nothing of the tray.
 */
import { existsSync } from 'node:fs'
import { systemClock } from '@sallyport/core/clock'
import type { Closer } from '@sallyport/core/closer'
import { openExternally } from '@sallyport/core/os/open-externally'
import { releaseWhenQuiet } from '@sallyport/core/os/release-memory'
import { ensureDataDir } from '../config/data-dir.ts'
import type { HostListener, TrayHost } from '../tray/host.ts'
import type { TrayAction } from '../tray/state.ts'
import { Tray } from '../tray/tray.ts'
import type { Command, Context } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { trayHelper } from './native-tray.ts'
import { platformChoice } from './platform-choice.ts'
import { TrayLink } from './tray-link.ts'

/** Loads only what this system needs. */
async function hostOpener(): Promise<(listener: HostListener) => TrayHost> {
  const helper = trayHelper()
  if (helper === undefined) {
    const { StatusNotifier } = await import('../tray/linux/status-notifier.ts')
    return (listener) => new StatusNotifier(systemClock, process.env, listener)
  }
  if (!existsSync(helper)) {
    throw new CommandFailure(EXIT.failed, `The helper ${helper} is missing. Install Sallyport with the installer of this system.`)
  }
  const { openHelperHost } = await import('../tray/helper-host.ts')
  return (listener) => openHelperHost(helper, listener)
}

const NO_BROWSER = 'No browser could be started. In a terminal, sallyport open prints the address of the dashboard.'

/** Takes over the environment of the desktop, for browsers. False if there is none. Native helpers know their desktop themselves. */
async function joinDesktop(): Promise<boolean> {
  if (trayHelper() !== undefined) return true
  const { desktopEnvironment } = await import('../tray/linux/desktop-session.ts')
  const found = await desktopEnvironment(process.env)
  Object.assign(process.env, found)
  return found !== undefined
}

interface Parts {
  readonly context: Context
  readonly link: TrayLink
  readonly quit: () => void
  /** Shows the user what could not be done. */
  readonly report: (problem: string) => void
  /** Keeps what closes the address that opens the dashboard, and closes the one before. */
  readonly replaceEntry: (close: Closer) => Promise<void>
}

/** Rejects with the reason of a failure. */
async function perform(action: TrayAction, { context, link, quit, report: show, replaceEntry }: Parts): Promise<void> {
  const { dataDir } = context.loaded.settings
  const report = (problem: string | undefined): void => {
    if (problem !== undefined) show(problem)
  }
  switch (action.do) {
    case 'operate':
      return link.operate(action)
    case 'start-bridge': {
      const { startBridgeInBackground } = await import('./start-bridge.ts')
      return report(await startBridgeInBackground(context))
    }
    case 'set-platform': {
      const { setPlatform } = await import('./tray-platform.ts')
      return report(await setPlatform(action.platform, context, link))
    }
    case 'open-dashboard': {
      const [{ openDashboard }, { oneTimeDashboardAddress }] = await Promise.all([
        import('./dashboard-entry.ts'),
        import('./dashboard-client.ts'),
      ])
      const address = await oneTimeDashboardAddress(dataDir)
      if (address === undefined) return report('The dashboard of the bridge is off.')
      const entry = await openDashboard(address)
      await replaceEntry(entry.close)
      return report(entry.isOpened ? undefined : NO_BROWSER)
    }
    case 'open-page':
      return report((await openExternally(action.url)) ? undefined : `No browser could be started. Open this address: ${action.url}`)
    case 'show-log': {
      const { logFile } = await import('@sallyport/core/storage/log-file')
      const file = logFile(dataDir)
      return report((await openExternally(existsSync(file) ? file : dataDir)) ? undefined : `Nothing opens ${file}.`)
    }
    case 'quit':
      return quit()
  }
}

export const tray: Command = {
  name: 'tray',
  summary: 'Show the icon in the tray of the desktop, until it is quit or Ctrl-C.',
  usage: '[flags]',
  operands: { min: 0, max: 0 },
  flags: [...FIND_FLAGS, 'ifDesktop'],
  async run(context) {
    const { io, loaded } = context
    if (loaded.settings.ifDesktop && !(await joinDesktop())) {
      io.info('This user has no desktop now that can show the tray.')
      return EXIT.ok
    }
    // Before the helper starts: a process of Windows that ends while it makes another one leaves that one suspended for ever.
    const stopped = io.untilStopped()
    ensureDataDir(loaded.settings.dataDir)
    const openHost = await hostOpener()
    const { promise: ended, resolve: end } = Promise.withResolvers<string>()
    const quiet = releaseWhenQuiet(systemClock)
    const link = new TrayLink(context, (state) => {
      icon.show(state, platformChoice(context))
      quiet.start()
    })
    let closeEntry: Closer = async () => {}
    const replaceEntry = async (close: Closer): Promise<void> => {
      const before = closeEntry
      closeEntry = close
      await before()
    }
    // The desktop may show no notifications, so it stands in the output too.
    const report = (problem: string): void => {
      io.info(`sallyport tray: ${problem}`)
      icon.report(problem)
    }
    const parts: Parts = { context, link, quit: () => end(''), report, replaceEntry }
    const icon: Tray = new Tray(
      openHost,
      (action) => void perform(action, parts).catch((failure: unknown) => report((failure as Error).message)),
      end,
    )
    const following = link.follow()
    const reason = await Promise.race([ended, stopped.then(() => ''), following.then(() => '')])
    quiet.stop()
    await link.stop()
    await closeEntry()
    await icon.close()
    if (reason !== '') io.info(reason)
    return EXIT.ok
  },
}
