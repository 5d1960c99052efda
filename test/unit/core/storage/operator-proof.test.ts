import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createOperatorProof, redeemOperatorProof } from '@sallyport/core/storage/operator-proof'

const PROOF = '0123456789abcdef0123456789abcdef'
let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'proof-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

it('a proof is valid once', () => {
  expect(redeemOperatorProof(directory, PROOF)).toBe(false)
  createOperatorProof(directory, PROOF)
  if (process.platform !== 'win32') expect(statSync(join(directory, 'operator')).mode & 0o077).toBe(0)
  expect(redeemOperatorProof(directory, PROOF.replace('0', '1'))).toBe(false)
  expect(redeemOperatorProof(directory, PROOF)).toBe(true)
  expect(redeemOperatorProof(directory, PROOF)).toBe(false)
})

it('can be deleted', () => {
  createOperatorProof(directory, PROOF)()
  expect(readdirSync(join(directory, 'operator'))).toEqual([])
  expect(redeemOperatorProof(directory, PROOF)).toBe(false)
})

it('an invalid proof touches no file', () => {
  createOperatorProof(directory, PROOF)
  writeFileSync(join(directory, 'other'), '')
  for (const name of ['../other', '', '.', `../operator/${PROOF}`, `${PROOF}\0`]) expect(redeemOperatorProof(directory, name)).toBe(false)
  expect(readdirSync(directory)).toContain('other')
})
