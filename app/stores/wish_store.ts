import { later } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { changePlan } from './change_plan.js'
import type { Wanted } from './tables.js'
import type { StoreTarget } from './queries/store_targets.js'
import { bringKind, checkStopKind } from './work_kinds.js'

/** So long a store may take to confirm what is urgent before people are called. */
const CONFIRMED_WITHIN = 10 * 60_000

/** Has a worker bring a store to where a release wants it; changes of one store follow in order. */
export async function wishStore(
  scope: Scope,
  release: Pick<Release, 'id'>,
  target: StoreTarget,
  { what, isUrgent = false }: { what: Wanted['what'] | 'rollout'; isUrgent?: boolean }
): Promise<void> {
  const { appId, integrationId, connectionId } = target
  await scope.agenda.wish(bringKind, {
    subject: release.id,
    ...(isUrgent ? { isUrgent } : { entityKey: `store ${integrationId}` }),
    payload: {
      ...{ appId, integrationId, connectionId, what, isUrgent },
      ...{ at: scope.now, askedBy: scope.actor },
    },
  })
  if (!isUrgent) return
  await scope.agenda.plan(checkStopKind, {
    subject: `${release.id} ${integrationId}`,
    at: later(scope.now, CONFIRMED_WITHIN),
    payload: { appId, releaseId: release.id, integrationId, askedAt: scope.now },
  })
}

/**
 * Wants something of the version in a store; a question about it is answered by that.
 * @param saw what the store shows now, of what goes there once more
 */
export async function wishVersion(
  scope: Scope,
  release: Pick<Release, 'id'>,
  target: StoreTarget,
  what: Wanted['what'],
  saw?: string
): Promise<void> {
  const { actor: by, now: at } = scope
  const wanted: Wanted = { what, by, at, is: 'underWay', reason: null, ...(saw && { saw }) }
  await changePlan(scope, release.id, target, { wanted, question: null })
  await wishStore(scope, release, target, { what })
}
