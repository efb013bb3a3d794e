import { hash } from 'node:crypto'
import { RETRIES } from '#foundation/jobs/retry'
import { onCommand } from '#foundation/jobs/handlers'
import { instantOf, type Instant } from '#foundation/core/clock'
import { jobs } from '#foundation/core/jobs/tables'
import { of, select } from '#foundation/core/database/statement'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { mendable, outcomeOfCall } from '#integrations/outcome_of_call'
import type { AppStore, StoreVersion, StoreVersionState } from '#plugin-kit/capabilities/stores'
import { ImportReleases } from '#releases/actions/import_releases'
import { releaseAt } from '#releases/queries/find_release'
import { parseVersion, type Version } from '#workflow/version'
import { seenVersion, type SeenVersion } from '../derive/seen.js'
import { nameOnTrack } from '../derive/version_names.js'
import type { Poll } from '../observations/observe_versions.js'
import { recordObservation } from '../observations/record_shown.js'
import { storeStepFacts } from '../observations/store_step_facts.js'
import { watch } from '../observations/watch_stores.js'
import { versionsOf } from '../queries/store_state.js'
import { storesOf, type StoreTarget } from '../queries/store_targets.js'
import { isForUsers, isOver } from '../reconciler/states.js'
import { askStore, everyPage, targetOf } from '../work/ask_store.js'
import { pastVersionsKind } from '../work_kinds.js'

/** States of versions that users have, or had. */
const PAST: StoreVersionState[] = ['live', 'replaced', 'rolledOutPartially', 'halted']

/**
 * Plans a job per store of an app that reads its past versions. Each store is read once per cause.
 * @param cause a new cause has them read again
 */
export async function requestStoreVersions(scope: Scope, appId: string, cause = ''): Promise<void> {
  for (const { integrationId, connectionId, bundleId } of await storesOf(scope, appId)) {
    const place = JSON.stringify([connectionId, bundleId, cause])
    await scope.jobs.command(pastVersionsKind, {
      subject: integrationId,
      idempotencyKey: `${integrationId} ${hash('sha256', place, 'base64url')}`,
      payload: { appId, integrationId, connectionId },
    })
  }
}

const READING = select(
  of(jobs, 'e', ['id']),
  `from jobs e join integrations i
     on i.organization_id = e.organization_id and i.id = e.subject
   where e.organization_id = :org and e.kind = '${pastVersionsKind.name}' and i.app_id = :appId
     and e.finished_at is null and e.created_at > :since limit 1`
)

/**
 * Returns whether a job that reads past versions of an app was planned after a time and has not
 * finished.
 */
export async function isReadingStores(
  scope: Scope,
  appId: string,
  since: Instant
): Promise<boolean> {
  return (await scope.rows(READING, { appId, since })).length > 0
}

/**
 * Reads the versions of a store that users have or had, and imports them with their shares. One
 * that is not with all users is imported, too: users have it, but no release steers its rollout.
 */
export const readPastVersions = onCommand(pastVersionsKind, {
  actor: 'app store',
  lease: 4 * MINUTE,
  retry: RETRIES.hours,
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async call(job, context) {
    const beganAt = context.scope.now
    const read = (store: AppStore) =>
      everyPage((cursor) => store.listVersions({ states: PAST }, cursor))
    return mendable(
      await outcomeOfCall(async (): Promise<Poll> => {
        return { beganAt, versions: await askStore(job, context, 'appStore', read) }
      })
    )
  },
  async storeResult(scope, { payload }, { beganAt, versions }: Poll) {
    const target = await targetOf(scope, payload)
    if (!target) return
    const past = onTrackOf(target, versions).flatMap((listed) => {
      const version = parseVersion(listed.version)
      return version && PAST.some((state) => state === listed.status.state)
        ? [{ version, listed, tag: null, releasedAt: releasedAt(listed, scope.now) }]
        : []
    })
    await new ImportReleases(scope).handle(payload.appId, past)
    let isPresent = false
    for (const { version, listed } of past) {
      const seen = seenVersion(listed, beganAt)
      if (await recordImported(scope, target, version, seen)) isPresent ||= !isOver(seen.state)
    }
    // The poll keeps the shares current, and ends by itself.
    if (isPresent) await watch(scope, target, 'versions')
  },
})

/** Returns the versions on the track of an app; those on the production track if none is. */
function onTrackOf({ track }: StoreTarget, versions: readonly StoreVersion[]): StoreVersion[] {
  const forUsers = versions.filter(isForUsers)
  const own = forUsers.filter((each) => nameOnTrack(each.track, '') === nameOnTrack(track, ''))
  return own.length > 0 ? own : forUsers.filter((each) => nameOnTrack(each.track, '') === '')
}

function releasedAt({ rollout, release }: StoreVersion, now: Instant): Instant | null {
  const at = instantOf(rollout?.startedAt ?? release?.at)
  return at !== null && at > now ? null : at
}

/**
 * Records what a store shows of an imported release, unless that is known.
 * @returns whether it was recorded
 */
async function recordImported(
  scope: Scope,
  target: StoreTarget,
  version: Version,
  seen: SeenVersion
): Promise<boolean> {
  const { appId, integrationId } = target
  const release = await releaseAt(scope, appId, version)
  if (!release?.imported) return false
  const rows = await versionsOf(scope, [release.id])
  if (rows.some((row) => row.integrationId === integrationId)) return false
  const name = nameOnTrack(seen.track, release.version)
  const decisions = { wanted: null, rollout: null, question: null }
  await recordObservation(scope, {
    release,
    holder: { version: name, appId, releaseId: release.id, integrationId, target },
    before: null,
    after: { version: name, ...decisions, seen, known: seen, past: [] },
  })
  if (!isOver(seen.state)) await storeStepFacts(scope, release)
  return true
}
