/** Listens for games on inherited descriptors if there are any, otherwise on the first free slot. */
import { lstatSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { privateFolderName } from '@sallyport/protocol/wire'
import type { Closer } from '@sallyport/core/closer'
import { openPrivateFolder, openSocketFolder, ownUid } from '@sallyport/core/storage/safe-folder'
import { claimSlot, openSlotFolder } from './address.ts'
import { inheritedDescriptors, pathOfDescriptor } from './inherited.ts'
import { type NodeIpcOptions, nodeIpcListener } from './node-ipc-listener.ts'
import { peerIdentifier, senderOpener } from './peer-identity.ts'
import type { ByteChannel, ChannelReceiver } from './transport.ts'

export interface LocalListenOptions {
  readonly directory: string
  readonly ipcPrefix: string
  /** Whether to listen also in a private directory when other users can write to `directory`. */
  readonly hasPrivateFolder: boolean
  readonly onChannel: (channel: ByteChannel) => ChannelReceiver
}

/** Binds with a umask that lets only this user open the socket, from its creation on. */
function underTightUmask<T>(bind: () => T): T {
  const before = process.umask(0o177)
  try {
    return bind()
  } finally {
    process.umask(before)
  }
}

/** The socket file at a path. Removes it after the listener stops, unless another process has replaced it. */
function socketFile(path: string): { removeIfOurs(): void } {
  const inode = lstatSync(path).ino
  return {
    removeIfOurs() {
      if (lstatSync(path, { throwIfNoEntry: false })?.ino === inode) rmSync(path, { force: true })
    },
  }
}

export interface LocalServer {
  /** Addresses for games; the first is the one that all of them try. */
  readonly addresses: readonly string[]
  /** The address for our own clients; undefined if its path is unknown. */
  readonly ownAddress: string | undefined
  readonly close: Closer
}

type Listen = (at: NodeIpcOptions['at']) => Promise<Closer>

export async function listenLocally({
  directory,
  ipcPrefix,
  hasPrivateFolder,
  onChannel: onLink,
}: LocalListenOptions): Promise<LocalServer> {
  const identify: (socket: Socket) => ReturnType<ReturnType<typeof peerIdentifier>> = peerIdentifier()
  const openSender = senderOpener()
  const listen: Listen = (at) => nodeIpcListener({ at, identify, openSender, aroundBind: underTightUmask }).listen(onLink)
  const inherited = inheritedDescriptors(process.env, process.pid)
  if (inherited.length > 0) return listenOnInherited(inherited, listen)
  const { platform } = process
  const serve = async (folder: string): Promise<BoundSlot> => {
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
  const served: BoundSlot[] = []
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

interface BoundSlot {
  readonly path: string
  readonly close: Closer
}

/** Directories in bind order. The private socket exists before the well-known one appears. */
function foldersOf(directory: string, hasPrivateFolder: boolean): readonly string[] {
  const isShared = openSlotFolder(directory, openSocketFolder) === 'shared'
  if (!isShared || !hasPrivateFolder || ownUid === undefined) return [directory]
  const own = join(directory, privateFolderName(ownUid))
  openSlotFolder(own, openPrivateFolder)
  return [own, directory]
}

async function listenOnInherited(descriptors: readonly number[], listen: Listen): Promise<LocalServer> {
  const closers = await Promise.all(descriptors.map((fd) => listen({ fd, address: `fd:${fd}` })))
  const [ownAddress] = descriptors.flatMap((fd) => pathOfDescriptor(fd) ?? [])
  return {
    addresses: descriptors.map((fd) => `fd:${fd}`),
    ownAddress,
    close: async () => void (await Promise.all(closers.map((close) => close()))),
  }
}
