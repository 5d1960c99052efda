/** What every part of the page may use. */
import type { BridgeState } from '@sallyport/protocol'
import { createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { DaemonApi } from './daemon-api.ts'
import type { FigureHistory } from './figure-history.ts'
import type { Store } from './store.ts'
import type { TraceList } from './trace-list.ts'

interface Dashboard {
  readonly api: Pick<DaemonApi, 'call' | 'control' | 'followTraces' | 'image' | 'log' | 'protocol' | 'sandbox'>
  readonly act: Store['act']
  /** Whether the state is current, so that an action makes sense. */
  readonly isLive: boolean
  /** Milliseconds since the epoch. */
  readonly now: number
  /** When the state was received, in ms since the epoch. */
  readonly seenAt: number
  readonly applications: BridgeState['applications']
  readonly places: BridgeState['places']
  /** What the page of calls has received. Another page may be shown meanwhile. */
  readonly traces: TraceList
  readonly figures: FigureHistory
}

const Context = createContext<Dashboard | undefined>(undefined)
export const DashboardProvider = Context.Provider

export function useDashboard(): Dashboard {
  const dashboard = useContext(Context)
  if (dashboard === undefined) throw new Error('a part of the page is outside of the dashboard')
  return dashboard
}

const SETTLE_MS = 500

/**
 * False for a moment after the content changed. Buttons are disabled meanwhile, so that a click meant for what was there before does not hit
 * what came in its place.
 */
export function useSettled(content: string): boolean {
  const [settled, setSettled] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setSettled(content), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [content])
  return settled === content
}

type Application = BridgeState['applications'][number]

export interface NamedApplication {
  readonly name: string
  readonly icon: string | undefined
  /** Whether only a game says that this is its name. */
  readonly isClaimed: boolean
}

/** An application without a name of its own is called after its id by the platform. */
const isOwnName = ({ id, name }: Application): boolean => name !== undefined && name !== `Application ${id}`

export function useApplication(id: string): NamedApplication {
  const found = useDashboard().applications.find((application) => application.id === id)
  const { name, claimed_name: claimed, icon } = found ?? {}
  if (found !== undefined && name !== undefined && isOwnName(found)) return { name, icon, isClaimed: false }
  return { name: claimed ?? name ?? `Application ${id}`, icon, isClaimed: claimed !== undefined }
}
