/** Describes the effective settings, with secrets redacted. */
import type { LoadedSettings, Origin } from './load.ts'
import { OPTION_KEYS, OPTIONS, type OptionKey } from './schema.ts'

interface SettingLine {
  readonly key: OptionKey
  /** Null if not set; `[redacted]` for a secret. */
  readonly value: string | number | boolean | null
  readonly origin: Origin
  readonly flag: string | null
  readonly env: string | null
}

export const describeSettings = ({ settings, origins }: LoadedSettings): readonly SettingLine[] =>
  OPTION_KEYS.map((key) => {
    const value = settings[key]
    const { flag, env } = OPTIONS[key]
    return {
      key,
      value: value === undefined ? null : typeof value === 'object' ? String(value) : value,
      origin: origins[key],
      flag: flag === undefined ? null : `--${flag}`,
      env: env ?? null,
    }
  })
