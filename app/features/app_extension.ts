import type { AppExtension } from '#apps/extensions'
import { change } from '#foundation/core/database/statement'
import { forEachOpenRelease } from '#releases/lifecycle/open_releases'
import { watchFlags } from './flags/watch_flags.js'
import { pollNow, watchFeatures } from './work/watch.js'

/** The settings that decide what is polled, and how. */
const FEATURE_SETTINGS =
  /^(integrations|branchSettings|tagSettings|featureAffiliations|appSettings|stepGroups)\b/

const LONG_AGO = '1970-01-01T00:00:00.000Z'
const EXPIRE_TICKETS = change(
  `update tracker_tickets set seen_at = :longAgo where organization_id = :org and app_id = :appId`
)

/** Extends apps by features: a change of these settings has open releases polled again. */
export const appExtension: AppExtension = {
  async adopt(scope, app, { changes }) {
    if (!changes.some(({ path }) => FEATURE_SETTINGS.test(path))) return
    await forEachOpenRelease(scope, app.id, async (release) => {
      await watchFeatures(scope, release)
      await watchFlags(scope, release)
    })
    // The statuses that count as done may have changed, so tickets seen before are read again.
    await scope.change(EXPIRE_TICKETS, { appId: app.id, longAgo: LONG_AGO })
    await pollNow(scope, app.id, 'versionControl')
    await pollNow(scope, app.id, 'issueTracking')
  },
}
