/** The same executable gives the same installers, byte for byte, in any folder and at any time. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TARGETS } from '#daemon/packaging/base-node.ts'
import { INSTALLERS } from '#daemon/packaging/installers/installers.ts'
import { missingPackages } from '#daemon/packaging/installers/tools.ts'
import { folders } from '../support/daemon.ts'
import { ROOT } from '../wine/wine.ts'

/** The unit of times in archives. */
const SECOND_MS = 1000

const cases = INSTALLERS.flatMap((installer) =>
  TARGETS.flatMap((target) => {
    const file = installer.fileFor(target, '1.2.3')
    return file === undefined ? [] : [{ file, installer, target }]
  }),
)

test.skipIf(process.platform !== 'linux').for(cases)('$file', async ({ file, installer, target }, context) => {
  const missing = await missingPackages(installer.tools)
  if (missing.length > 0) return context.skip(`A program is missing; install ${missing.join(' and ')}.`)
  const at = await folders()
  try {
    const executable = join(at.base, 'program')
    await writeFile(executable, '#!/bin/sh\necho a program\n')
    const made = async (name: string) => {
      const [scratch, output] = [join(at.base, name, 'scratch'), join(at.base, name, file)]
      await mkdir(scratch, { recursive: true })
      await installer.make({ root: ROOT, notices: [], version: '1.2.3', target, executable, output, scratch, time: 1_767_225_600 })
      return readFile(output)
    }
    const first = await made('a')
    const second = Math.floor(Date.now() / SECOND_MS)
    await expect.poll(() => Math.floor(Date.now() / SECOND_MS)).toBeGreaterThan(second)
    expect((await made('another folder')).equals(first)).toBe(true)
  } finally {
    await at.remove()
  }
})
