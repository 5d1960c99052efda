/** Reads the frames that games and the running bridge exchange, without secrets, until a stop signal. */
import type { DataOf } from '@sallyport/protocol'
import type { Context } from './command.ts'
import { withBridgeOnData } from './daemon-client.ts'
import { asOperator } from './operator.ts'

export type InspectedFrames = DataOf<'INSPECT_FRAMES'>
export type InspectedFrame = InspectedFrames['frames'][number]

/** Below the time limit of a call. */
const WAIT_MS = 20_000
const CALL_MS = 30_000

interface FrameSelection {
  readonly application_id?: string
  readonly commands?: readonly string[]
  readonly direction?: 'in' | 'out'
}

/** The frames that the flags of the command select. */
export function selectionOf({ loaded: { settings, origins } }: Context): FrameSelection {
  const { application, cmd, direction } = settings
  return {
    ...(origins.application === 'default' ? {} : { application_id: application }),
    ...(cmd === undefined ? {} : { commands: cmd.map((name) => name.toUpperCase()) }),
    ...(direction === undefined ? {} : { direction }),
  }
}

/**
 * Calls `onFrames` with each batch, also with the one after the stop signal. `onStarted` is called once, when later frames are included.
 * Rejects with CommandFailure if no bridge runs on the data folder, or when it ends.
 */
export async function followFrames(
  context: Context,
  selection: FrameSelection,
  { onStarted, onFrames }: { readonly onStarted: () => void; readonly onFrames: (batch: InspectedFrames) => void },
): Promise<void> {
  const stopped = Promise.race([context.io.untilStopped(), context.io.untilUnread()])
  const stop = { isRequested: false }
  void stopped.then(() => {
    stop.isRequested = true
  })
  await withBridgeOnData(context, async (client) => {
    onFrames(await asOperator<InspectedFrames>(client, context, 'INSPECT_FRAMES', selection))
    onStarted()
    const read = async (waitMs: number) =>
      onFrames((await client.request('INSPECT_FRAMES', { wait_ms: waitMs }, { timeoutMs: CALL_MS })) as InspectedFrames)
    while (!stop.isRequested) await Promise.race([read(WAIT_MS), stopped])
    // Responses keep their order, so the interrupted read is over before this one.
    await read(0)
  })
}
