import type { Scope } from '#foundation/core/scope'
import { newId } from '#foundation/core/ids'
import { releaseOfVersion } from '#builds/queries/match_release'
import { settle } from '#releases/lifecycle/settle'
import type Release from '#releases/models/release'
import { releaseById } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/record_release_event'
import { normalVersion, parseVersion } from '#workflow/version'
import type { StoreVersion } from '#plugin-kit/capabilities/stores'
import { carryStoreFacts } from '../carry_store_facts.js'
import { planOf } from '../change_plan.js'
import { isLagging } from '../derive/lagging.js'
import { seenVersion, type SeenRollout } from '../derive/seen.js'
import { addSighting } from '../derive/store_facts.js'
import { adoptSeen } from '../adopt_seen.js'
import type { StoreTarget } from '../queries/store_targets.js'
import { versionData } from '../queries/version_data.js'
import { versionsOf, type VersionRow } from '../queries/store_state.js'
import { appStoreVersions } from '../tables.js'

const REJECTED: readonly (string | undefined)[] = ['rejected', 'metadataRejected']
const SUBMITTED: readonly (string | undefined)[] = [
  'waitingForReview',
  'inReview',
  'pendingRelease',
]

/**
 * Takes in what a store shows of a version. Late, repeated and reordered looks end in the same
 * state; a state that nobody knows is shown, and changes nothing.
 */
export class RecordStoreVersion {
  constructor(private readonly scope: Scope) {}

  /**
   * @param isAnswer whether the store says it in answer to a change, and not in a list
   * @returns whether anything differs but the time of the look
   */
  async handle(target: StoreTarget, told: StoreVersion, isAnswer = false): Promise<boolean> {
    const { scope } = this
    // As every write to the app does first.
    await scope.lock('apps', target.appId)
    const releaseId = await releaseIdOf(scope, target, told)
    if (releaseId === null) return false
    const release = await releaseById(scope, target.appId, releaseId)
    const versions = await versionsOf(scope, [releaseId])
    const before = versions.find((row) => row.integrationId === target.integrationId) ?? null
    if (before && !isAnswer && (await this.#lags(target, before, told))) return false
    const after = await this.#store(target, releaseId, before, told)
    const isNew = before === null
    if (!isNew && !differ(before, after)) return false
    this.#tell(release, before, after)
    await adoptSeen(scope, release, target, { before, after })
    const isResubmitted =
      REJECTED.includes(before?.known?.state) &&
      SUBMITTED.includes(after.known?.state) &&
      release.submittedAt !== null
    if (await carryStoreFacts(scope, release, isResubmitted)) await settle(scope, release)
    return true
  }

  async #lags(target: StoreTarget, before: VersionRow, told: StoreVersion): Promise<boolean> {
    const plan = await planOf(this.scope, before.releaseId, target.integrationId)
    return plan !== null && isLagging(plan, before.known, seenVersion(told, this.scope.now))
  }

  async #store(
    target: StoreTarget,
    releaseId: string,
    before: VersionRow | null,
    told: StoreVersion
  ): Promise<VersionRow> {
    const { scope } = this
    const sightings = addSighting(before, seenVersion(told, scope.now))
    if (before) {
      const values = { ...sightings, updatedAt: scope.now }
      await scope.update(appStoreVersions, { id: before.id }, values)
      return { ...before, ...values }
    }
    const { appId, integrationId, destinationId, storeType } = target
    const row = {
      id: newId('sver'),
      appId,
      integrationId,
      destinationId,
      releaseId,
      storeType,
      ...sightings,
      createdAt: scope.now,
      updatedAt: scope.now,
    }
    await scope.insert(appStoreVersions, [row])
    return { ...row, organizationId: scope.organization.id }
  }

  #tell(release: Release, before: VersionRow | null, after: VersionRow): void {
    const { scope } = this
    const { version } = release
    const payload = (previousStatus: string | null) => async () => ({
      appStoreVersion: versionData(after),
      previousStatus,
    })
    const [from, to] = [before?.seen.raw ?? null, after.seen.raw]
    if (from !== to) {
      const isKnown = after.seen.state !== 'unknown'
      recordReleaseEvent(scope, release, {
        type: 'appStoreVersion.statusUpdated',
        title: `${version} in the store: ${from === null ? to : `${from} → ${to}`}${isKnown ? '' : ', which is not known here'}`,
        data: { from, to, isKnown, destinationId: after.destinationId },
        payload: payload(from),
      })
    }
    const [was, is] = [before?.seen.rollout ?? null, after.seen.rollout]
    if (is !== null && is.state !== 'inactive' && shown(was) !== shown(is)) {
      recordReleaseEvent(scope, release, {
        type: 'appStoreVersion.phasedReleaseUpdated',
        title: `The rollout of ${version} is ${is.raw} at ${is.percentage} %`,
        data: { from: was && pick(was), to: pick(is), destinationId: after.destinationId },
        payload: payload(was?.raw ?? null),
      })
    }
  }
}

const pick = ({ raw, percentage, day }: SeenRollout) => ({ state: raw, percentage, day })
const shown = (rollout: SeenRollout | null) => JSON.stringify(rollout && pick(rollout))

/** Whether two states of a version differ in more than the time of the look. */
function differ(before: VersionRow, after: VersionRow): boolean {
  const timeless = ({ seen, known, submittedAt, approvedAt, releasedAt }: VersionRow) =>
    JSON.stringify([
      { ...seen, at: '' },
      known && { ...known, at: '' },
      submittedAt,
      approvedAt,
      releasedAt,
    ])
  return timeless(before) !== timeless(after)
}

/** The release a version in a store is of; null for one that is none of ours, or not for users. */
async function releaseIdOf(
  scope: Scope,
  { appId }: StoreTarget,
  { version, track }: StoreVersion
): Promise<string | null> {
  // Form factors have a production track of their own: `wear:production`.
  if (track !== undefined && track !== 'production' && !track.endsWith(':production')) return null
  const parts = parseVersion(version)
  return parts && (await releaseOfVersion(scope, appId, normalVersion(parts))).releaseId
}
