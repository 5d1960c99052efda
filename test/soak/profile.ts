/** The profile file with which a daemon serves a sandbox of another process, as it serves a real platform. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SandboxReady } from './processes.ts'

/** Writes it into the folder; gives its path. */
export async function writeProfile(
  folder: string,
  name: string,
  { origin, apiBase, authorizeUrl, tokenUrl }: SandboxReady,
): Promise<string> {
  const host = new URL(origin).host
  const profile = {
    name,
    ipcPrefix: 'discord-ipc',
    baseUrl: apiBase,
    authorizeUrl,
    tokenUrl,
    revokeUrl: `${tokenUrl}/revoke`,
    gatewayUrl: `ws://${host}/gateway`,
    cdnHost: host,
    activityProxyHost: host,
    userAgent: `${name}-bot (test, 0)`,
    customSchemePrefix: name,
  }
  const file = join(folder, 'platform.json')
  await writeFile(file, JSON.stringify(profile))
  return file
}
