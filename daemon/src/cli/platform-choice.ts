/** The platforms that the tray offers, and the one of the settings as they are now: the file changes while the tray runs. */
import { loadSettings, type RawSettings } from '../config/load.ts'
import { PLATFORM_NAMES } from '../config/platforms.ts'
import { SettingsError } from '../config/settings-error.ts'
import type { PlatformChoice } from '../tray/state.ts'
import type { Context } from './command.ts'

/** What the command was started with; the file decides about the rest. */
const flagsOf = ({ loaded: { settings, origins } }: Context): RawSettings => ({
  ...(origins.platform === 'flag' ? { platform: settings.platform } : {}),
  ...(origins.config === 'flag' ? { config: settings.config } : {}),
})

export function platformChoice(context: Context): PlatformChoice {
  const { profile, platform } = settingsNow(context)
  return { names: PLATFORM_NAMES, set: profile?.name ?? platform }
}

/** Those of the start while the file is not valid. */
function settingsNow(context: Context): Context['loaded']['settings'] {
  try {
    return loadSettings(flagsOf(context), context.io.machine).settings
  } catch (failure) {
    if (!(failure instanceof SettingsError)) throw failure
    return context.loaded.settings
  }
}
