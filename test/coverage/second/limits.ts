/** Second dimension of sections 8 and 9. */
import { edit, type Seconds } from './edit.ts'
import { EMOJI_OF_ALL } from './records.ts'
import { LIMIT_IGNORED, THRESHOLD } from './rules.ts'

const API = 'daemon/sandbox/src/api'
const REQUESTS = 'daemon/src/events/providers/gateway/requests.ts'
const URLS = 'protocol/src/activity-urls.ts'

export const LIMITS: Seconds = {
  '8-1': [
    edit('guild', REQUESTS, '`${identity.applicationId}:${guildId}`', 'identity.applicationId'),
    edit('user', REQUESTS, '`${identity.applicationId}:${guildId}`', 'guildId'),
    LIMIT_IGNORED,
  ],
  '8-2': 'elsewhere',
  '8-3': 'elsewhere',
  '8-4': 'elsewhere',
  '8-5': 'elsewhere',
  '8-6': 'value',
  '8-7': 'value',
  '8-8': 'elsewhere',
  '8-9': 'day',
  '8-10': 'elsewhere',
  '8-11': 'elsewhere',
  '8-12': [edit('argument', 'protocol/src/records/components.ts', 'sum + 1 + componentCount(inner) + ', 'sum + 1 + ')],
  '8-13': 'elsewhere',
  '8-14': [edit('argument', `${API}/application-commands.ts`, 'others.filter((one) => one.type === type).length', 'others.length')],
  '8-15': [
    edit(
      'guild',
      'protocol/src/records/command-rules.ts',
      'commandType(command) === COMMAND_TYPES.primaryEntryPoint',
      "command.type === ''",
    ),
  ],
  '8-16': [EMOJI_OF_ALL],
  '8-17': 'elsewhere',
  '8-18': 'value',
  '8-19': [THRESHOLD],
  '8-20': 'elsewhere',
  '8-21': 'elsewhere',

  '9.1-1': 'value',
  '9.1-2': 'value',
  '9.1-3': 'value',
  '9.1-4': 'value',
  '9.1-7': 'client',
  '9.1-8': 'client',
  '9.1-9': 'value',
  '9.1-12': 'release',
  '9.1-13': 'release',
  '9.1-14': 'release',
  '9.1-15': 'release',
  '9.1-16': [
    edit(
      'limit',
      'daemon/core/src/pino-logger.ts',
      "LEVELS = ['debug', 'info', 'warn', 'error']",
      "LEVELS = ['debug', 'warn', 'info', 'error']",
    ),
  ],
  '9.1-17': 'elsewhere',
  '9.1-18': 'release',
  '9.1-19': 'release',
  '9.1-20': 'release',
  '9.1-22': 'release',
  '9.1-23': 'release',
  '9.1-24': [
    edit('time', 'daemon/src/events/messages/stored-history.ts', 'now - fetched.readAt >= BUDGETS.userMessagesCacheMs.value || ', ''),
  ],
  '9.1-25': 'release',
  '9.1-26': 'release',
  '9.1-27': 'release',
  '9.1-28': 'release',
  '9.1-31': 'release',
  '9.1-32': 'release',
  '9.1-33': 'release',
  '9.1-34': 'release',
  '9.1-37': 'release',
  '9.1-38': 'release',
  '9.1-42': [
    edit(
      'scope',
      'protocol/src/endpoints/headless-sessions.ts',
      "path: '/users/@me/headless-sessions',",
      "path: '/users/@me/headless-sessions/',",
    ),
  ],

  '9.2-1': 'day',
  '9.2-2': 'day',
  '9.2-3': [edit('argument', `${API}/pins.ts`, "? 'PIN_MESSAGES' : 'MANAGE_MESSAGES'", "? 'MANAGE_MESSAGES' : 'MANAGE_MESSAGES'")],
  '9.2-4': 'day',
  '9.2-5': [edit('user', `${API}/slowmode.ts`, 'findLast(({ authorId }) => authorId === caller.id)', 'findLast(() => true)')],
  '9.2-6': [
    edit(
      'argument',
      `${API}/slowmode.ts`,
      "['MANAGE_CHANNELS', 'MANAGE_MESSAGES', 'MANAGE_THREADS']",
      "['MANAGE_CHANNELS', 'MANAGE_MESSAGES']",
    ),
  ],
  '9.2-7': [
    edit('user', `${API}/soundboard.ts`, "!(isOwn && holds(bits, 'CREATE_GUILD_EXPRESSIONS'))", "!holds(bits, 'CREATE_GUILD_EXPRESSIONS')"),
  ],
  '9.2-8': 'day',
  '9.2-9': 'day',
  '9.2-10': 'day',
  '9.2-11': 'day',
  '9.2-12': 'day',
  '9.2-13': 'day',
  '9.2-14': 'value',
  '9.2-15': 'value',
  '9.2-16': 'value',
  '9.2-17': 'value',
  '9.2-18': [edit('argument', URLS, 'path.startsWith(`${PROXY_PREFIX}/`)', 'path.startsWith(PROXY_PREFIX)')],
  '9.2-19': [edit('user', URLS, 'applicationId !== undefined && activityOrigin', "applicationId === '' && activityOrigin")],
  '9.2-20': 'elsewhere',
  '9.2-21': [edit('argument', URLS, 'return Number(major) < PREFIXLESS_SINCE.major', 'return false')],
}
