import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { leaveProof, takeProof } from '@sallyport/core/storage/operator-proof'

const PROOF = '0123456789abcdef0123456789abcdef'
let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'proof-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

it('a proof that was left serves once', () => {
  expect(takeProof(directory, PROOF)).toBe(false)
  leaveProof(directory, PROOF)
  if (process.platform !== 'win32') expect(statSync(join(directory, 'operator')).mode & 0o077).toBe(0)
  expect(takeProof(directory, PROOF.replace('0', '1'))).toBe(false)
  expect(takeProof(directory, PROOF)).toBe(true)
  expect(takeProof(directory, PROOF)).toBe(false)
})

it('can be taken back', () => {
  leaveProof(directory, PROOF)()
  expect(readdirSync(join(directory, 'operator'))).toEqual([])
  expect(takeProof(directory, PROOF)).toBe(false)
})

it('a name that is no proof touches no file', () => {
  leaveProof(directory, PROOF)
  writeFileSync(join(directory, 'other'), '')
  for (const name of ['../other', '', '.', `../operator/${PROOF}`, `${PROOF}\0`]) expect(takeProof(directory, name)).toBe(false)
  expect(readdirSync(directory)).toContain('other')
})
