/**
 * The HTTP API behind the forwarded calls: a list of guilds, and a message of a lobby, with the headers that the platform sends, as fast as Node
 * can. It also says whose a token is, which AUTHENTICATE asks. node upstream-server.ts APPLICATION [SCOPE…]
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const GUILDS = 10
const [application, ...scopes] = process.argv.slice(2)

const guild = (index: number): object => ({
  id: String(300_000_000_000_000_000n + BigInt(index)),
  name: `The harbour watch ${index}`,
  icon: null,
  banner: null,
  owner: index === 0,
  permissions: '2222085723512896',
  features: ['COMMUNITY', 'NEWS'],
})

const AUTHORIZATION = JSON.stringify({
  application: {
    id: application,
    name: 'bench',
    icon: null,
    description: '',
    bot_public: false,
    bot_require_code_grant: false,
    verify_key: '00',
  },
  scopes: scopes.length === 0 ? ['identify', 'guilds'] : scopes,
  expires: '2099-01-01T00:00:00.000000+00:00',
  user: { id: '200000000000000001', username: 'player', discriminator: '0', global_name: null, avatar: null, public_flags: 0 },
})
const LIST = JSON.stringify(Array.from({ length: GUILDS }, (_, index) => guild(index)))

const MESSAGE = JSON.stringify({
  id: '1350184413060661999',
  type: 0,
  content: 'The lighthouse is on the left.',
  channel_id: '1350184413060661332',
  lobby_id: '1350184413060661332',
  author: { id: '200000000000000001', username: 'player', discriminator: '0', global_name: null, avatar: null },
  metadata: { team: 'blue', round: '7' },
  flags: 65_536,
  application_id: application,
})

const BODIES: ReadonlyMap<string, string> = new Map([
  ['/api/v10/oauth2/@me', AUTHORIZATION],
  ['/api/v10/users/@me/guilds', LIST],
  ['/api/v10/lobbies/1350184413060661332/messages', MESSAGE],
])

const server = createServer((request, response) => {
  const body = BODIES.get(request.url ?? '')
  if (body === undefined) {
    response.writeHead(404).end('{"code":0,"message":"404: Not Found"}')
    return
  }
  response.writeHead(request.method === 'POST' ? 201 : 200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-ratelimit-bucket': '3f0b3a7d1c6e4f2a9b8c7d6e5f4a3b2c',
    'x-ratelimit-limit': '1000000',
    'x-ratelimit-remaining': '999999',
    'x-ratelimit-reset': String(Date.now() / 1000 + 1),
    'x-ratelimit-reset-after': '1.000',
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`))
