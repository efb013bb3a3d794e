import type { Instant } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import type { OpenStore } from '../queries/store_record.js'
import type { Reconciled } from '../reconciler/reconcile.js'
import type { Lane } from '../reconciler/record.js'
import { reconcileKind, stopKind } from '../work_kinds.js'

/**
 * Plans when a worker next reconciles each lane of a store, and cancels what was planned before.
 * @param hasDecisions whether the store has decisions; without any, no job was planned
 */
export async function planLanes(
  scope: Scope,
  { id: storeId }: Pick<OpenStore, 'id'>,
  lanes: Reconciled['lanes'],
  hasDecisions: boolean
): Promise<void> {
  if (!hasDecisions) return
  for (const lane of ['stop', 'usual'] as const) {
    const next = lanes[lane]
    await planLane(scope, storeId, lane, next.do === 'wait' ? next.until : scope.now)
  }
}

/**
 * Plans when a worker next reconciles one lane of a store, and cancels what was planned before.
 * @param at null for never
 */
export async function planLane(
  scope: Scope,
  storeId: string,
  lane: Lane,
  at: Instant | null
): Promise<void> {
  const kind = lane === 'stop' ? stopKind : reconcileKind
  await scope.jobs.cancel(kind, storeId)
  if (at === null) return
  await scope.jobs.command(kind, {
    subject: storeId,
    at,
    payload: { storeId },
    ...(lane === 'stop' ? { isUrgent: true } : { entityKey: `store ${storeId}` }),
  })
}
