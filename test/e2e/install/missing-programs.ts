/** Whether the programs of a test are installed. */
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** `programs`: each with the Debian package that has it. A sentence for the reason to skip a test; undefined if all are there. */
export async function missingPrograms(programs: Readonly<Record<string, string>>): Promise<string | undefined> {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin']
  const packages: string[] = []
  for (const [program, from] of Object.entries(programs)) {
    const tries = await Promise.allSettled(folders.map((folder) => access(join(folder, program), constants.X_OK)))
    if (!tries.some(({ status }) => status === 'fulfilled')) packages.push(from)
  }
  return packages.length === 0 ? undefined : `A program is missing; install the packages ${packages.join(' and ')}.`
}
