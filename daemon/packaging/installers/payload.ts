/** The files of an installer, laid out in a folder with fixed times and modes, so that the same input gives the same archive. */
import { copyFile, lutimes, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { chmodSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { INSTALLED_PLATFORM, PACKAGE_FILE } from '../../core/src/platform-names.ts'

export type PayloadFile = {
  /** Below the root of the installer, with slashes. */
  readonly path: string
  readonly isProgram?: true
} & ({ readonly text: string | Buffer } | { readonly from: string } | { readonly link: string })

/** Says to the program that a package installed it, and which platform it then runs. `folder`: empty, or with a slash at its end. */
export const packageFile = (folder: string): PayloadFile => ({
  path: `${folder}${PACKAGE_FILE}`,
  text: `${JSON.stringify({ platform: INSTALLED_PLATFORM })}\n`,
})

const MODE = { file: 0o644, program: 0o755, folder: 0o755 } as const

/** Lays the files out in an empty folder. `time`: seconds since the epoch, for every file and folder. */
export async function layOut(folder: string, files: readonly PayloadFile[], time: number): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const file of files) {
    const path = join(folder, file.path)
    await mkdir(dirname(path), { recursive: true })
    if ('link' in file) await symlink(file.link, path)
    else {
      if ('from' in file) await copyFile(file.from, path)
      else await writeFile(path, file.text)
      chmodSync(path, file.isProgram === true ? MODE.program : MODE.file)
    }
  }
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), MODE.folder)
  chmodSync(folder, MODE.folder)
  for (const entry of entries) await lutimes(join(entry.parentPath, entry.name), time, time)
  await lutimes(folder, time, time)
}
