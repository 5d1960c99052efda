import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, copyFileSync, mkdtempSync, renameSync, rmSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { fileAt, programOf } from '../../../../daemon/src/transport/program-file.ts'

const directory = mkdtempSync(join(tmpdir(), 'program-'))
afterAll(() => rmSync(directory, { recursive: true }))

test('the identity of a file changes with its content, and a copy has another', () => {
  const [one, two] = [join(directory, 'one'), join(directory, 'two')]
  copyFileSync('/bin/sh', one)
  copyFileSync(one, two)
  const { file } = fileAt(one)
  expect(file).toMatch(/^\d+:\d+:\d+:\d+$/)
  expect(fileAt(one).file).toBe(file)
  expect(fileAt(two).file).not.toBe(file)
  chmodSync(one, 0o755)
  appendFileSync(one, 'x')
  expect(fileAt(one).file).not.toBe(file)
})

test('nothing is said of what cannot be looked at', () => {
  expect(fileAt(join(directory, 'none'))).toEqual({})
  expect(programOf(2 ** 30)).toEqual({})
})

describe.runIf(process.platform === 'linux')('a process whose file was replaced', () => {
  test('keeps the path and the identity it began with', async () => {
    const path = join(directory, 'cat')
    copyFileSync('/bin/cat', path)
    chmodSync(path, 0o755)
    const before = fileAt(path)
    const child = spawn(path, [], { stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.write('ready')
    await once(child.stdout, 'data')
    expect(programOf(child.pid ?? 0)).toEqual({ executable: path, ...before })

    copyFileSync('/bin/sh', `${path}.new`)
    renameSync(`${path}.new`, path)
    expect(programOf(child.pid ?? 0)).toEqual({ executable: path, ...before })
    expect(fileAt(path).file).not.toBe(before.file)
    unlinkSync(path)
    expect(programOf(child.pid ?? 0)).toEqual({ executable: path, ...before })
    child.kill()
    await once(child, 'exit')
  })
})
