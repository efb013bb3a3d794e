import type { Scope } from '#foundation/core/scope'
import { settle } from '#releases/lifecycle/settle'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/record_release_event'
import { tellParts } from '#releases/tell_parts'
import { carryStoreFacts } from '../carry_store_facts.js'
import { changePlan } from '../change_plan.js'
import { storesOfRelease } from '../queries/store_state.js'

/** Has no store asked any more to release what it approved; a call may be on its way already. */
export async function stopTakeoffs(scope: Scope, release: Release, reason: string): Promise<void> {
  for (const { target, plan } of await storesOfRelease(scope, release)) {
    const wanted = plan?.wanted
    if (wanted?.what !== 'released' || wanted.is !== 'underWay') continue
    const stopped = { ...wanted, is: 'failed', reason, stoppedAt: scope.now } as const
    await changePlan(scope, release.id, target, { wanted: stopped })
    recordReleaseEvent(scope, release, {
      type: 'store.failed',
      title: `${release.version} is not released to users: ${reason}`,
      data: { what: 'released', reason },
      payload: null,
    })
    if (await carryStoreFacts(scope, release)) await settle(scope, release)
    if (wanted.by.type !== 'automation') continue
    await tellParts(scope, release, { action: 'release', result: 'failed', reason })
  }
}
