/** Parses a registered launch command into a program with arguments or a URI. No shell is involved. */
import { posix, win32 } from 'node:path'

export type LaunchSpec =
  | { readonly kind: 'program'; readonly program: string; readonly args: readonly string[] }
  | { readonly kind: 'uri'; readonly uri: string }

const URI = /^([a-z][a-z0-9+.-]*):\/\/\S*$/i
/** Schemes that open documents or scripts, never games. */
const BLOCKED_SCHEMES: ReadonlySet<string> = new Set(['data', 'file', 'javascript', 'vbscript'])
/** Includes the characters that program arguments cannot contain. */
// oxlint-disable-next-line no-control-regex -- the pattern must match these characters
const CONTROL = /[\0-\x1f\x7f]/
/** Text without spaces outside double quotes. */
const WORD = /(?:"[^"]*"|[^\s"])+/g

/** The launch spec, or the problem of the text as the end of a sentence. */
export function parseLaunchCommand(command: string, platform: NodeJS.Platform): LaunchSpec | { readonly problem: string } {
  const text = command.trim()
  if (CONTROL.test(text)) return { problem: 'holds line breaks or other control characters' }
  const [, scheme] = URI.exec(text) ?? []
  if (scheme !== undefined) {
    return BLOCKED_SCHEMES.has(scheme.toLowerCase()) ? { problem: `cannot begin with ${scheme}:` } : { kind: 'uri', uri: text }
  }
  if (text.split('"').length % 2 === 0) return { problem: 'has a double quote that is not closed' }
  const [program = '', ...args] = (text.match(WORD) ?? []).map((word) => word.replaceAll('"', ''))
  const { isAbsolute } = platform === 'win32' ? win32 : posix
  if (!isAbsolute(program)) return { problem: 'must begin with the absolute path of a program, or be a URI' }
  return { kind: 'program', program, args }
}

/** The Steam URI that starts a game. */
export const steamCommand = (steamAppId: number): string => `steam://rungameid/${steamAppId}`
