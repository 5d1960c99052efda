/** The commands that open a URL with the user's default program. */

/** A program and its arguments before the URL. */
export type Opener = readonly [program: string, ...args: string[]]

/** By `process.platform`; tried in order. */
export const OPENERS: Readonly<Record<string, readonly Opener[]>> = {
  linux: [['xdg-open'], ['gio', 'open'], ['wslview']],
  freebsd: [['xdg-open']],
  darwin: [['/usr/bin/open']],
  win32: [['rundll32.exe', 'url.dll,FileProtocolHandler']],
}
