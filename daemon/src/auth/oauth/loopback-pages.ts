/** The pages that a browser sees at both ends of an authorization. They stand alone: no script, nothing loaded. */

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
  wrongState: page(400, 'This answer is not for this sign-in', 'Go back to the game and start signing in again.'),
  wrongBrowser: page(
    400,
    'This answer came from another browser',
    'Answer in the browser that opened the sign-in, and let it keep cookies. Or go back to the game and start signing in again.',
  ),
  openedTwice: page(
    410,
    'This address was used already',
    'To be safe, the sign-in was ended. Go back to the game and start signing in again.',
  ),
  anotherUser: page(403, 'This sign-in belongs to another user', 'Open it as the user of this computer who plays the game.'),
  incomplete: page(400, 'This answer is incomplete', 'Go back to the game and start signing in again.'),
  notFound: page(404, 'Nothing is here', 'This address serves one sign-in only.'),
  wrongMethod: page(405, 'Not possible', 'This address can only be opened.'),
} as const satisfies Record<string, Page>
