/** What opens an address with the program that the user has for it. */

/** A program and what comes before the address. */
export type Opener = readonly [program: string, ...args: string[]]

/** By `process.platform`; tried in order. */
export const OPENERS: Readonly<Record<string, readonly Opener[]>> = {
  linux: [['xdg-open'], ['gio', 'open'], ['wslview']],
  freebsd: [['xdg-open']],
  darwin: [['/usr/bin/open']],
  win32: [['rundll32.exe', 'url.dll,FileProtocolHandler']],
}
