/**
 * The user's browser, and the user: `browser ADDRESS`. Notes the address in the home folder, opens it, and goes where it leads, with the cookies
 * that the addresses gave. The sandbox platform, which allows by itself, leads back to the daemon.
 */
import { appendFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const MOST_STEPS = 8

const note = (line: object): void => appendFileSync(join(homedir(), 'browser.log'), `${JSON.stringify({ at: Date.now(), ...line })}\n`)

const cookies = new Map<string, string>()
let address = process.argv[2]
for (let step = 0; address !== undefined && step < MOST_STEPS; step++) {
  const { origin, pathname, host } = new URL(address)
  const reply: Response = await fetch(address, { redirect: 'manual', headers: { cookie: cookies.get(host) ?? '' } })
  note({ page: `${origin}${pathname}`, status: reply.status, text: (await reply.text()).slice(0, 2000) })
  const cookie = reply.headers.get('set-cookie')?.split(';')[0]
  if (cookie !== undefined) cookies.set(host, cookie)
  const next = reply.headers.get('location')
  address = next === null ? undefined : new URL(next, address).href
}
