import { change, of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { findCi } from '../app_ci.js'
import { interestIn } from '../interests.js'
import { appBuildWatches } from '../tables.js'
import { discoverWantedKind } from '../work_kinds.js'

const WATCH = select(
  of(appBuildWatches, 'w'),
  'from app_build_watches w where w.organization_id = :org and w.app_id = :appId'
)
const SET = change(
  `insert into app_build_watches (app_id, organization_id, integration_id, since)
  values (:appId, :org, :integrationId, :now)
  on conflict (app_id) do update set integration_id = excluded.integration_id,
    since = excluded.since`
)
const FORGET = change(
  'delete from app_build_watches where organization_id = :org and app_id = :appId'
)

/**
 * Starts or stops polling the CI of an app, depending on whether an extension waits for its builds.
 * Called after every change that may affect that.
 */
export async function watchApp(scope: Scope, appId: string): Promise<void> {
  const [watched] = await scope.rows(WATCH, { appId })
  const ci = (await interestIn(scope, appId)) ? await findCi(scope, appId) : null
  if (ci === null) {
    if (watched) await forgetApp(scope, appId)
    return
  }
  const { id: integrationId, connectionId } = ci
  if (watched?.integrationId === integrationId) return
  await scope.change(SET, { appId, integrationId, now: scope.now })
  await scope.jobs.plan(discoverWantedKind, {
    subject: appId,
    payload: { appId, integrationId, connectionId, since: scope.now },
  })
}

/** Stops polling the CI of an app. */
export async function forgetApp(scope: Scope, appId: string): Promise<void> {
  await scope.jobs.cancel(discoverWantedKind, appId)
  await forgetWatch(scope, appId)
}

/** Deletes the record that the CI of an app is polled, so that polling may start again. */
export async function forgetWatch(scope: Scope, appId: string): Promise<void> {
  await scope.change(FORGET, { appId })
}
