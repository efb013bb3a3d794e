import { Type } from '@sinclair/typebox'
import { Asker } from '#foundation/core/jobs/asker'
import { timerKind, type PayloadOf } from '#foundation/core/jobs/kinds'
import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import {
  appsOf,
  memberOf,
  pairById,
  pairOf,
  sideOf,
  type Member,
  type PairRow,
} from './find_pair.js'
import { nameOfSide } from './pair_names.js'
import { OTHER } from './pair_step.js'

/** The next step of a pair is due; the subject is its id. */
export const settleKind = timerKind(
  'pair.settle',
  Type.Object({ appIds: Type.Array(Type.String()) })
)

/** An entry for the timeline of the other release is due, under the lock of its app. */
export const reportKind = timerKind(
  'pair.report',
  Type.Object({
    appId: Type.String(),
    releaseId: Type.String(),
    type: Type.Union([
      Type.Literal('pair.joined'),
      Type.Literal('pair.parted'),
      Type.Literal('pair.takenOff'),
      Type.Literal('store.failed'),
    ]),
    title: Type.String(),
    by: Asker,
    /** Its automation took both off, and that came to nothing, or a person took its place. */
    turn: Type.Union([Type.Literal('failed'), Type.Literal('done'), Type.Null()]),
    /** Why it is asked for no more by a takeoff of both; null if that changes nothing. */
    stoppedFor: Type.Union([Type.String(), Type.Null()]),
  })
)

/** Has the pair of a release that was derived looked at, where it is in one. */
export async function lookAtPairOf(scope: Scope, release: { id: string }): Promise<void> {
  const row = await pairOf(scope, release)
  if (row) await lookAtPair(scope, row)
}

/** Has both releases of a pair looked at, under the locks of both apps. */
export const lookAtPair = (scope: Scope, row: PairRow) =>
  scope.jobs.plan(settleKind, { subject: row.id, payload: { appIds: appsOf(row) } })

/** The same while one of the apps is locked; its id comes first, and it is waited for. */
export async function settleAgain(scope: Scope, pairId: string, appIds: string[]): Promise<void> {
  if (await pairById(scope, pairId))
    await scope.jobs.plan(settleKind, { subject: pairId, payload: { appIds } })
}

/** Records an action of somebody in the timeline of the other release of a pair. */
export function reportOther(
  scope: Scope,
  { appId, releaseId }: Member,
  reported: Pick<PayloadOf<typeof reportKind>, 'type' | 'title'> & {
    turn?: 'failed' | 'done' | null
    stoppedFor?: string | null
  }
) {
  const payload = { appId, releaseId, by: scope.actor, turn: null, stoppedFor: null, ...reported }
  return scope.jobs.plan(reportKind, { subject: newId('report'), payload })
}

/**
 * Records the fate of one release in the timeline of the other one; does nothing without a pair.
 */
export async function reportPairOf(
  scope: Scope,
  release: { id: string },
  { type, reported }: { type: 'store.failed'; reported: (name: string) => string }
): Promise<void> {
  const row = await pairOf(scope, release)
  if (!row) return
  const side = sideOf(row, release)
  await reportOther(scope, memberOf(row, OTHER[side]), { type, title: reported(nameOfSide(side)) })
}
