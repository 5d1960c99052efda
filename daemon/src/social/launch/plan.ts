/** From the text a game registered to what is started: a program with arguments, or an address. No shell ever sees it. */
import { posix, win32 } from 'node:path'

export type LaunchPlan =
  | { readonly kind: 'program'; readonly program: string; readonly args: readonly string[] }
  | { readonly kind: 'uri'; readonly uri: string }

const URI = /^([a-z][a-z0-9+.-]*):\/\/\S*$/i
/** These show a document or run what it says; none of them is a game. */
const NOT_LAUNCHED: ReadonlySet<string> = new Set(['data', 'file', 'javascript', 'vbscript'])
/** Also of what no program can be handed. */
// oxlint-disable-next-line no-control-regex -- these characters are what is looked for
const CONTROL = /[\0-\x1f\x7f]/
/** Text without spaces, or with any inside double quotes. */
const WORD = /(?:"[^"]*"|[^\s"])+/g

/** The plan, or what is wrong with the text as the rest of a sentence that begins with it. */
export function readLaunchCommand(command: string, platform: NodeJS.Platform): LaunchPlan | { readonly problem: string } {
  const text = command.trim()
  if (CONTROL.test(text)) return { problem: 'holds line breaks or other control characters' }
  const [, scheme] = URI.exec(text) ?? []
  if (scheme !== undefined) {
    return NOT_LAUNCHED.has(scheme.toLowerCase()) ? { problem: `cannot begin with ${scheme}:` } : { kind: 'uri', uri: text }
  }
  if (text.split('"').length % 2 === 0) return { problem: 'has a double quote that is not closed' }
  const [program = '', ...args] = (text.match(WORD) ?? []).map((word) => word.replaceAll('"', ''))
  const { isAbsolute } = platform === 'win32' ? win32 : posix
  if (!isAbsolute(program)) return { problem: 'must begin with the absolute path of a program, or be a URI' }
  return { kind: 'program', program, args }
}

/** Steam's own address for starting a game. */
export const steamCommand = (steamAppId: number): string => `steam://rungameid/${steamAppId}`
