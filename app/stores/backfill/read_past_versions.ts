import { RETRIES } from '#foundation/agenda/retry'
import { onWish } from '#foundation/agenda/handlers'
import type { Instant } from '#foundation/core/clock'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { outcomeOfCall } from '#integrations/outcome_of_call'
import type { StoreVersion } from '#plugin-kit/capabilities/stores'
import { ImportReleases, type PastVersion } from '#releases/actions/import_releases'
import { parseVersion } from '#workflow/version'
import { storesOf } from '../queries/store_targets.js'
import { isForUsers } from '../reconciler/states.js'
import { askStore, everyPage, targetOf } from '../work/ask_store.js'
import { pastVersionsKind } from '../work_kinds.js'

/** States of versions that all users have, or had. */
const PAST: StoreVersion['status']['state'][] = ['live', 'replaced']

/** Has past versions of an app read from each of its stores by a worker, once for a store. */
export async function wishStoreVersions(scope: Scope, appId: string): Promise<void> {
  for (const { integrationId, connectionId } of await storesOf(scope, appId)) {
    await scope.agenda.wish(pastVersionsKind, {
      subject: integrationId,
      idempotencyKey: integrationId,
      payload: { appId, integrationId, connectionId },
    })
  }
}

/** Reads the versions of a store that all users have or had, and imports them. */
export const readPastVersions = onWish(pastVersionsKind, {
  actor: 'app store',
  lease: 4 * MINUTE,
  retry: RETRIES.hours,
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  call: (entry, context) =>
    outcomeOfCall(() =>
      askStore(entry, context, 'appStore', (store) =>
        everyPage((cursor) => store.listVersions({ states: ['live', 'replaced'] }, cursor))
      )
    ),
  async answer(scope, { payload }, versions: StoreVersion[]) {
    if (!(await targetOf(scope, payload))) return
    const past = versions.flatMap((each) => pastVersion(each, scope.now))
    await new ImportReleases(scope).handle(payload.appId, past)
  },
})

function pastVersion(listed: StoreVersion, now: Instant): PastVersion[] {
  const version = parseVersion(listed.version)
  if (!version || !PAST.includes(listed.status.state) || !isForUsers(listed)) return []
  const time = Date.parse(listed.rollout?.startedAt ?? listed.release?.at ?? '')
  const at = Number.isNaN(time) ? null : new Date(time).toISOString()
  return [{ version, tag: null, releasedAt: at !== null && at > now ? null : at }]
}
