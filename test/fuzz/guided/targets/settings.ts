/** The settings file: any content is loaded, or refused with a sentence that names the file or a setting. */
import { writeFileSync } from 'node:fs'
import { loadSettings } from '#daemon/src/config/load.ts'
import { OPTIONS } from '#daemon/src/config/schema.ts'
import { SettingsError } from '#daemon/src/config/settings-error.ts'
import { ownFile } from '../own-file.ts'
import { hold, refusalOf, type Target } from '../target.ts'

const { folder, path: file, close } = ownFile('settings.json')
const KEYS = Object.values(OPTIONS).flatMap(({ fileKey }) => (typeof fileKey === 'string' ? [`"${fileKey}"`] : []))

export const target: Target = {
  close,
  seeds: ['{"platform":"sandbox","bridgePort":1337,"logLevel":"info","consent":"prompt"}', '{"dashboardPort":"off","vault":"file"}'],
  words: KEYS,
  run(bytes) {
    writeFileSync(file, bytes)
    const machine = { platform: process.platform, env: {}, home: folder }
    const failure = refusalOf(
      () => loadSettings({ config: file }, machine),
      (one) => one instanceof SettingsError,
    )
    if (failure !== undefined) hold(/[.!?]$/.test((failure as Error).message), 'a refusal is a sentence')
  },
}
