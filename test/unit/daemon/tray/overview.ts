/** Overviews for tests of the tray. */
import type { Overview } from '#daemon/src/tray/state.ts'

export const EMPTY_OVERVIEW: Overview = {
  version: '0.1.0',
  platform: 'sandbox',
  presence_paused: false,
  games: [],
  prompts: [],
  grants: [],
  omitted: 0,
  warnings: [],
}

export const GAME: Overview['games'][number] = {
  application_id: '42',
  application_name: 'Tide Pilot',
  program: '/games/tide',
  can_link: false,
}

export const PROMPT: Overview['prompts'][number] = {
  id: 'ab12',
  title: 'A program wants to sign in for a game.',
  lines: [
    { label: 'Application', text: 'Tide Pilot (42)' },
    { label: 'May do', text: 'identify' },
    { label: 'Program', text: '/games/tide' },
  ],
}

export const GRANT: Overview['grants'][number] = {
  id: 'g1',
  application_id: '42',
  application_name: 'Tide Pilot',
  username: 'mary',
  program: '/games/tide',
}
