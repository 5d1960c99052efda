/** What a sign-in of the command line waits for, in words. */
import { expect, test } from 'vitest'
import { waitsFor } from '#daemon/src/cli/sign-in-steps.ts'
import { PROMPT } from '#test/support/bridge-state.ts'

const PAGE = { url: 'http://127.0.0.1:5/go/x', lines: [], opened_at: 0, pid: 77 }

test('a prompt of this process is named with every way to answer it', () => {
  const prompts = [{ ...PROMPT, pid: 77 }, { ...PROMPT, id: 'zz99', pid: 78 }, PROMPT]
  expect(waitsFor({ prompts, pages: [] }, 77)).toEqual([
    'Waiting for your permission. Allow prompt ab12 in the tray, in the notification, or on the dashboard (sallyport open), or in another terminal: sallyport prompts allow ab12',
  ])
})

test.each([
  ['starting', 'Waiting for you in the browser. If none has opened, go to http://127.0.0.1:5/go/x'],
  ['started', 'Waiting for you in the browser. If none has opened, go to http://127.0.0.1:5/go/x'],
  ['missing', 'No browser could be started. Go on in a browser of this machine at http://127.0.0.1:5/go/x'],
] as const)('a page whose browser is %s', (browser, text) => {
  expect(
    waitsFor(
      {
        prompts: [],
        pages: [
          { ...PAGE, browser },
          { ...PAGE, pid: 78, browser },
        ],
      },
      77,
    ),
  ).toEqual([text])
})
