import { hash } from 'node:crypto'
import { RETRIES } from '#foundation/jobs/retry'
import { onCommand } from '#foundation/jobs/handlers'
import { instantOf, type Instant } from '#foundation/core/clock'
import { jobs } from '#foundation/core/jobs/tables'
import { of, select } from '#foundation/core/database/statement'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { mendable, outcomeOfCall } from '#integrations/outcome_of_call'
import type { StoreVersion, StoreVersionState } from '#plugin-kit/capabilities/stores'
import { ImportReleases, type PastVersion } from '#releases/actions/import_releases'
import { parseVersion } from '#workflow/version'
import { storesOf } from '../queries/store_targets.js'
import { isForUsers } from '../reconciler/states.js'
import { askStore, everyPage, targetOf } from '../work/ask_store.js'
import { pastVersionsKind } from '../work_kinds.js'

/** States of versions that all users have, or had. */
const PAST: StoreVersionState[] = ['live', 'replaced']

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

/** Reads the versions of a store that all users have or had, and imports them. */
export const readPastVersions = onCommand(pastVersionsKind, {
  actor: 'app store',
  lease: 4 * MINUTE,
  retry: RETRIES.hours,
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  call: async (job, context) =>
    mendable(
      await outcomeOfCall(() =>
        askStore(job, context, 'appStore', (store) =>
          everyPage((cursor) => store.listVersions({ states: PAST }, cursor))
        )
      )
    ),
  async storeResult(scope, { payload }, versions: StoreVersion[]) {
    if (!(await targetOf(scope, payload))) return
    const past = versions.flatMap((each) => pastVersion(each, scope.now))
    await new ImportReleases(scope).handle(payload.appId, past)
  },
})

function pastVersion(listed: StoreVersion, now: Instant): PastVersion[] {
  const version = parseVersion(listed.version)
  if (!version || !PAST.some((state) => state === listed.status.state) || !isForUsers(listed))
    return []
  const at = instantOf(listed.rollout?.startedAt ?? listed.release?.at)
  return [{ version, tag: null, releasedAt: at !== null && at > now ? null : at }]
}
