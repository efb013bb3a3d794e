import { of, select } from '#foundation/core/database/statement'
import { events } from '#foundation/core/events/tables'
import type { Scope } from '#foundation/core/scope'
import type { Stalled } from '#releases/extensions'
import type { ReleaseRow } from '#releases/queries/read_release'
import { isInReview } from '../reconciler/states.js'
import { storesOfRelease } from './store_state.js'

const RESTARTED = select(
  of(events, 'e', ['title', 'occurredAt']),
  `from events e where e.organization_id = :org and e.release_id = :releaseId
    and e.type = 'store.reviewRestarted' order by e.position desc limit 1`
)

/**
 * Returns reviews of a release that people should know about: they began again, or could not be
 * withdrawn.
 */
export async function stalledInStores(scope: Scope, release: ReleaseRow): Promise<Stalled[]> {
  const { id: releaseId, publicId: id, version: name } = release
  const subject = { type: 'release', id, name }
  const stalled: Stalled[] = []
  const stores = await storesOfRelease(scope, release)
  const reviewed = stores.filter(({ version }) => isInReview(version?.known?.state ?? 'unknown'))
  const [restarted] = reviewed.length > 0 ? await scope.rows(RESTARTED, { releaseId }) : []
  const since = reviewed.flatMap(({ facts }) => facts.dates.submittedAt ?? []).sort()[0] ?? ''
  if (restarted && restarted.occurredAt >= since) {
    const message = `${restarted.title}.`
    stalled.push({ code: 'review_restarted', message, subject, who: [{ type: 'store' }] })
  }
  for (const { plan } of reviewed) {
    const { what, status, reason } = plan?.wanted ?? {}
    if (what !== 'withdrawn' || status !== 'failed') continue
    const message = `${name} could not be withdrawn from review: ${reason}. Withdraw it again, or do it in the console of the store.`
    stalled.push({ code: 'withdrawal_failed', message, subject, who: [{ type: 'releasePilot' }] })
  }
  return stalled
}
