/** INSPECT_FRAMES and INSPECT_CALLS: frames and traces of calls of other connections, for the operator. */
import { BUDGETS } from '@sallyport/core/budgets'
import { BridgeError } from '@sallyport/core/errors'
import type { HandlerMap } from '../context.ts'
import type { CallRecords } from '../call-records.ts'
import type { FrameInspector } from '../frame-inspector.ts'
import { type OperatorDeps, requireOperator } from '../../operator/proof.ts'

export interface InspectionDeps extends OperatorDeps {
  readonly inspector: Pick<FrameInspector, 'start' | 'isInspecting' | 'read'>
  readonly calls: Pick<CallRecords, 'leaveOut' | 'watch' | 'find' | 'newest'>
}

const ONLY_KEPT = `It keeps the last ${BUDGETS.failedCalls.value} calls that failed, and other calls and events while an operator inspects or with --trace on.`

export const inspectionHandlers = ({ inspector, calls, redeemOperatorProof }: InspectionDeps) =>
  ({
    INSPECT_FRAMES: async (args, { session: { connection, deadlineMs } }) => {
      const { operator_proof: proof, application_id: applicationId, commands, direction, wait_ms: waitMs = 0 } = args
      if (proof !== undefined) {
        requireOperator(proof, redeemOperatorProof)
        await calls.watch(connection.id)
        inspector.start(connection.id, { applicationId, commands, direction })
      } else if (!inspector.isInspecting(connection.id)) {
        throw new BridgeError('INVALID_PERMISSIONS', 'This connection inspects no frames: call INSPECT_FRAMES with operator_proof first.')
      }
      return inspector.read(connection.id, Math.min(waitMs, deadlineMs), connection.maxPayloadBytes)
    },
    INSPECT_CALLS: async ({ operator_proof: proof, id, application_id: applicationId, all = false }, { session: { connection } }) => {
      requireOperator(proof, redeemOperatorProof)
      calls.leaveOut(connection.id)
      if (id === undefined) return calls.newest({ applicationId, all }, connection.maxPayloadBytes)
      const found = calls.find(id)
      if (found === undefined) throw new BridgeError('INVALID_PAYLOAD', `The bridge has kept no call ${id}. ${ONLY_KEPT}`, { path: 'id' })
      return found
    },
  }) satisfies Partial<HandlerMap>
