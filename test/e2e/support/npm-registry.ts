/** A registry of npm on loopback that serves the packages of this tree's node_modules in their locked versions, so that a test installs offline. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'

const ROOT = resolve(import.meta.dirname, '../../..')
const MAX_ARCHIVE = 512 * 1024 * 1024
const STORED = { level: 0 }

interface Locked {
  readonly version: string
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>
}

/** The archive as npm expects it, without headers of C, which are a third of Node. Not compressed, because it goes nowhere. */
async function archiveOf(name: string): Promise<Buffer> {
  const folder = join(ROOT, 'node_modules', name)
  const words = ['-c', '-C', folder, '--transform=s,^\\.,package,', '--exclude=./include', '.']
  const { stdout } = await promisify(execFile)('tar', words, { encoding: 'buffer', maxBuffer: MAX_ARCHIVE })
  return gzipSync(stdout, STORED)
}

export interface NpmRegistry {
  /** Its URL. */
  readonly url: string
  /** The packages that were downloaded, by name. */
  readonly downloaded: readonly string[]
  close(): Promise<void>
}

export async function npmRegistry(): Promise<NpmRegistry> {
  const archives = new Map<string, Promise<Buffer>>()
  const archive = (name: string): Promise<Buffer> => {
    const made = archives.get(name) ?? archiveOf(name)
    archives.set(name, made)
    return made
  }
  const downloaded: string[] = []

  /** What npm asks for first. A package for another system has no archive here, and none is asked for. */
  async function description(name: string, { version, ...entry }: Locked): Promise<object> {
    const isHere = existsSync(join(ROOT, 'node_modules', name))
    const integrity = isHere
      ? `sha512-${createHash('sha512')
          .update(await archive(name))
          .digest('base64')}`
      : undefined
    const manifest = isHere ? (JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')) as object) : entry
    const dist = { tarball: `${url}/archive/${encodeURIComponent(name)}`, ...(integrity === undefined ? {} : { integrity }) }
    return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, name, version, dist } } }
  }

  async function answer(path: string, response: ServerResponse): Promise<void> {
    const [, wanted] = /^\/archive\/(.+)$/.exec(path) ?? []
    const name = decodeURIComponent(wanted ?? path.slice(1))
    const entry = packages[`node_modules/${name}`]
    if (entry === undefined) return void response.writeHead(404).end('{}')
    if (wanted === undefined) return void response.end(JSON.stringify(await description(name, entry)))
    downloaded.push(name)
    response.end(await archive(name))
  }

  const server = createServer((request, response) => {
    answer(new URL(request.url ?? '/', 'http://registry').pathname, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    downloaded,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
