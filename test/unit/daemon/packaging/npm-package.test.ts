/** Only a pinned package with matching bytes reaches an executable or the cache. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileOfPackage, integrityOf, type Pack } from '#daemon/packaging/npm-package.ts'

const NAME = '@scope/native'
const VERSION = '1.2.3'
const FILE = 'bin/tool'

let root: string
let fetched: number

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'npm-package-'))
  fetched = 0
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** The npm archive of a package with one file with `text`. */
function archiveOf(text: string, file = FILE): string {
  const folder = mkdtempSync(join(root, 'made-'))
  mkdirSync(join(folder, 'package/bin'), { recursive: true })
  writeFileSync(join(folder, 'package', file), text)
  const archive = join(folder, 'native-1.2.3.tgz')
  execFileSync('tar', ['-czf', archive, '-C', folder, 'package'])
  return archive
}

const giving =
  (archive: string): Pack =>
  (_specifier, folder) => {
    fetched += 1
    cpSync(archive, join(folder, 'native-1.2.3.tgz'))
    return Promise.resolve()
  }

const locks = (entry: object, file = 'package-lock.json') => {
  mkdirSync(join(root, 'node_modules'), { recursive: true })
  writeFileSync(join(root, file), JSON.stringify({ packages: { [`node_modules/${NAME}`]: entry } }))
}

const asked = (pack: Pack) => fileOfPackage({ root, name: NAME, version: VERSION, file: FILE }, pack)
const cached = () => (existsSync(join(root, '.cache/packages')) ? readdirSync(join(root, '.cache/packages')) : [])

describe('fileOfPackage', () => {
  it('downloads the locked package once', async () => {
    const archive = archiveOf('as released')
    locks({ version: VERSION, integrity: integrityOf(readFileSync(archive)) })
    expect(readFileSync(await asked(giving(archive)), 'utf8')).toBe('as released')
    expect(readFileSync(await asked(giving(archive)), 'utf8')).toBe('as released')
    expect(fetched).toBe(1)
    expect(cached()).toHaveLength(1)
  })

  it.each([
    ['no entry', { version: '9.9.9', integrity: 'sha512-x' }],
    ['an entry without integrity', { version: VERSION }],
    ['a weaker hash', { version: VERSION, integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }],
  ])('rejects if the lockfile has %s, without a download', async (_what, entry) => {
    locks(entry)
    await expect(asked(giving(archiveOf('text')))).rejects.toThrow(
      'package-lock.json has no SHA-512 of @scope/native@1.2.3; add it with "npm run lock:integrity" and review the change',
    )
    expect(fetched).toBe(0)
    expect(cached()).toEqual([])
  })

  it('rejects bytes that do not match the lockfile, and stores nothing', async () => {
    const archive = archiveOf('as released')
    locks({ version: VERSION, integrity: integrityOf(readFileSync(archive)) })
    await expect(asked(giving(archiveOf('poisoned')))).rejects.toThrow(/^the archive of @scope\/native@1\.2\.3 has another SHA-512/)
    expect(cached()).toEqual([])
    expect(readFileSync(await asked(giving(archive)), 'utf8')).toBe('as released')
  })

  it('verifies a version that is not in the lockfile with the given integrity', async () => {
    const [archive, other] = [archiveOf('older'), archiveOf('poisoned')]
    locks({ version: '9.9.9', integrity: integrityOf(Buffer.from('newer')) })
    const older = { root, name: NAME, version: VERSION, file: FILE, integrity: integrityOf(readFileSync(archive)) }
    await expect(fileOfPackage(older, giving(other))).rejects.toThrow('has another SHA-512')
    expect(readFileSync(await fileOfPackage(older, giving(archive)), 'utf8')).toBe('older')
  })

  it('does not use the cache entry of another lockfile', async () => {
    const [first, second] = [archiveOf('first'), archiveOf('second')]
    locks({ version: VERSION, integrity: integrityOf(readFileSync(first)) })
    await asked(giving(first))
    locks({ version: VERSION, integrity: integrityOf(readFileSync(second)) })
    expect(readFileSync(await asked(giving(second)), 'utf8')).toBe('second')
  })

  it('uses an installed package only if npm installed the locked bytes', async () => {
    const archive = archiveOf('as released')
    const integrity = integrityOf(readFileSync(archive))
    locks({ version: VERSION, integrity })
    const installed = join(root, 'node_modules', NAME, FILE)
    mkdirSync(join(installed, '..'), { recursive: true })
    writeFileSync(installed, 'installed')
    expect(readFileSync(await asked(giving(archive)), 'utf8')).toBe('as released')
    locks({ version: VERSION, integrity: integrityOf(Buffer.from('other')) }, 'node_modules/.package-lock.json')
    expect(readFileSync(await asked(giving(archive)), 'utf8')).toBe('as released')
    locks({ version: VERSION, integrity }, 'node_modules/.package-lock.json')
    expect(await asked(giving(archive))).toBe(installed)
  })

  it('rejects if npm returns no archive, or one without the file', async () => {
    const archive = archiveOf('as released', 'other')
    locks({ version: VERSION, integrity: integrityOf(readFileSync(archive)) })
    await expect(asked(() => Promise.resolve())).rejects.toThrow('npm returned no archive of @scope/native@1.2.3')
    await expect(asked(giving(archive))).rejects.toThrow('@scope/native@1.2.3 does not contain bin/tool')
    expect(cached()).toEqual([])
  })
})
