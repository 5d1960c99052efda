/** Deletes secrets from the environment of this process, so that child processes do not inherit them. */
import { OPTION_KEYS, OPTIONS } from '../config/schema.ts'

const SETTING_VARIABLES = OPTION_KEYS.map((key) => OPTIONS[key])
  .filter(({ isSecret }) => isSecret)
  .map(({ env }) => env)
const PROXY_VARIABLE = /^(?:https?|all)_proxy$/i
/** A URL with a user name, and possibly a password. */
const WITH_CREDENTIALS = /@/

/** Call this after the settings are loaded. */
export function clearSecrets(env: NodeJS.ProcessEnv): void {
  for (const [name, value = ''] of Object.entries(env))
    if (SETTING_VARIABLES.includes(name) || (PROXY_VARIABLE.test(name) && WITH_CREDENTIALS.test(value))) delete env[name]
}
