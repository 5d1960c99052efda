/** Opens the sockets for games: inherited descriptors if there are any, otherwise the first free slot. Connections wait until they are served. */
import { lstatSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { once } from '@sallyport/protocol/once'
import { privateFolderName } from '@sallyport/protocol/wire'
import type { Closer } from '@sallyport/core/closer'
import { HeldServer } from '@sallyport/core/net/held-server'
import { openPrivateFolder, openSocketFolder, ownUid } from '@sallyport/core/storage/safe-folder'
import { claimSlot, openSlotFolder } from './address.ts'
import { inheritedDescriptors, pathOfDescriptor } from './inherited.ts'
import { peerIdentifier } from './peer-identity.ts'
import type { PeerIdentity } from './transport.ts'

export interface LocalSocketOptions {
  readonly directory: string
  readonly ipcPrefix: string
  /** Whether to listen also in a private directory when other users can write to `directory`. */
  readonly hasPrivateFolder: boolean
  /** A game connected; see `HeldServer`. */
  readonly onNeeded: () => void
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

/** A socket, and its address for display. */
export interface LocalSocket {
  readonly address: string
  readonly held: HeldServer<PeerIdentity>
}

export interface LocalSockets {
  /** The first is the one that all games try. */
  readonly sockets: readonly LocalSocket[]
  /** The address for our own clients; undefined if its path is unknown. */
  readonly ownAddress: string | undefined
  /** Loads what identifies the peers, unless a connection did. Throws SERVICE_UNAVAILABLE where the bridge must not run without it. */
  readonly preparePeers: () => void
  /** Closes the sockets and removes their files. */
  readonly close: Closer
}

type Listen = (at: { readonly path: string } | { readonly fd: number }) => Promise<HeldServer<PeerIdentity>>

/** Rejects with SERVICE_UNAVAILABLE if no slot is free, or the folder is not safe. */
export async function openLocalSockets({ directory, ipcPrefix, hasPrivateFolder, onNeeded }: LocalSocketOptions): Promise<LocalSockets> {
  const identifier = once(() => peerIdentifier())
  const options = { identify: (socket: Socket) => identifier()(socket), release: (peer: PeerIdentity) => peer.process?.release(), onNeeded }
  const listen: Listen = (at) => HeldServer.listen(at, options, underTightUmask)
  const inherited = inheritedDescriptors(process.env, process.pid)
  const preparePeers = () => void identifier()
  if (inherited.length > 0) return { ...(await listenOnInherited(inherited, listen)), preparePeers }
  const { platform } = process
  const open = async (folder: string): Promise<BoundSlot> => {
    const { path, bound: held } = await claimSlot({ directory: folder, ipcPrefix, platform }, (at) => listen({ path: at }))
    if (platform === 'win32') return { address: path, held, close: () => held.close() }
    const file = socketFile(path)
    return {
      address: path,
      held,
      close: async () => {
        await held.close()
        file.removeIfOurs()
      },
    }
  }
  const folders = platform === 'win32' ? [directory] : foldersOf(directory, hasPrivateFolder)
  const opened: BoundSlot[] = []
  const close = async () => void (await Promise.all(opened.map((one) => one.close())))
  try {
    for (const folder of folders) opened.push(await open(folder))
  } catch (failure) {
    await close()
    throw failure
  }
  return { sockets: opened.toReversed(), ownAddress: opened[0]?.address, preparePeers, close }
}

interface BoundSlot extends LocalSocket {
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

async function listenOnInherited(descriptors: readonly number[], listen: Listen): Promise<Omit<LocalSockets, 'preparePeers'>> {
  const sockets = await Promise.all(
    descriptors.map(async (fd): Promise<LocalSocket> => ({ address: `fd:${fd}`, held: await listen({ fd }) })),
  )
  const [ownAddress] = descriptors.flatMap((fd) => pathOfDescriptor(fd) ?? [])
  return { sockets, ownAddress, close: async () => void (await Promise.all(sockets.map(({ held }) => held.close()))) }
}
