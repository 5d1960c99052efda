/** Pages that the browser shows during an authorization. They load nothing and run no script. */

export interface Page {
  readonly status: number
  readonly html: string
}

const page = (status: number, title: string, text: string): Page => ({
  status,
  html: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
  :root { color-scheme: light dark }
  body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto 0; padding: 0 1rem; text-align: center }
</style>
<h1>${title}</h1>
<p>${text}</p>
</html>
`,
})

export const PAGES = {
  allowed: page(200, 'You are signed in', 'You can close this page and go back to the game.'),
  denied: page(200, 'You are not signed in', 'Nothing was allowed. You can close this page and go back to the game.'),
  wrongState: page(400, 'This response is not for this sign-in', 'Go back to the game and start signing in again.'),
  wrongBrowser: page(
    400,
    'This response came from another browser',
    'Use the browser that opened the sign-in, and allow cookies. Or go back to the game and start signing in again.',
  ),
  openedTwice: page(
    410,
    'This address was already used',
    'The sign-in was cancelled for safety. Go back to the game and start signing in again.',
  ),
  anotherUser: page(403, 'This sign-in belongs to another user', 'Open it as the user of this computer who plays the game.'),
  incomplete: page(400, 'This response is incomplete', 'Go back to the game and start signing in again.'),
  notFound: page(404, 'Page not found', 'This address serves one sign-in only.'),
  wrongMethod: page(405, 'Method not allowed', 'This address accepts GET only.'),
} as const satisfies Record<string, Page>
