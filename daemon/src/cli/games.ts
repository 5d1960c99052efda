/** `sallyport games`: lists the games that the bridge knows; the verbs hide and block one, and choose where games are shown. */
import { type ArgsOf, type BridgeState, LIMITS } from '@sallyport/protocol'
import type { SallyportClient } from '@sallyport/client'
import { SettingsError } from '../config/settings-error.ts'
import { type GameAccess, type KnownGame, knownGames, placesText, placeText } from '@sallyport/core/known-games'
import { requirePerson } from './at-terminal.ts'
import type { Command, Context } from './command.ts'
import { withBridgeOnData } from './daemon-client.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { asOperator } from './operator.ts'
import { asTable } from './text.ts'

const ACCESS: Readonly<Record<GameAccess, string>> = {
  allowed: 'allowed',
  once: 'allowed once',
  'own-token': 'own token',
  blocked: 'blocked',
  'not-allowed': 'no grant',
}

/** In place of an id: every game. In place of a place: no choice. */
const ALL = 'all'
const DEFAULT = 'default'
const NO_CHOICE = 'the first desktop client that runs, else the account of the sign-in; and pages in a browser'

function shownText(
  { hidden, access, shown_on: shownOn, chosen_places: chosen }: KnownGame,
  { places, presence_paused: isPaused }: BridgeState,
): string {
  if (access === 'blocked') return '-'
  if (hidden !== undefined) return hidden === 'hidden' ? 'hidden' : 'hidden for now'
  if (isPaused) return 'paused'
  if (shownOn.length > 0) return placesText(shownOn, places)
  return chosen === undefined ? '-' : `only on ${placesText(chosen, places)}`
}

function list(state: BridgeState, { io, loaded }: Context): void {
  const games = knownGames(state)
  const { places, chosen_places: chosen, omitted } = state
  if (loaded.settings.json) return io.out(JSON.stringify({ games, places, ...(chosen === undefined ? {} : { chosen_places: chosen }) }))
  const rowOf = (game: KnownGame) => [
    game.id,
    game.name,
    game.program_name,
    game.running ? 'running' : '-',
    ACCESS[game.access],
    shownText(game, state),
    game.program,
  ]
  if (games.length === 0) io.out('No game is connected, and you have not chosen anything for one.')
  else io.out(asTable(['ID', 'GAME', 'PROGRAM', 'RUNS', 'ACCESS', 'SHOWN ON', 'PATH'], games.map(rowOf)))
  const left = (omitted.games ?? 0) + (omitted.grants ?? 0)
  if (left > 0) io.info(`${left} more are on the dashboard.`)
  io.out('')
  io.out(
    asTable(
      ['PLACE', 'WHAT IT IS'],
      places.map((place) => [place.id, placeText(place)]),
    ),
  )
  io.out(`Games are shown on: ${chosen === undefined ? NO_CHOICE : placesText(chosen, places)}.`)
}

type Operation = ArgsOf<'OPERATE_BRIDGE'>

interface Verb {
  readonly action: Operation['action']
  readonly done: (id: string) => string
  /** Gives a program something back, so a person must be there. */
  readonly isWidening?: true
  /** Which game it is for; the others have nothing that it changes. */
  readonly isFor?: (game: KnownGame) => boolean
}

const VERBS: Readonly<Record<string, Verb>> = {
  hide: { action: 'hide', done: (id) => `Hidden, always. Show it again with: sallyport games show ${id}` },
  'hide-now': { action: 'hide-now', done: () => 'Hidden until the game has left.' },
  show: { action: 'show', done: () => 'Shown again.' },
  block: { action: 'block', done: () => 'Blocked: the program gets nothing. See its id, and lift the block, with: sallyport games' },
  unblock: {
    action: 'revoke',
    done: () => 'The block is lifted. The program begins anew, without a grant.',
    isWidening: true,
    isFor: ({ access }) => access === 'blocked',
  },
}

const USAGE = `Use games to list the games, games ${Object.keys(VERBS).join('|')} ID, or games show-on ID PLACE...; the list has the ids and the places. The id all is every game, and the place default no choice.`

const noGame = (id: string): CommandFailure =>
  new CommandFailure(EXIT.refused, `There is no game ${id} for which that can be done. List the games with: sallyport games`)

async function operate(client: SallyportClient, context: Context, args: Operation): Promise<void> {
  const { done } = await asOperator<{ done: boolean }>(client, context, 'OPERATE_BRIDGE', args)
  if (!done) throw noGame(args.id ?? '')
}

const stateOf = (client: SallyportClient, context: Context): Promise<BridgeState> =>
  asOperator<BridgeState>(client, context, 'WATCH_BRIDGE', {})

function report(args: Operation, text: string, { io, loaded }: Context): void {
  io.out(loaded.settings.json ? JSON.stringify(args) : text)
}

async function runVerb(name: string, verb: Verb, id: string, context: Context): Promise<void> {
  const { action, done, isWidening, isFor } = verb
  if (isWidening) requirePerson(`games ${name}`, context)
  const args = { action, id } as const
  await withBridgeOnData(context, async (client) => {
    if (isFor !== undefined && !knownGames(await stateOf(client, context)).some((game) => game.id === id && isFor(game))) throw noGame(id)
    await operate(client, context, args)
  })
  report(args, done(id), context)
}

async function showOn(id: string, words: readonly string[], context: Context): Promise<void> {
  const isDefault = words.length === 1 && words[0] === DEFAULT
  const args: Operation = { action: 'choose-places', id, ...(isDefault ? {} : { places: [...words] }) }
  const places = await withBridgeOnData(context, async (client) => {
    await operate(client, context, args)
    return (await stateOf(client, context)).places
  })
  const what = id === ALL ? 'Every game without a choice of its own' : 'The game'
  const where = isDefault ? (id === ALL ? NO_CHOICE : 'what is chosen for every game') : placesText(words, places)
  report(args, `${what} is shown on: ${where}.`, context)
}

export const games: Command = {
  name: 'games',
  summary: 'List the games, hide or block one, or choose the desktop clients that show games.',
  usage: '[hide ID|hide-now ID|show ID|block ID|unblock ID|show-on ID PLACE...] [flags]',
  operands: { min: 0, max: 2 + LIMITS.places.value },
  flags: [...FIND_FLAGS, 'nonInteractive'],
  async run(context) {
    const [name, id, ...places] = context.operands
    const verb = name !== undefined && Object.hasOwn(VERBS, name) ? VERBS[name] : undefined
    if (name === undefined) list(await withBridgeOnData(context, (client) => stateOf(client, context)), context)
    else if (verb !== undefined && id !== undefined && places.length === 0) await runVerb(name, verb, id, context)
    else if (name === 'show-on' && id !== undefined && places.length > 0) await showOn(id, places, context)
    else throw new SettingsError(USAGE)
    return EXIT.ok
  },
}
