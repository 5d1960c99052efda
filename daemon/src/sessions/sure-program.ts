/** Makes sure which program speaks on a connection, before a grant is judged by it or a user is asked about it. */
import type { Grants } from '../auth/grants/grants.ts'
import type { ProgramContents } from '../identity/content.ts'
import type { Session } from './session.ts'

export interface SureProgramParts {
  readonly grants: Pick<Grants, 'touchedAt' | 'settle'>
  readonly contents: ProgramContents
}

/**
 * The process must still run what it ran when it connected, and where it can be asked it must be the one that speaks. Otherwise the program is
 * unknown from here on. A file of which only ctime changed is read: with the same content it is the same program, and its grants say so.
 * `mustAnswer`: a peer that does not answer a PING counts as another; without it only our own bindings, which answer, are asked.
 */
export async function makeSure(caller: Session, { grants, contents }: SureProgramParts, mustAnswer = false): Promise<void> {
  const { channel, applicationId } = caller
  if (channel.peer.trust !== 'kernel') return
  const isAsked = mustAnswer || caller.contract !== undefined
  if (channel.peer.process?.isSame() === false || (isAsked && !(await channel.proveSender()))) return caller.doubt()
  const touched = grants.touchedAt(caller.program, applicationId)
  if (touched.length === 0) return
  await readContent(caller, contents)
  const { digest } = caller.program
  if (digest === undefined) return
  for (const grant of touched) if (grant.program.digest === digest) grants.settle(grant, caller.program)
}

/** Gives the program of a connection its digest, which a grant keeps and a question is known by. */
export async function readContent(caller: Session, contents: ProgramContents): Promise<void> {
  if (caller.program.digest !== undefined) return
  caller.contentIs(await contents.of(caller.channel.peer))
}
