/**
 * `npm run check-node-release -- --keyring FILE [--base URL]`: compares the listed Node binaries with the signed list of the Node release,
 * and marks equal ones in `node-sha256.json`. Requires internet, `gpgv` and `tar`. FILE contains the public keys of Node's releasers; only
 * the key in `node-sha256.json` is accepted.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { NODE_LIST, readNodeList } from './node-list.ts'
import { compareWithRelease, gpgVerify, withReleaseChecks } from './node-release.ts'

const { values } = parseArgs({
  options: { keyring: { type: 'string' }, base: { type: 'string', default: 'https://nodejs.org/dist' } },
})
if (values.keyring === undefined) throw new Error('missing --keyring FILE: the public keys of Node’s releasers')

const scratch = await mkdtemp(join(tmpdir(), 'node-release-'))
try {
  const list = await readNodeList()
  const compared = await compareWithRelease(list, { base: values.base, verify: gpgVerify(resolve(values.keyring), scratch), scratch })
  for (const { target, problem } of compared) console.log(`${target}: ${problem ?? 'the binary equals the one of the release'}`)
  await writeFile(NODE_LIST, `${JSON.stringify(withReleaseChecks(list, compared), undefined, 2)}\n`)
  if (compared.some(({ problem }) => problem !== undefined)) process.exitCode = 1
} finally {
  await rm(scratch, { recursive: true, force: true })
}
