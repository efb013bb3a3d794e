import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { demandOpen } from '#releases/demand_open'
import { settle } from '#releases/lifecycle/settle'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/record_release_event'
import { carryStoreFacts } from '../carry_store_facts.js'
import type { StoreOfRelease } from '../queries/store_state.js'
import { wishVersion } from '../wish_store.js'
import { demandIdle, demandStores } from './demand_store.js'

/** Has what a store approved released to users by a worker, or its rollout begun. */
export class TakeOff {
  constructor(private readonly scope: Scope) {}

  /**
   * What went out already stays as it is; repeating it changes nothing.
   * @param stepRunId the run of a takeoff step whose stores alone are meant
   * @returns in how many stores it is asked for
   * @throws release_completed, release_skipped, integration_missing, store_busy, not_approved; for
   * a run not_found, step_type_mismatch, step_run_superseded
   */
  async handle(release: Release, stepRunId?: string): Promise<number> {
    const { scope } = this
    const run = stepRunId === undefined ? null : { stepRunId, types: ['takeoff'] as const }
    const stores = await demandStores(scope, release, run)
    demandOpen(release)
    const open = stores.filter(
      ({ facts, plan }) =>
        !facts.takeoff.released &&
        !(plan?.wanted?.what === 'released' && plan.wanted.is === 'underWay')
    )
    if (open.length === 0) return 0
    demandIdle(release, open)
    const approved = demandApproved(release, open)
    for (const { target } of approved) {
      await wishVersion(scope, release, target, 'released')
    }
    recordReleaseEvent(scope, release, {
      type: 'store.asked',
      title: `${release.version} is being released to users`,
      data: { what: 'released' },
      payload: null,
    })
    if (await carryStoreFacts(scope, release)) await settle(scope, release)
    return approved.length
  }
}

function demandApproved(release: Release, stores: readonly StoreOfRelease[]): StoreOfRelease[] {
  const approved = stores.filter(({ facts }) => facts.takeoff.pending)
  if (approved.length > 0) return approved
  throw refuse('not_approved', {
    detail: `The store has not approved ${release.version}.`,
  })
}
