/** What a command says when its stdout does not take what it prints. */
import { execFile } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { cleanEnvironment, SMOKE_TARGETS } from './support/daemon.ts'
import { programMade } from './support/program.ts'

describe.skipIf(process.platform !== 'linux').each(SMOKE_TARGETS)('$name', ({ command }) => {
  beforeAll(() => programMade())

  const inShell = (line: string) =>
    new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
      const program = command.map((word) => `'${word}'`).join(' ')
      const text = `set -o pipefail; sallyport() { ${program} "$@"; }; ${line}`
      execFile('bash', ['-c', text], { env: cleanEnvironment() }, (error, out, err) => resolve({ code: error?.code ?? 0, out, err }))
    })

  test.each([['config'], ['version'], ['help'], ['doctor --help'], ['completion bash']])('%s > /dev/full exits with 1', async (words) => {
    expect(await inShell(`sallyport ${words} > /dev/full`)).toEqual({
      code: 1,
      out: '',
      err: 'sallyport: The output could not be written (ENOSPC: no space left on device, write). Some of it is missing.\n',
    })
  })

  test('with --json the error is an object', async () => {
    const { code, err } = await inShell('sallyport version --json > /dev/full')
    expect([code, JSON.parse(err)]).toEqual([1, { error: { message: expect.stringContaining('ENOSPC') as string, exit_code: 1 } }])
  })

  test('a full device for messages changes no exit code', async () => {
    expect(await inShell('sallyport runn 2> /dev/full')).toMatchObject({ code: 2 })
  })

  test('a reader that has left is no error', async () => {
    expect(await inShell('sallyport config | head -1')).toMatchObject({ code: 0, err: '' })
  })

  test('colours are for terminals, or where they are forced', async () => {
    expect((await inShell('sallyport run --help')).out).not.toContain('\u001b')
    expect((await inShell('FORCE_COLOR=1 sallyport run --help')).out).toContain('\u001b[1mExamples\u001b[22m')
    expect((await inShell('NO_COLOR=1 sallyport run --help')).out).not.toContain('\u001b')
  })
})
