/** Rules for commands and lists of commands that a schema cannot express. */
import { LIMITS } from '../limits.ts'
import { COMMAND_TYPE_RULES, COMMAND_TYPES, type CommandInput } from './application-command.ts'

type Command = Pick<CommandInput, 'name'> & Partial<CommandInput>
type Step = string | number

export interface CommandProblem {
  readonly path: readonly Step[]
  readonly message: string
}

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

export const commandType = ({ type }: Pick<Command, 'type'>): number => type ?? COMMAND_TYPES.chatInput

/** Whether a name can be typed: lower case, without spaces. */
const isTypable = (name: string): boolean => /^[-_'\p{L}\p{N}\p{M}]+$/u.test(name) && name === name.toLowerCase()

/** Returns the problems of one command. */
export function commandProblems(command: Command): CommandProblem[] {
  const type = commandType(command)
  const rule = COMMAND_TYPE_RULES[type]
  if (rule === undefined) return []
  const problems: CommandProblem[] = []
  if (type === COMMAND_TYPES.chatInput && !isTypable(command.name))
    problems.push({ path: ['name'], message: 'must be lower case and contain only letters, digits, - and _' })
  if (rule.isDescribed && !isGiven(command.description))
    problems.push({ path: ['description'], message: `is required for a ${rule.named} command` })
  if (!rule.isDescribed && isGiven(command.description))
    problems.push({ path: ['description'], message: `is not allowed on a ${rule.named} command` })
  if (!rule.hasOptions && isGiven(command.options))
    problems.push({ path: ['options'], message: `is not allowed on a ${rule.named} command` })
  if (type !== COMMAND_TYPES.primaryEntryPoint && isGiven(command.handler)) problems.push(HANDLER)
  return [...problems, ...listProblems(command, type)]
}

const HANDLER: CommandProblem = { path: ['handler'], message: 'is only allowed on a PRIMARY_ENTRY_POINT command (type 4)' }

const listProblems = (command: Command, type: number): CommandProblem[] => [
  ...doubles('contexts', command.contexts),
  ...doubles('integration_types', command.integration_types),
  ...(type === COMMAND_TYPES.chatInput ? optionProblems(command.options ?? [], ['options']) : []),
]

const doubles = (name: string, values: readonly number[] | null | undefined): CommandProblem[] =>
  new Set(values ?? []).size === (values ?? []).length ? [] : [{ path: [name], message: 'must not contain duplicates' }]

interface Option {
  readonly name: string
  readonly required?: boolean | null | undefined
  readonly autocomplete?: boolean | null | undefined
  readonly choices?: readonly unknown[] | null | undefined
  readonly options?: readonly Option[] | null | undefined
}

function optionProblems(options: readonly Option[], path: readonly Step[]): CommandProblem[] {
  const names = options.map(({ name }) => name)
  return options.flatMap((one, index) => {
    const at = [...path, index]
    const problems: CommandProblem[] = []
    if (!isTypable(one.name))
      problems.push({ path: [...at, 'name'], message: 'must be lower case and contain only letters, digits, - and _' })
    if (names.indexOf(one.name) < index) problems.push({ path: [...at, 'name'], message: 'is already the name of another option' })
    if (one.required === true && index > 0 && options[index - 1]?.required !== true)
      problems.push({ path: [...at, 'required'], message: 'must not follow an optional option' })
    if (one.autocomplete === true && isGiven(one.choices))
      problems.push({ path: [...at, 'choices'], message: 'is not allowed with autocomplete' })
    return [...problems, ...optionProblems(one.options ?? [], [...at, 'options'])]
  })
}

/** Returns the problems of the list of all global or guild commands of an application. */
export function commandListProblems(commands: readonly CommandInput[], place: 'global' | 'guild'): CommandProblem[] {
  const each = commands.flatMap((command, index) => {
    const own = commandProblems(command)
    const same = commands.findIndex((other) => other.name === command.name && commandType(other) === commandType(command))
    const twice = same < index ? [{ path: ['name'], message: 'is already the name of another command of the same type' }] : []
    return [...own, ...twice].map((problem) => ({ ...problem, path: [index, ...problem.path] }))
  })
  const tooMany = Object.entries(COMMAND_TYPE_RULES).flatMap(([type, { named, most }]) => {
    const count = commands.filter((command) => commandType(command) === Number(type)).length
    const limit = LIMITS[most].value
    return count > limit ? [{ path: [], message: `contains ${count} ${named} commands; at most ${limit} are allowed` }] : []
  })
  const misplaced =
    place === 'guild'
      ? commands.flatMap((command, index) => guildProblems(command).map((one) => ({ ...one, path: [index, ...one.path] })))
      : []
  return [...each, ...tooMany, ...misplaced]
}

/** Returns the problems of a command as a guild command. */
export const guildProblems = (command: Pick<Command, 'type'>): CommandProblem[] =>
  commandType(command) === COMMAND_TYPES.primaryEntryPoint
    ? [{ path: ['type'], message: 'cannot be 4 (PRIMARY_ENTRY_POINT) in a guild; entry points are global only' }]
    : []
