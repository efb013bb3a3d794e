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

/** Takes the next step of a pair; the subject is its id. */
export const settleKind = timerKind(
  'pair.settle',
  Type.Object({ appIds: Type.Array(Type.String()) })
)

/** Adds an entry to the timeline of the other release, under the lock of its app. */
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
    /**
     * The result for the release's own automation that took off the pair: it failed, or a person
     * did it instead.
     */
    turn: Type.Union([Type.Literal('failed'), Type.Literal('done'), Type.Null()]),
    /**
     * Why the takeoff of the pair is no longer carried out in its stores; null if that does not
     * change.
     */
    stoppedFor: Type.Union([Type.String(), Type.Null()]),
  })
)

/** Plans a look at the pair of a release, if it is in one. */
export async function planPairCheckOf(scope: Scope, release: { id: string }): Promise<void> {
  const row = await pairOf(scope, release)
  if (row) await planPairCheck(scope, row)
}

/** Plans a look at a pair, under the locks of both apps. */
export const planPairCheck = (scope: Scope, row: PairRow) =>
  scope.jobs.plan(settleKind, { subject: row.id, payload: { appIds: appsOf(row) } })

/**
 * Plans another look at a pair while one of its apps is locked: that app comes first in `appIds`,
 * so that its lock is waited for.
 */
export async function settleAgain(scope: Scope, pairId: string, appIds: string[]): Promise<void> {
  if (await pairById(scope, pairId))
    await scope.jobs.plan(settleKind, { subject: pairId, payload: { appIds } })
}

/** Plans an entry about an action in the timeline of the other release of a pair. */
export function reportOther(
  scope: Scope,
  { appId, releaseId }: Member,
  entry: Pick<PayloadOf<typeof reportKind>, 'type' | 'title'> & {
    turn?: 'failed' | 'done' | null
    stoppedFor?: string | null
  }
) {
  const payload = { appId, releaseId, by: scope.actor, turn: null, stoppedFor: null, ...entry }
  return scope.jobs.plan(reportKind, { subject: newId('report'), payload })
}

/**
 * Reports what happened to a release in the timeline of the other one; does nothing without a pair.
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
