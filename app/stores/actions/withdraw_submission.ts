import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { stateOf } from '#releases/demand_allowed'
import { demandOpen } from '#releases/demand_open'
import { settle } from '#releases/lifecycle/settle'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/record_release_event'
import { carryStoreFacts } from '../carry_store_facts.js'
import type { StoreOfRelease } from '../queries/store_state.js'
import { wishVersion } from '../wish_store.js'
import { demandIdle, demandStores } from './demand_store.js'

const WITHDRAWABLE: readonly (string | undefined)[] = [
  'waitingForReview',
  'inReview',
  'pendingRelease',
]

/** Has a submission taken back from the store by a worker (developer-reject). */
export class WithdrawSubmission {
  constructor(private readonly scope: Scope) {}

  /**
   * @param stepRunId the run of a submission or review step whose stores alone are meant
   * @throws release_completed, release_skipped, integration_missing, withdrawal_unsupported,
   * store_busy, not_in_review; for a run not_found, step_type_mismatch, step_run_superseded
   */
  async handle(release: Release, stepRunId?: string): Promise<void> {
    const { scope } = this
    const types = ['submission', 'storeReview'] as const
    const run = stepRunId === undefined ? null : { stepRunId, types }
    const stores = await demandStores(scope, release, run)
    demandOpen(release)
    if (stores.every(({ target }) => target.storeType !== 'apple')) {
      throw refuse('withdrawal_unsupported', {
        detail: 'Google Play lets no submission be withdrawn.',
      })
    }
    demandIdle(release, stores)
    const reviewed = demandReviewed(release, stores)
    for (const { target } of reviewed) {
      await wishVersion(scope, release, target, 'withdrawn')
    }
    recordReleaseEvent(scope, release, {
      type: 'store.asked',
      title: `${release.version} is being withdrawn from review`,
      data: { what: 'withdrawn' },
      payload: null,
    })
    if (await carryStoreFacts(scope, release)) await settle(scope, release)
  }
}

function demandReviewed(release: Release, stores: readonly StoreOfRelease[]): StoreOfRelease[] {
  const reviewed = stores.filter(
    ({ target, version }) =>
      target.storeType === 'apple' && WITHDRAWABLE.includes(version?.known?.state)
  )
  if (reviewed.length > 0) return reviewed
  const raw = stores.find(({ version }) => version !== null)?.version?.seen.raw
  throw refuse('not_in_review', {
    detail: raw
      ? `The store says ${raw} of ${release.version}: there is no review to withdraw it from.`
      : `The store knows nothing of ${release.version}.`,
    ...stateOf(release),
  })
}
