/** Opens the sockets for games: inherited descriptors if there are any, otherwise the first free slot. Connections wait until they are served. */
import { lstatSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { basename, dirname, join } from 'node:path'
import type { Closer } from '@sallyport/core/closer'
import { HeldServer } from '@sallyport/core/net/held-server'
import { once } from '@sallyport/core/once'
import { boundPath } from '@sallyport/core/os/bound-path'
import { WINE_SOCKET_PREFIX, wineSocketName } from '@sallyport/core/platform-names'
import { openPrivateFolder, openSocketFolder, ownUid } from '@sallyport/core/storage/safe-folder'
import { privateFolderName } from '@sallyport/protocol/wire'
import { claimSlot, clearSlot, openSlotFolder } from './address.ts'
import { assertListeners, inheritedDescriptors } from './inherited.ts'
import { peerIdentifier } from './peer-identity.ts'
import type { PeerIdentity } from './transport.ts'

interface LocalSocketOptions {
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
  /** Opens the socket for pipe bridges of Wine prefixes, beside the slot of `ownAddress`; undefined where there is no Wine. Called once. */
  readonly openForWine: () => Promise<BoundSlot | undefined>
  /** Opens one more socket, in the first free slot of another folder. Rejects as `openLocalSockets`. */
  readonly openIn: (folder: string) => Promise<BoundSlot>
  /** Loads what identifies the peers, unless a connection did. Throws SERVICE_UNAVAILABLE where the bridge must not run without it. */
  readonly preparePeers: () => void
  /** Closes the sockets and removes their files. */
  readonly close: Closer
}

type Listen = (at: { readonly path: string } | { readonly fd: number }) => Promise<HeldServer<PeerIdentity>>

/** Rejects with SERVICE_UNAVAILABLE if no slot is free, the folder is not safe, or an inherited descriptor is no socket for games. */
export async function openLocalSockets({ directory, ipcPrefix, hasPrivateFolder, onNeeded }: LocalSocketOptions): Promise<LocalSockets> {
  const identifier = once(() => peerIdentifier())
  const options = { identify: (socket: Socket) => identifier()(socket), release: (peer: PeerIdentity) => peer.process?.release(), onNeeded }
  const listen: Listen = (at) => HeldServer.listen(at, options, underTightUmask)
  const inherited = inheritedDescriptors(process.env, process.pid)
  const preparePeers = () => void identifier()
  const { platform } = process
  const openIn = async (folder: string): Promise<BoundSlot> => {
    const { path, bound: held } = await claimSlot({ directory: folder, ipcPrefix, platform }, (at) => listen({ path: at }))
    return platform === 'win32' ? { address: path, held, close: () => held.close() } : boundAt(path, held)
  }
  assertListeners(inherited)
  if (inherited.length > 0) return { ...(await listenOnInherited(inherited, listen)), openIn, preparePeers }
  const folders = platform === 'win32' ? [directory] : foldersOf(directory, hasPrivateFolder)
  const opened: BoundSlot[] = []
  const close = async () => void (await Promise.all(opened.map((one) => one.close())))
  try {
    for (const folder of folders) opened.push(await openIn(folder))
  } catch (failure) {
    await close()
    throw failure
  }
  const ownAddress = opened[0]?.address
  return { sockets: opened.toReversed(), ownAddress, openForWine: () => openForWine(ownAddress, listen), openIn, preparePeers, close }
}

export interface BoundSlot extends LocalSocket {
  readonly close: Closer
}

const boundAt = (path: string, held: BoundSlot['held']): BoundSlot => {
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

/** Its name belongs to the daemon that has the slot. Rejects with the system error, and if another server still listens. */
async function openForWine(slot: string | undefined, listen: Listen): Promise<BoundSlot | undefined> {
  if (slot === undefined || process.platform !== 'linux') return undefined
  const path = join(dirname(slot), wineSocketName(basename(slot)))
  await clearSlot(path)
  return boundAt(path, await listen({ path }))
}

/** Directories in bind order. The private socket exists before the well-known one appears. */
function foldersOf(directory: string, hasPrivateFolder: boolean): readonly string[] {
  const isShared = openSlotFolder(directory, openSocketFolder) === 'shared'
  if (!isShared || !hasPrivateFolder || ownUid === undefined) return [directory]
  const own = join(directory, privateFolderName(ownUid))
  openSlotFolder(own, openPrivateFolder)
  return [own, directory]
}

async function listenOnInherited(descriptors: readonly number[], listen: Listen): Promise<Omit<LocalSockets, 'openIn' | 'preparePeers'>> {
  const opened = await Promise.all(
    descriptors.map(async (fd): Promise<BoundSlot & { readonly path: string | undefined }> => {
      const held = await listen({ fd })
      return { address: `fd:${fd}`, held, path: boundPath(fd), close: () => held.close() }
    }),
  )
  const isForWine = ({ path }: { readonly path: string | undefined }): boolean =>
    path !== undefined && basename(path).startsWith(WINE_SOCKET_PREFIX)
  const sockets = opened.filter((one) => !isForWine(one))
  const [ownAddress] = sockets.flatMap(({ path }) => path ?? [])
  const forWine = opened.find(isForWine)
  return {
    sockets,
    ownAddress,
    openForWine: async () => forWine ?? (await openForWine(ownAddress, listen)),
    close: async () => void (await Promise.all(opened.map((one) => one.close()))),
  }
}
