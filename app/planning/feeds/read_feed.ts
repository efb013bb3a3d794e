import { appSummary } from '#apps/queries/app_summary'
import { titleOfApp } from '#apps/vocabulary'
import { earlier, later } from '#foundation/core/clock'
import { of, select } from '#foundation/core/database/statement'
import { DAY } from '#foundation/core/durations'
import { unrestricted } from '#foundation/core/principal'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { selects, unitOfWork } from '#foundation/core/services'
import { isActivePerson, peopleOf, personName } from '#organizations/queries/people'
import { tenants } from '#organizations/queries/find_tenants'
import { pageUrl } from '#releases/page_addresses'
import { appPlan } from '../plans/plans.js'
import { scheduledIn, type Window } from '../queries/release_schedule.js'
import { appPlans, calendarFeeds } from '../tables.js'
import { feedText, type Feed, type FeedApp } from './feed_text.js'
import { hashOfAddress } from './feed_token.js'

/** Days that a calendar looks back and ahead. */
const BACK = 92
const AHEAD = 366
/** Most apps that one calendar shows. */
const MAX_APPS = 200

/** The token alone identifies the feed: there is no tenant to compare with yet. */
const BY_TOKEN = select(
  of(calendarFeeds, 'f', ['organizationId', 'appId', 'userId']),
  'from calendar_feeds f where f.token_hash = :tokenHash'
)
const IN_WINDOW = ['kickoff', 'submit', 'release']
  .map((phase) => `target_${phase}_at between :from and :to`)
  .join(' or ')
const PLANNED_APPS = select(
  of(appPlans, 'p', ['appId']),
  `from (
    select app_id from releases where organization_id = :org and (${IN_WINDOW})
    union select app_id from app_plans where organization_id = :org and cadence is not null
  ) p order by p.app_id limit ${MAX_APPS}`
)

/** Returns the calendar of an address, as text. @throws not_found, also once it was revoked */
export async function readFeed(segment: string): Promise<string> {
  const tokenHash = hashOfAddress(segment)
  const [feed] = tokenHash === null ? [] : await selects.rows(BY_TOKEN, { tokenHash })
  const organization = feed && (await tenants.find(feed.organizationId))
  if (!organization) throw refuse('not_found')
  const actor = { type: 'system', id: null, name: 'calendar' } as const
  const scope = unitOfWork.readScope({ organization, actor, permissions: unrestricted })
  if (feed.userId !== null && !(await isActivePerson(scope, feed.userId))) throw refuse('not_found')
  return feedText(await shownIn(scope, feed))
}

async function shownIn(
  scope: Scope,
  { appId, userId }: { appId: string | null; userId: string | null }
): Promise<Feed> {
  const pilot = userId === null ? null : (await peopleOf(scope, [userId])).get(userId)
  const ofPilot = pilot ? ` of ${personName(pilot)}` : ''
  const window = windowAt(scope)
  const apps: FeedApp[] = []
  for (const id of appId === null ? await plannedApps(scope, window) : [appId]) {
    const app = await feedApp(scope, id, window)
    const scheduled = app.scheduled.filter(
      ({ entry }) => userId === null || entry.pilot?.id === userId
    )
    // In a calendar of several apps, an app without releases to show is left out with its freezes.
    if (appId !== null || scheduled.length > 0) apps.push({ ...app, scheduled })
  }
  const name = appId === null ? 'Releases' : `${apps[0].name} releases`
  return { name: `${name}${ofPilot}`, apps }
}

/** Returns the apps that have something to show. */
async function plannedApps(scope: Scope, window: Window): Promise<string[]> {
  const rows = await scope.rows(PLANNED_APPS, { ...window })
  return rows.map(({ appId }) => appId)
}

async function feedApp(scope: Scope, appId: string, window: Window): Promise<FeedApp> {
  const { freezes } = await appPlan(scope, appId)
  return {
    name: titleOfApp(await appSummary(scope, appId)),
    urlOf: (releaseId) => pageUrl({ appId, releaseId }),
    scheduled: await scheduledIn(scope, appId, window),
    freezes: freezes.filter(({ startAt, endAt }) => startAt <= window.to && endAt > window.from),
  }
}

/** The window moves once a day: within a day, the same facts give the same bytes. */
function windowAt({ now }: Scope): Window {
  const today = `${now.slice(0, 10)}T00:00:00.000Z`
  return { from: earlier(today, BACK * DAY), to: later(today, AHEAD * DAY) }
}
