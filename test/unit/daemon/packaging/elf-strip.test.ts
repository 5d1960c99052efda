import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stripElf } from '#daemon/packaging/elf-strip.ts'

const LEAST_SAVING = 20_000_000

test.skipIf(process.platform !== 'linux')('Node without its symbols is smaller and runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'strip-'))
  try {
    const node = readFileSync(process.execPath)
    const stripped = stripElf(node)
    expect(node.length - stripped.length).toBeGreaterThan(LEAST_SAVING)
    const file = join(folder, 'node')
    writeFileSync(file, stripped, { mode: 0o755 })
    expect(execFileSync(file, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim()).toBe(process.versions.node)
    // What is left is all that is needed.
    expect(stripElf(stripped).equals(stripped)).toBe(true)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('refuses what is no ELF program', () => {
  expect(() => stripElf(Buffer.from('#!/bin/sh\n'))).toThrow('no 64-bit ELF program')
  expect(() => stripElf(Buffer.alloc(4096))).toThrow('no 64-bit ELF program')
})
