import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { decideInStore } from '../decisions/decide_in_store.js'
import { reviewedOf, standingIn } from '../decisions/possible.js'
import type { StoreOfRelease } from '../queries/store_state.js'
import { decideStage } from '../reconciler/decide.js'
import { requireIdle, requireStores } from './require_store.js'

/**
 * Decides to withdraw a submission from its store (developer-reject); a worker calls it. The
 * release may have ended: its version can be in review all the same.
 */
export class WithdrawSubmission {
  constructor(private readonly scope: Scope) {}

  /**
   * @param stepRunId only the stores of this run of a submission or review step
   * @throws integration_missing, store_busy, not_in_review; for a run not_found,
   * step_type_mismatch, step_run_superseded
   */
  async handle(release: Release, stepRunId?: string): Promise<void> {
    const { scope } = this
    const types = ['submission', 'storeReview'] as const
    const run = stepRunId === undefined ? null : { stepRunId, types }
    const stores = await requireStores(scope, release, run)
    await requireIdle(scope, release, stores)
    const reviewed = await requireReviewed(scope, release, stores)
    for (const { target } of reviewed) {
      await decideInStore(scope, release, target, (record, version) =>
        decideStage(record, version, { what: 'withdrawn', by: scope.actor, at: scope.now })
      )
    }
    recordReleaseEvent(scope, release, {
      type: 'store.asked',
      title: `${release.version} is being withdrawn from review`,
      data: { what: 'withdrawn' },
      payload: null,
    })
  }
}

async function requireReviewed(
  scope: Scope,
  release: Release,
  stores: readonly StoreOfRelease[]
): Promise<StoreOfRelease[]> {
  const reviewed = reviewedOf(stores)
  if (reviewed.length > 0) return reviewed
  const raw = stores.find(({ version }) => version !== null)?.version?.seen.raw
  throw refuse('not_in_review', {
    detail: raw
      ? `The store shows ${release.version} as ${raw}: there is no review to withdraw it from.`
      : `The store has no version ${release.version}.`,
    ...(await standingIn(scope, release, stores)),
  })
}
