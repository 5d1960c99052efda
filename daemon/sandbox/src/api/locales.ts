/** The locales of the platform, and the check of translations that name them. */
import { invalidBody } from './form-errors.ts'

/** Published. */
const LOCALES: ReadonlySet<string> = new Set(
  'bg cs da de el en-GB en-US es-419 es-ES fi fr hi hr hu id it ja ko lt nl no pl pt-BR ro ru sv-SE th tr uk vi zh-CN zh-TW'.split(' '),
)

const TRANSLATIONS: ReadonlySet<string> = new Set(['name_localizations', 'description_localizations'])

/** Throws invalidForm with the path of a translation into a locale that the platform does not know. */
export function checkLocales(body: object, path: readonly (string | number)[] = []): void {
  for (const [key, value] of Object.entries(body) as [string, unknown][]) {
    if (typeof value !== 'object' || value === null) continue
    const at = [...path, Array.isArray(body) ? Number(key) : key]
    const unknown = TRANSLATIONS.has(key) ? Object.keys(value).find((locale) => !LOCALES.has(locale)) : undefined
    if (unknown !== undefined) throw invalidBody([{ path: [...at, unknown], message: 'is no locale of the platform' }])
    checkLocales(value, at)
  }
}
