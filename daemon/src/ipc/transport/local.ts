/** Listens where games look: on descriptors that a service manager handed over, else on the first free slot. */
import { lstatSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { privateFolderName } from '@sallyport/protocol/wire'
import type { Closer } from '@sallyport/core/closer'
import { openPrivateFolder, openSocketFolder, ownUid } from '@sallyport/core/storage/safe-folder'
import { claimSlot, openPlace } from './address.ts'
import { inheritedDescriptors, pathOfDescriptor } from './inherited.ts'
import { type NodeIpcOptions, nodeIpcListener } from './node-ipc-listener.ts'
import { peerIdentifier, senderOpener } from './peer-identity.ts'
import type { ByteChannel, ChannelReceiver } from './transport.ts'

export interface LocalPlace {
  readonly directory: string
  readonly ipcPrefix: string
  /** Where others may put sockets into the folder: whether one in a folder of this user alone is served beside it. */
  readonly hasPrivateFolder: boolean
  readonly onLink: (link: ByteChannel) => ChannelReceiver
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

export interface LocalListening {
  /** What games reach, the place where all of them look first. */
  readonly addresses: readonly string[]
  /** The one of them that our own clients use; undefined where its path cannot be found out. */
  readonly ownAddress: string | undefined
  readonly close: Closer
}

type Listen = (at: NodeIpcOptions['at']) => Promise<Closer>

export async function listenLocally({ directory, ipcPrefix, hasPrivateFolder, onLink }: LocalPlace): Promise<LocalListening> {
  const identify: (socket: Socket) => ReturnType<ReturnType<typeof peerIdentifier>> = peerIdentifier()
  const openSender = senderOpener()
  const listen: Listen = (at) => nodeIpcListener({ at, identify, openSender, aroundBind: underTightUmask }).listen(onLink)
  const inherited = inheritedDescriptors(process.env, process.pid)
  if (inherited.length > 0) return listenOnInherited(inherited, listen)
  const { platform } = process
  const serve = async (folder: string): Promise<Served> => {
    const { path, bound } = await claimSlot({ directory: folder, ipcPrefix, platform }, (at) => listen({ path: at }))
    if (platform === 'win32') return { path, close: bound }
    const file = socketFile(path)
    return {
      path,
      close: async () => {
        await bound()
        file.removeIfOurs()
      },
    }
  }
  const folders = platform === 'win32' ? [directory] : foldersOf(directory, hasPrivateFolder)
  const served: Served[] = []
  const close = async () => void (await Promise.all(served.map((one) => one.close())))
  try {
    for (const folder of folders) served.push(await serve(folder))
  } catch (failure) {
    await close()
    throw failure
  }
  const addresses = served.map(({ path }) => path).toReversed()
  return { addresses, ownAddress: served[0]?.path, close }
}

interface Served {
  readonly path: string
  readonly close: Closer
}

/** In the order in which they are served: who sees the name that all know appear finds the other one there already. */
function foldersOf(directory: string, hasPrivateFolder: boolean): readonly string[] {
  const isShared = openPlace(directory, openSocketFolder) === 'shared'
  if (!isShared || !hasPrivateFolder || ownUid === undefined) return [directory]
  const own = join(directory, privateFolderName(ownUid))
  openPlace(own, openPrivateFolder)
  return [own, directory]
}

async function listenOnInherited(descriptors: readonly number[], listen: Listen): Promise<LocalListening> {
  const closers = await Promise.all(descriptors.map((fd) => listen({ fd, address: `fd:${fd}` })))
  const [ownAddress] = descriptors.flatMap((fd) => pathOfDescriptor(fd) ?? [])
  return {
    addresses: descriptors.map((fd) => `fd:${fd}`),
    ownAddress,
    close: async () => void (await Promise.all(closers.map((close) => close()))),
  }
}
