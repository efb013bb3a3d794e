import { earlier, type Instant } from '#foundation/core/clock'
import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { addSighting, type Sightings } from '../derive/store_facts.js'
import type { SeenRollout, SeenVersion } from '../derive/seen.js'
import type { Holder } from '../queries/store_holders.js'
import type { VersionRow } from '../queries/store_state.js'
import { shownRollout, versionData } from '../queries/version_data.js'
import type { VersionRecord, WantedRollout } from '../reconciler/record.js'
import { isAtRest, isInReview, isReached, stops } from '../reconciler/states.js'
import { appStoreVersions } from '../tables.js'

/** A changed version in a store, for one of its releases. */
interface ChangedVersion {
  release: Release
  holder: Holder
  before: VersionRow | null
  after: VersionRecord
}

/** Stores an observed version, and records events about its changes. */
export async function recordObservation(
  scope: Scope,
  { release, holder, before, after }: ChangedVersion
): Promise<void> {
  const seen = after.seen!
  const { past } = after
  // The first observation determines the dates.
  const { known, submittedAt, approvedAt, releasedAt } = addSighting(
    before && backdated(before, seen.at),
    seen
  )
  const dates = { submittedAt, approvedAt, releasedAt }
  const values = { seen, known, past, isOver: isAtRest(after), ...dates, updatedAt: scope.now }
  if (before) {
    await scope.update(appStoreVersions, { id: before.id }, values)
    return record(scope, release, before, { ...before, ...values }, after)
  }
  if (holder.target === null) return
  const { appId, integrationId, destinationId, storeType } = holder.target
  const columns = { appId, integrationId, destinationId, storeType, releaseId: holder.releaseId }
  const row = { id: newId('sver'), ...columns, ...values, createdAt: scope.now }
  await scope.insert(appStoreVersions, [row])
  // The first observation of an imported version is not an event.
  if (release.imported) return
  record(scope, release, null, { ...row, organizationId: scope.organization.id }, after)
}

/**
 * Moves the times of a row before an observation. The order of the record counts, not the clocks.
 */
function backdated({ seen, known, ...dates }: VersionRow, at: Instant): Sightings {
  const before = <Seen extends SeenVersion>(each: Seen): Seen =>
    each.at < at ? each : { ...each, at: earlier(at, 1) }
  return { ...dates, seen: before(seen), known: known && before(known) }
}

function record(
  scope: Scope,
  release: Release,
  before: VersionRow | null,
  after: VersionRow,
  { rollout: decided }: VersionRecord
): void {
  const { version } = release
  const payload = (previousStatus: string | null) => async () => ({
    appStoreVersion: versionData(after),
    previousStatus,
  })
  const [from, to] = [before?.seen.raw ?? null, after.seen.raw]
  const reason = after.seen.rejection?.reason ?? null
  // A store may report the reason some time after the rejection.
  const hasNewReason = reason !== null && reason !== before?.seen.rejection?.reason
  if (from !== to || hasNewReason) {
    const isKnown = after.seen.state !== 'unknown'
    const moved = from === null || from === to ? to : `${from} → ${to}`
    const why = reason === null ? '' : ` (${reason})`
    recordReleaseEvent(scope, release, {
      type: 'appStoreVersion.statusUpdated',
      title: `${version} in the store: ${moved}${why}${isKnown ? '' : ', an unknown status'}`,
      data: { from, to, isKnown, destinationId: after.destinationId },
      payload: payload(from),
    })
  }
  const [was, is] = [before && shownRollout(before), shownRollout(after)]
  // Google Play keeps the rollout of a replaced version, so only the state shows the replacement.
  const isEnded = after.seen.state === 'replaced' && (is?.percentage ?? 100) < 100
  const isChanged = keyOf(was) !== keyOf(is) || (isEnded && before?.seen.state !== 'replaced')
  if (is !== null && is.state !== 'inactive' && isChanged) {
    recordReleaseEvent(scope, release, {
      type: 'appStoreVersion.phasedReleaseUpdated',
      title: isEnded
        ? `The rollout of ${version} ended at ${is.percentage} %: it was replaced`
        : `The rollout of ${version} is ${is.raw} at ${is.percentage} %${decidedBy(decided, is)}`,
      data: { from: was && pick(was), to: pick(is), destinationId: after.destinationId },
      payload: payload(was?.raw ?? null),
    })
  }
}

/** Returns the end of a title that names the person behind a stop; empty if there is none. */
function decidedBy(decided: WantedRollout | null, is: SeenRollout): string {
  if (decided === null || decided.status === 'done' || !stops(decided.to)) return ''
  const { by, why, to } = decided
  const isPerson = by.type === 'user' || by.type === 'apiKey'
  if (!isPerson || !isReached(to, is)) return ''
  return `, as ${by.name} decided${why === undefined ? '' : `: ${why}`}`
}

const pick = ({ raw, state, percentage, day }: SeenRollout) => ({
  state,
  raw,
  percentage,
  day,
})
const keyOf = (rollout: SeenRollout | null) => JSON.stringify(rollout && pick(rollout))

/** Returns whether a rejected version is in review again. */
export function isSubmittedAgain(
  before: SeenVersion | null | undefined,
  after: SeenVersion | null
): boolean {
  const wasRejected = before?.state === 'rejected' || before?.state === 'metadataRejected'
  const state = after?.state ?? 'unknown'
  return wasRejected && (isInReview(state) || state === 'pendingRelease')
}
