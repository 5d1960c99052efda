/** Steps of servers that contained programs could have started: in the folders of packaged clients, and in the usual one. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { canContain, NO_CONTAINER, type Namespace, spawnContained } from '#test/support/contained.ts'
import { ended } from '#test/support/ended.ts'
import { NO_BRIDGE, type Peer, readyFrame, type ScriptedServer } from '#test/support/scripted-server.ts'
import { listenerAt } from '#test/support/listener.ts'
import { must, type Play, type Step } from '../play.ts'

const FLATPAK = 'app/com.discordapp.Discord'
const SNAP = 'snap.discord'
/** More than the head start of a candidate, so that the client tries the next ones too. */
const HEAD_START_MS = 1000
/** More than a client waits for a lost bridge, in steps that end its waits. */
const OUTAGE_MS = [3000, 6000, 6000]
const TOKEN = 'secret'

/** Nothing may have come on any connection. The client has ended. */
async function mustBeUntouched(...servers: readonly ScriptedServer[]): Promise<void> {
  for (const server of servers) {
    for (let left = server.connections; left > 0; left -= 1) {
      const sent = await (await server.peer()).ended()
      must(sent.length === 0, 'the client sent something to a server that a contained program may have started')
    }
  }
}

/**
 * Ends a wait of the client, greets it, and resolves to what is done with it then. A client that watches the folder may have connected before, and
 * then that wait was for READY: it tries again after the next one.
 */
async function greeted<Result>(play: Play, server: ScriptedServer, then: (peer: Peer) => Promise<Result>, attempts = 3): Promise<Result> {
  await play.advance(OUTAGE_MS.at(-1) ?? 0)
  const peer = await server.peer()
  try {
    // Its handshake may have come before that wait ended, so the greeting alone says little.
    await peer.ready()
    return await then(peer)
  } catch (failure) {
    if (attempts === 1) throw failure
    return greeted(play, server, then, attempts - 1)
  }
}

/** The game brings a token of its own. */
async function authenticated(play: Play, peer: Peer): Promise<void> {
  const id = play.adapter.call('AUTHENTICATE', { access_token: TOKEN })
  const call = await peer.answer({ user: { id: '77', username: 'ada' } })
  must(call.args?.access_token === TOKEN, `the token must reach the bridge; the call is ${JSON.stringify(call)}`)
  await play.adapter.result(id)
}

const inFolder = (name: string, folder: string): Step => ({
  id: `contained-servers/${name}`,
  title: `sends nothing to a server in ${folder}, and reports that none was found`,
  async run(play) {
    const impostor = await play.listen(0, folder)
    play.adapter.connect({ timeout_ms: 0 })
    await play.adapter.down()
    await play.adapter.quit()
    await mustBeUntouched(impostor)
  },
})

const ofContainer = (namespace: Namespace): Step => ({
  id: `peer-check/${namespace}-namespace`,
  title: `sends nothing to a process in a ${namespace} namespace of its own behind a socket in the usual folder`,
  obstacle: !canContain(namespace) && NO_CONTAINER,
  async run(play) {
    await mkdir(play.runtime, { mode: 0o700 })
    const { child, said } = await listenerAt(join(play.runtime, 'discord-ipc-0'), spawnContained(namespace))
    try {
      play.adapter.connect({ timeout_ms: 0 })
      await play.adapter.down()
      await play.adapter.quit()
      must(said() === 'listening\n', 'the client sent its handshake to a process in a container')
    } finally {
      child.kill('SIGKILL')
      await ended(child)
    }
  },
})

export const CONTAINED: readonly Step[] = [
  inFolder('flatpak', FLATPAK),
  inFolder('snap', SNAP),
  {
    id: 'contained-servers/named',
    title: 'sends nothing to a server there either if the game names the folder',
    async run(play) {
      const impostor = await play.listen(0, FLATPAK)
      play.adapter.connect({ timeout_ms: 0, runtime_dir: join(play.runtime, FLATPAK) })
      await play.adapter.down()
      await play.adapter.quit()
      await mustBeUntouched(impostor)
    },
  },
  {
    id: 'contained-servers/late-bridge',
    title: 'waits for a bridge that answers late, and sends its token to that one only',
    needs: ['clock'],
    async run(play) {
      const impostors = [await play.listen(0, FLATPAK), await play.listen(0, SNAP)]
      const server = await play.listen()
      play.adapter.connect()
      const bridge = await server.peer()
      await bridge.handshake()
      await play.advance(HEAD_START_MS)
      await play.settled()
      bridge.write(readyFrame())
      await play.adapter.state('ready')
      await authenticated(play, bridge)
      await play.adapter.quit()
      await mustBeUntouched(...impostors)
    },
  },
  {
    id: 'contained-servers/lost-bridge',
    title: 'keeps its token while the bridge is away, and signs in when it is back',
    needs: ['reconnect', 'restore', 'clock'],
    async run(play) {
      const impostors = [await play.listen(0, FLATPAK), await play.listen(0, SNAP)]
      const { server, peer } = await play.connected()
      await authenticated(play, peer)
      await server.close()
      for (const ms of OUTAGE_MS) {
        await play.settled()
        await play.advance(ms)
      }
      const call = await greeted(play, await play.listen(), (bridge) => bridge.answer({ user: { id: '77' } }))
      must(call.args?.access_token === TOKEN, 'the client must sign in with its token')
      await play.adapter.quit()
      await mustBeUntouched(...impostors)
    },
  },
  {
    id: 'contained-servers/asked',
    title: "uses the platform's own client there if the game asks for it",
    async run(play) {
      const server = await play.listen(0, FLATPAK)
      play.adapter.connect({ allow_packaged_client: true })
      const peer = await server.peer()
      await peer.ready(NO_BRIDGE)
      await play.adapter.state('ready')
      await authenticated(play, peer)
    },
  },
  {
    id: 'contained-servers/asked-bridge',
    title: "takes no server there that says it is a bridge, even if the game asks for the platform's own client",
    async run(play) {
      const impostor = await play.listen(0, FLATPAK)
      play.adapter.connect({ timeout_ms: 0, allow_packaged_client: true })
      // A client need not connect to it at all.
      impostor
        .peer()
        .then((peer) => peer.ready())
        .catch(() => {})
      await play.adapter.down()
      must(!play.adapter.lines.some(({ name }) => name === 'ready'), 'the client was ready with a server that is not to be believed')
    },
  },
  ofContainer('mount'),
  ofContainer('user'),
]
