import config from '@adonisjs/core/services/config'
import { appSummary } from '#apps/queries/app_summary'
import { later } from '#foundation/core/clock'
import { of, select } from '#foundation/core/database/statement'
import { unrestricted } from '#foundation/core/principal'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { selects, unitOfWork } from '#foundation/core/services'
import { peopleOf, personName } from '#organizations/queries/people'
import { tenants } from '#organizations/queries/find_tenants'
import { releases } from '#releases/tables'
import { appPlan } from '../plans.js'
import { scheduledIn, type Window } from '../queries/release_schedule.js'
import { calendarFeeds } from '../tables.js'
import { feedText, type FeedApp } from './feed_text.js'
import { hashOfAddress } from './feed_token.js'

const DAY = 86_400_000
/** Days that a calendar looks back and ahead. */
const BACK = 92
const AHEAD = 366
/** Most apps that the calendar of a pilot shows. */
const MOST_APPS = 200

/** Whose it is follows from the token alone: there is no tenant to compare with yet. */
const BY_TOKEN = select(
  of(calendarFeeds, 'f', ['organizationId', 'appId', 'userId']),
  'from calendar_feeds f where f.token_hash = :tokenHash'
)
const APPS_OF_PILOT = select(
  of(releases, 'r', ['appId']),
  `from (
    select distinct app_id from releases where organization_id = :org and pilot_id = :userId
    union select app_id from app_plans where organization_id = :org and cadence is not null
  ) r order by r.app_id limit ${MOST_APPS}`
)

/** The calendar behind an address, as text. @throws not_found, also once it was revoked */
export async function readFeed(segment: string): Promise<string> {
  const tokenHash = hashOfAddress(segment)
  const [feed] = tokenHash === null ? [] : await selects.rows(BY_TOKEN, { tokenHash })
  const organization = feed && (await tenants.find(feed.organizationId))
  if (!organization) throw refuse('not_found')
  const actor = { type: 'system', id: null, name: 'calendar' } as const
  const scope = unitOfWork.readScope({ organization, actor, permissions: unrestricted })
  const { appId, userId } = feed
  const shown = appId === null ? await ofPilot(scope, userId!) : await ofApp(scope, appId)
  return feedText({ ...shown, serviceUrl: config.get<string>('app.serviceUrl') })
}

async function ofApp(scope: Scope, appId: string) {
  const app = await feedApp(scope, appId, windowAt(scope))
  return { name: `${app.name} releases`, apps: [app] }
}

/** What somebody is the pilot of, with the freezes of those apps. */
async function ofPilot(scope: Scope, userId: string) {
  const pilot = (await peopleOf(scope, [userId])).get(userId)
  const apps: FeedApp[] = []
  for (const { appId } of await scope.rows(APPS_OF_PILOT, { userId })) {
    const app = await feedApp(scope, appId, windowAt(scope))
    const scheduled = app.scheduled.filter(({ entry }) => entry.pilot?.id === userId)
    if (scheduled.length > 0) apps.push({ ...app, scheduled })
  }
  return { name: `Releases of ${pilot ? personName(pilot) : 'a pilot'}`, apps }
}

async function feedApp(scope: Scope, appId: string, window: Window): Promise<FeedApp> {
  const { name } = await appSummary(scope, appId)
  const { freezes } = await appPlan(scope, appId)
  return {
    id: appId,
    name,
    scheduled: await scheduledIn(scope, appId, window),
    freezes: freezes.filter(({ startAt, endAt }) => startAt <= window.to && endAt > window.from),
  }
}

/** It moves once a day: until then the same facts give the same bytes. */
function windowAt({ now }: Scope): Window {
  const today = `${now.slice(0, 10)}T00:00:00.000Z`
  return { from: later(today, -BACK * DAY), to: later(today, AHEAD * DAY) }
}
