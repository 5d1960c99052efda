/**
 * `npm run check-node-release -- --keyring FILE [--base URL]`: compares the listed Node binaries with the signed list that the release of Node
 * publishes, and marks in `node-sha256.json` which are the same. For a machine with internet, `gpgv` and `tar`. FILE holds the public keys of
 * Node's releasers; only the key that the list names counts.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { NODE_LIST, readNodeList } from './node-list.ts'
import { compareWithRelease, gpgVerify, marked } from './node-release.ts'

const { values } = parseArgs({
  options: { keyring: { type: 'string' }, base: { type: 'string', default: 'https://nodejs.org/dist' } },
})
if (values.keyring === undefined) throw new Error('name the file with the public keys of Node’s releasers: --keyring FILE')

const scratch = await mkdtemp(join(tmpdir(), 'node-release-'))
try {
  const list = await readNodeList()
  const compared = await compareWithRelease(list, { base: values.base, verify: gpgVerify(resolve(values.keyring), scratch), scratch })
  for (const { target, problem } of compared) console.log(`${target}: ${problem ?? 'the binary is the one that the release publishes'}`)
  await writeFile(NODE_LIST, `${JSON.stringify(marked(list, compared), undefined, 2)}\n`)
  if (compared.some(({ problem }) => problem !== undefined)) process.exitCode = 1
} finally {
  await rm(scratch, { recursive: true, force: true })
}
