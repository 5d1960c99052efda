/** Variables whose secrets this process has read: they are taken out of its environment, so that nothing can hand them on by accident. */
import { OPTION_KEYS, OPTIONS } from '../config/schema.ts'

const OF_SETTINGS = OPTION_KEYS.map((key) => OPTIONS[key])
  .filter(({ isSecret }) => isSecret)
  .map(({ env }) => env)
const OF_PROXIES = /^(?:https?|all)_proxy$/i
/** An address with a name, and so perhaps a password. */
const WITH_NAME = /@/

/** Call it once the settings are read. */
export function forgetSecrets(env: NodeJS.ProcessEnv): void {
  for (const [name, value = ''] of Object.entries(env))
    if (OF_SETTINGS.includes(name) || (OF_PROXIES.test(name) && WITH_NAME.test(value))) delete env[name]
}
