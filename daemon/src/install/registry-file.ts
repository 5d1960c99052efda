/** A registry file of Wine (`system.reg`): sets and removes one text value, and leaves all else as it is. Pure. */

const HEAD = /^WINE REGISTRY Version 2\r?\n/
const ARCHITECTURE = /^#arch=(win32|win64)$/m

/** `win64` or `win32`; undefined if the text is no registry file of Wine. */
export const architectureOf = (text: string): string | undefined =>
  HEAD.test(text) ? (ARCHITECTURE.exec(text)?.[1] ?? 'win32') : undefined

const NOT_ASCII = /[^\x20-\x7e]/g
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll(NOT_ASCII, (unit) => `\\x${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

export interface RegistryValue {
  /** With backslashes, without the root. */
  readonly key: string
  readonly name: string
}

interface Section {
  /** Index of its first line after the header; `lines.length` if there is no section. */
  readonly start: number
  readonly end: number
  readonly isThere: boolean
}

/** Header lines have a time behind the key. Keys are case-insensitive. */
function sectionOf(lines: readonly string[], key: string): Section {
  const header = `[${escaped(key)}]`.toLowerCase()
  const at = lines.findIndex((line) => line.toLowerCase().startsWith(header))
  if (at < 0) return { start: lines.length, end: lines.length, isThere: false }
  const next = lines.findIndex((line, index) => index > at && line.startsWith('['))
  return { start: at + 1, end: next < 0 ? lines.length : next, isThere: true }
}

const lineStart = (name: string): string => `"${escaped(name)}"=`

const valueAt = (lines: readonly string[], { start, end }: Section, name: string): number =>
  lines.findIndex((line, index) => index >= start && index < end && line.toLowerCase().startsWith(lineStart(name).toLowerCase()))

/** The file with the value; `text` undefined: without it. */
export function withValue(file: string, { key, name }: RegistryValue, text: string | undefined): string {
  const lines = file.split('\n')
  const section = sectionOf(lines, key)
  const at = valueAt(lines, section, name)
  const line = text === undefined ? [] : [`${lineStart(name)}"${escaped(text)}"`]
  if (at >= 0) return lines.toSpliced(at, 1, ...line).join('\n')
  if (text === undefined) return file
  if (section.isThere) {
    // Lines that begin with # are attributes of the key.
    const first = lines.findIndex((found, index) => index >= section.start && !found.startsWith('#'))
    return lines.toSpliced(first < 0 ? lines.length : first, 0, ...line).join('\n')
  }
  return `${file.replace(/\n*$/, '\n')}\n[${escaped(key)}]\n${line.join('')}\n`
}
