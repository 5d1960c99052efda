/** Steps of servers that other users of the system could have started. */
import { chmodSync, chownSync } from 'node:fs'
import { chmod, mkdtemp, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ended } from '#test/support/ended.ts'
import { type Listener, listenerAt } from '#test/support/listener.ts'
import { canBeOther, NO_OTHER_USER, OTHER_UID, spawnAsOther } from '#test/support/other-user.ts'
import type { ScriptedServer } from '#test/support/scripted-server.ts'
import { must, type Play, type Step } from '../play.ts'

const SOCKET = 'discord-ipc-0'

/** The client looks once and must send nothing. */
async function refused(
  play: Play,
  server: ScriptedServer,
  options: { readonly runtime_dir?: string } = { runtime_dir: play.runtime },
): Promise<void> {
  play.adapter.connect({ timeout_ms: 0, ...options })
  await play.adapter.down()
  await play.adapter.quit()
  for (let left = server.connections; left > 0; left -= 1) {
    const sent = await (await server.peer()).ended()
    must(sent.length === 0, 'the client sent its handshake to a server of another user')
  }
}

/** Starts a server of another user at the socket, which then belongs to this user. */
async function impostor(path: string): Promise<Listener> {
  const listener = await listenerAt(path, spawnAsOther)
  chownSync(path, process.getuid?.() ?? 0, 0)
  return listener
}

export const TRUST: readonly Step[] = [
  {
    id: 'folder-check/writable',
    title: 'sends nothing to a socket in a folder where other users can replace it',
    async run(play) {
      const server = await play.listen()
      await chmod(play.runtime, 0o777)
      await refused(play, server)
    },
  },
  {
    id: 'folder-check/discovery',
    title: 'sends nothing to a socket in a directory of the discovery rule that other users can write to',
    async run(play) {
      const server = await play.listen()
      await chmod(play.runtime, 0o777)
      await refused(play, server, {})
    },
  },
  {
    id: 'folder-check/link',
    title: 'sends nothing to a socket behind a link',
    async run(play) {
      const server = await play.listen()
      const real = join(play.base, 'elsewhere')
      await rename(join(play.runtime, SOCKET), real)
      await symlink(real, join(play.runtime, SOCKET))
      await refused(play, server)
    },
  },
  {
    id: 'folder-check/owner',
    title: 'sends nothing to a socket of another user',
    obstacle: !canBeOther && NO_OTHER_USER,
    async run(play) {
      const server = await play.listen()
      chownSync(join(play.runtime, SOCKET), OTHER_UID, OTHER_UID)
      await refused(play, server)
    },
  },
  {
    id: 'folder-check/folder-owner',
    title: 'sends nothing to a socket in a folder of another user',
    obstacle: !canBeOther && NO_OTHER_USER,
    async run(play) {
      const server = await play.listen()
      chownSync(play.runtime, OTHER_UID, OTHER_UID)
      await refused(play, server)
    },
  },
  {
    id: 'peer-check/impostor',
    title: 'sends nothing to a process of another user behind a socket of this user',
    obstacle: !canBeOther && NO_OTHER_USER,
    async run(play) {
      // Not in the folder of the step, which other users cannot enter. Sticky as /tmp is: users may remove only their own files.
      const shared = await mkdtemp('/tmp/spk-')
      chmodSync(shared, 0o1777)
      const { child, said } = await impostor(join(shared, SOCKET))
      try {
        play.adapter.connect({ timeout_ms: 0, runtime_dir: shared })
        await play.adapter.down()
        await play.adapter.quit()
        must(said() === 'listening\n', 'the client sent its handshake to a process of another user')
      } finally {
        child.kill('SIGKILL')
        await ended(child)
        await rm(shared, { recursive: true, force: true })
      }
    },
  },
  {
    id: 'windows-pipe/owner',
    title: 'uses a named pipe',
    obstacle: process.platform !== 'win32' && 'Only Windows has named pipes; test/e2e/wine plays them.',
    async run(play) {
      const { peer } = await play.connected()
      await play.works(peer)
    },
  },
]
