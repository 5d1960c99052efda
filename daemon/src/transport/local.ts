/** Listens where games look: on descriptors that a service manager handed over, else on the first free slot. */
import { lstatSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { Closer } from '../core/closer.ts'
import { claimSlot, inheritedDescriptors } from './address.ts'
import { nodeIpcListener } from './node-ipc-listener.ts'
import { peerIdentifier, senderOpener } from './peer-identity.ts'
import type { Link, LinkReceiver } from './transport.ts'

export interface LocalPlace {
  readonly directory: string
  readonly ipcPrefix: string
  readonly onLink: (link: Link) => LinkReceiver
}

/** Only this user may open the socket, from the moment it exists. */
function underTightUmask<T>(bind: () => T): T {
  const before = process.umask(0o177)
  try {
    return bind()
  } finally {
    process.umask(before)
  }
}

/** What a stopped listener leaves behind is removed, unless somebody else has put their own socket there. */
function socketFile(path: string): { removeIfOurs(): void } {
  const inode = lstatSync(path).ino
  return {
    removeIfOurs() {
      if (lstatSync(path, { throwIfNoEntry: false })?.ino === inode) rmSync(path, { force: true })
    },
  }
}

export async function listenLocally({
  directory,
  ipcPrefix,
  onLink,
}: LocalPlace): Promise<{ addresses: readonly string[]; close: Closer }> {
  const identify: (socket: Socket) => ReturnType<ReturnType<typeof peerIdentifier>> = peerIdentifier()
  const openSender = senderOpener()
  const inherited = inheritedDescriptors(process.env, process.pid)
  if (inherited.length > 0) {
    const closers = await Promise.all(
      inherited.map((fd) => nodeIpcListener({ at: { fd, address: `fd:${fd}` }, identify, openSender }).listen(onLink)),
    )
    return { addresses: inherited.map((fd) => `fd:${fd}`), close: async () => void (await Promise.all(closers.map((close) => close()))) }
  }
  const { platform } = process
  const { path, bound } = await claimSlot({ directory, ipcPrefix, platform }, (at) =>
    nodeIpcListener({ at: { path: at }, identify, openSender, aroundBind: underTightUmask }).listen(onLink),
  )
  if (platform === 'win32') return { addresses: [path], close: bound }
  const file = socketFile(path)
  return {
    addresses: [path],
    close: async () => {
      await bound()
      file.removeIfOurs()
    },
  }
}
