/** The dashboard in the browser: shows what the daemon pushes while the page is visible, and sends what the user decides. */
import { render } from 'preact'
import { App } from './app.tsx'
import { DaemonApi } from './daemon-api.ts'
import { FigureHistory } from './figure-history.ts'
import { Store, type View } from './store.ts'
import { TabAccess } from './tab-access.ts'
import { TraceList } from './trace-list.ts'

const access = new TabAccess()
const api = new DaemonApi(access)
const traces = new TraceList()
const figures = new FigureHistory()
const root = document.getElementById('page')
const show = (view: View): void => {
  if (root !== null) render(<App view={view} store={store} api={api} traces={traces} figures={figures} />, root)
}
const store: Store = new Store(api, show)

const isVisible = (): boolean => document.visibilityState === 'visible'
document.addEventListener('visibilitychange', () => {
  if (isVisible()) void store.connect()
  else store.disconnect()
})
addEventListener('pagehide', () => access.keepForReload())
addEventListener('hashchange', () => {
  // The address of the dashboard, opened again in this tab, differs only in the fragment, so the browser does not load the page.
  if (access.takeNewCode()) void store.connect()
  store.turnPage()
})
if (isVisible()) void store.connect()
store.tick()
