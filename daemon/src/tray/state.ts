/** What the tray knows of the bridge, and what its user can do. */
import type { ArgsOf, BridgeState } from '@sallyport/protocol'

export type TrayState =
  /** No bridge runs on the data folder. */
  | { readonly kind: 'absent' }
  /** Its ports are open; it loads when the first game connects, so there is nothing to show. */
  | { readonly kind: 'resting' }
  | { readonly kind: 'connected'; readonly bridge: BridgeState }

/** Pages that the user must open, because the daemon found no browser. */
export const pagesToOpen = ({ pages }: Pick<BridgeState, 'pages'>): readonly BridgeState['pages'][number][] =>
  pages.filter(({ browser }) => browser === 'missing')

/** The platforms that the user can choose, and the one of the settings. */
export interface PlatformChoice {
  readonly names: readonly string[]
  readonly set: string
}

type Operation = ArgsOf<'OPERATE_BRIDGE'>['action']

export type TrayAction =
  /** An action of the operator. */
  | { readonly do: 'operate'; readonly action: Operation; readonly id?: string; readonly places?: readonly string[] }
  | { readonly do: 'start-bridge' }
  /** Names the platform in the settings file, and starts the bridge again. */
  | { readonly do: 'set-platform'; readonly platform: string }
  | { readonly do: 'open-dashboard' }
  /** An address of the daemon, which leads to a page of the platform. */
  | { readonly do: 'open-page'; readonly url: string }
  | { readonly do: 'show-log' }
  /** Ends the tray; the bridge goes on. */
  | { readonly do: 'quit' }
