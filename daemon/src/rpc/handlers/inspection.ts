/** INSPECT_FRAMES: the frames of other connections, for the operator. */
import { BridgeError } from '@sallyport/core/errors'
import type { HandlerMap } from '../context.ts'
import type { FrameInspector } from '../frame-inspector.ts'
import { type OperatorDeps, requireOperator } from '../../operator/proof.ts'

export interface InspectionDeps extends OperatorDeps {
  readonly inspector: Pick<FrameInspector, 'start' | 'isInspecting' | 'read'>
}

export const inspectionHandlers = ({ inspector, redeemOperatorProof }: InspectionDeps) =>
  ({
    INSPECT_FRAMES: async (args, { session: { connection, deadlineMs } }) => {
      const { operator_proof: proof, application_id: applicationId, commands, direction, wait_ms: waitMs = 0 } = args
      if (proof !== undefined) {
        requireOperator(proof, redeemOperatorProof)
        inspector.start(connection.id, { applicationId, commands, direction })
      } else if (!inspector.isInspecting(connection.id)) {
        throw new BridgeError('INVALID_PERMISSIONS', 'This connection inspects no frames: call INSPECT_FRAMES with operator_proof first.')
      }
      return inspector.read(connection.id, Math.min(waitMs, deadlineMs), connection.maxPayloadBytes)
    },
  }) satisfies Partial<HandlerMap>
