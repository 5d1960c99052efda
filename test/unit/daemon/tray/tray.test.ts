/** What the tray shows at its host, and what it does when the user chooses. */
import type { BridgeState } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import type { HostListener, Notice, NoticeAnswer, TrayView } from '#daemon/src/tray/host.ts'
import type { NumberedItem } from '#daemon/src/tray/numbered-menu.ts'
import type { TrayAction } from '#daemon/src/tray/state.ts'
import { Tray } from '#daemon/src/tray/tray.ts'
import { EMPTY_STATE, PROMPT, SAMPLE_STATE } from '#test/support/bridge-state.ts'

function start() {
  const views: TrayView[] = []
  const notices: (Notice | string)[] = []
  const done: TrayAction[] = []
  let listener: HostListener | undefined
  const tray = new Tray(
    (given) => {
      listener = given
      return {
        show: (view) => void views.push(view),
        notify: (notice) => void notices.push(notice),
        withdraw: (key) => void notices.push(key),
        close: async () => {},
      }
    },
    (action) => void done.push(action),
    () => {},
  )
  const show = (state: Partial<BridgeState>) =>
    tray.show({ kind: 'connected', bridge: { ...EMPTY_STATE, ...state } }, { names: ['sandbox'], set: 'sandbox' })
  const flat = (items: readonly NumberedItem[]): readonly NumberedItem[] =>
    items.flatMap((item) => [item, ...(item.isSeparator ? [] : flat(item.items))])
  const idOf = (label: string, view = views.at(-1)): number =>
    flat(view?.menu ?? []).find((item) => !item.isSeparator && item.label === label)?.id ?? -1
  return {
    show,
    views,
    notices,
    done,
    idOf,
    choose: (id: number) => listener?.onChoice(id),
    click: (key: string, answer: NoticeAnswer) => listener?.onNotice(key, answer),
    report: (problem: string) => tray.report(problem),
  }
}

test('a choice does what its item says', () => {
  const { show, done, idOf, choose } = start()
  show({ prompts: [PROMPT] })
  choose(idOf('Allow'))
  choose(idOf('Pause presence'))
  choose(idOf('Sallyport: 1 prompt waits for you'))
  expect(done).toEqual([
    { do: 'operate', action: 'allow', id: 'ab12' },
    { do: 'operate', action: 'pause-presence' },
  ])
})

test('a late click on a prompt that is gone answers no other one', () => {
  const { show, done, idOf, choose } = start()
  show({ prompts: [PROMPT] })
  const late = idOf('Allow')
  show({ prompts: [{ ...PROMPT, id: 'zz99' }] })
  choose(late)
  expect(done).toEqual([])
  choose(idOf('Allow'))
  expect(done).toEqual([{ do: 'operate', action: 'allow', id: 'zz99' }])
})

test('what did not change keeps its number, and every number is used once', () => {
  const { show, views, idOf } = start()
  show({})
  const [dashboard, quit] = [idOf('Open dashboard'), idOf('Quit tray')]
  show({ prompts: [PROMPT, { ...PROMPT, id: 'zz99' }], games: [] })
  expect([idOf('Open dashboard'), idOf('Quit tray')]).toEqual([dashboard, quit])
  const ids = JSON.stringify(views.at(-1)?.menu).match(/"id":\d+/g) ?? []
  expect(ids.length).toBeGreaterThan(15)
  expect(new Set(ids).size).toBe(ids.length)
})

test('each prompt is notified once, and withdrawn when it is answered or the bridge ends', () => {
  const { show, notices, done, click } = start()
  show({ prompts: [PROMPT] })
  show({ prompts: [PROMPT], presence_paused: true })
  expect(notices).toMatchObject([
    {
      key: 'ab12',
      title: 'A program wants to sign in for a game.',
      body: 'Application: Tide Pilot (42)\nMay do: identify\nProgram: /games/tide',
    },
  ])
  click('ab12', 'open')
  click('ab12', 'allow')
  click('zz99', 'deny')
  expect(done).toEqual([{ do: 'open-dashboard' }, { do: 'operate', action: 'allow', id: 'ab12' }])
  show({})
  expect(notices.slice(1)).toEqual(['ab12'])
  click('ab12', 'allow')
  expect(done).toHaveLength(2)
})

test('what cannot be answered in a notification is not, also if the host says so', () => {
  const { show, done, click } = start()
  show({ prompts: [{ ...PROMPT, kind: 'bot' }] })
  click('ab12', 'allow')
  click('ab12', 'deny')
  expect(done).toEqual([])
})

test('a page for which there is no browser is notified, and opened by a click or in the menu', () => {
  const { show, notices, done, click, choose, idOf } = start()
  const [page] = SAMPLE_STATE.pages
  show({ pages: page === undefined ? [] : [page] })
  expect(notices).toMatchObject([{ body: expect.stringContaining('https://platform.test/oauth2/authorize') as string }])
  click('https://platform.test/oauth2/authorize', 'open')
  choose(idOf('Open page'))
  const open = { do: 'open-page', url: 'https://platform.test/oauth2/authorize' }
  expect(done).toEqual([open, open])
})

test('what could not be done is said in a notification', () => {
  const { report, notices } = start()
  report('No browser could be started.')
  expect(notices).toMatchObject(['problem', { key: 'problem', body: 'No browser could be started.', isAnswerable: false }])
})

test('a prompt of the sample state is notified', () => {
  const { show, notices } = start()
  show(SAMPLE_STATE)
  expect(notices).toMatchObject([{ key: 'ab12', title: PROMPT.title }, { key: 'https://platform.test/oauth2/authorize' }])
})
