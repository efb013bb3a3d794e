import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { changePlan } from './change_plan.js'
import type { Wanted } from './tables.js'
import type { StoreTarget } from './queries/store_targets.js'
import { bringKind } from './work_kinds.js'

/** Has a worker bring a store to where a release wants it; changes of one store follow in order. */
export async function wishStore(
  scope: Scope,
  release: Pick<Release, 'id'>,
  target: StoreTarget,
  { what, isUrgent = false }: { what: Wanted['what'] | 'rollout'; isUrgent?: boolean }
): Promise<void> {
  const { appId, integrationId, connectionId } = target
  const at = scope.now
  await scope.agenda.wish(bringKind, {
    subject: release.id,
    ...(!isUrgent && { entityKey: `store ${integrationId}` }),
    idempotencyKey: `${release.id} ${integrationId} ${what} ${at}`,
    payload: { appId, integrationId, connectionId, what, at, askedBy: scope.actor, isUrgent },
  })
}

/** Wants something of the version in a store; a question about it is answered by that. */
export async function wishVersion(
  scope: Scope,
  release: Pick<Release, 'id'>,
  target: StoreTarget,
  what: Wanted['what']
): Promise<void> {
  const { actor: by, now: at } = scope
  const wanted: Wanted = { what, by, at, is: 'underWay', reason: null }
  await changePlan(scope, release.id, target, { wanted, question: null })
  await wishStore(scope, release, target, { what })
}
