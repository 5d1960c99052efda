/**
 * What other players and a developer do at the sandbox platform of a machine. It runs in the network of that machine.
 *
 *   platform-entry.ts ORIGIN publish APPLICATION PARENT     the application has this parent
 *   platform-entry.ts ORIGIN token USER APPLICATION         prints an access token
 *   platform-entry.ts ORIGIN user USER APPLICATION          prints the record of the user
 *   platform-entry.ts ORIGIN invite HOST GUEST APPLICATION  the host, who plays elsewhere, invites the guest
 */
import { setApplication } from '../support/application-settings.ts'
import { sandboxToken } from '../support/sandbox-token.ts'

const [origin = '', action = '', ...operands] = process.argv.slice(2)
const [first = '', second = '', third = ''] = operands
const API = `${origin}/api/v10`

const tokenOf = (user: string, application: string): Promise<string> =>
  sandboxToken({ authorizeUrl: `${origin}/oauth2/authorize`, tokenUrl: `${API}/oauth2/token` }, user, application)

async function post(address: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const reply = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(await reply.text())
}

const ACTIONS: Readonly<Record<string, () => Promise<void>>> = {
  async publish() {
    await setApplication(origin, second, { publisher_linking: true })
    await setApplication(origin, first, { parent_application_id: second })
  },
  async token() {
    process.stdout.write(await tokenOf(first, second))
  },
  async user() {
    const reply = await fetch(`${API}/users/@me`, { headers: { authorization: `Bearer ${await tokenOf(first, second)}` } })
    process.stdout.write(await reply.text())
  },
  async invite() {
    const activity = {
      type: 0,
      name: 'Harbour',
      application_id: third,
      platform: 'ps5',
      party: { id: 'pier-7' },
      secrets: { join: 'a-secret' },
    }
    const authorization = `Bearer ${await tokenOf(first, third)}`
    await post(`${API}/users/@me/headless-sessions`, { activities: [activity] }, { authorization })
    await post(`${origin}/sandbox/join`, { user: first, target: second, application_id: third, action: 'invite' })
  },
}

const chosen = ACTIONS[action]
if (chosen === undefined) throw new Error(`there is no action ${action}`)
await chosen()
