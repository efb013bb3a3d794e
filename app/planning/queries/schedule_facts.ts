import type App from '#apps/models/app'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { peopleOf } from '#organizations/queries/people'
import { isOnTrain } from '#releases/engine/transitions'
import { pilotRotation } from '#releases/queries/find_pilot'
import { newestFirst } from '#releases/queries/version_sql'
import { releases } from '#releases/tables'
import { versionParts } from '#releases/names/version_parts'
import type { Cadence } from '../calendar/cadence.js'
import { dateIn, daysAfter, instantOf, type LocalDate } from '../calendar/local_time.js'
import { slots, type ScheduleFacts } from '../calendar/schedule.js'
import type { AppPlan } from '../plans/plans.js'
import { releasePlans } from '../tables.js'

const VERSION = of(releases, 'r', ['versionMajor', 'versionMinor', 'versionPatch'])
const IS_OF_APP = 'r.organization_id = :org and r.app_id = :appId'

const HIGHEST_BEFORE = select(
  VERSION,
  `from releases r
  where ${IS_OF_APP} and (r.target_kickoff_at is null or r.target_kickoff_at <= :kickoffAt)
  ${newestFirst('r')} limit 1`
)
const FROM = select(
  {
    ...VERSION,
    ...of(releases, 'r', ['createType', 'targetKickoffAt']),
    ...of(releasePlans, 'p', ['slot']),
  },
  `from releases r left join release_plans p on p.release_id = r.id
  where ${IS_OF_APP} and r.target_kickoff_at >= :from`
)

/** A plan with trains to come. */
export type RunningPlan = AppPlan & { cadence: Cadence; undecidedFrom: LocalDate }

/** Returns whether trains are to come: not for a cadence that is off or paused. */
export function isRunning(plan: AppPlan): plan is RunningPlan {
  const { cadence, undecidedFrom } = plan
  return cadence !== null && undecidedFrom !== null && cadence.enabled && !cadence.paused
}

/** Reads the facts that determine the trains to come. */
export async function scheduleFacts(
  scope: Scope,
  app: App,
  { cadence, undecidedFrom, freezes }: RunningPlan
): Promise<ScheduleFacts> {
  const rotation = await pilotRotation(scope, app.id)
  const named = cadence.exceptions.flatMap(({ pilotId }) => pilotId ?? [])
  const people = await peopleOf(scope, named)
  const facts: ScheduleFacts = {
    cadence,
    undecidedFrom,
    freezes,
    defaultReleaseType: app.settings.defaultReleaseType,
    releases: [],
    rotation,
    ownKickoffs: new Set(),
    drafted: [],
    known: (id) => people.has(id),
  }
  const [{ dates }] = slots(facts)
  // A train may be moved to a day before its own.
  const from = instantOf(cadence.timezone, daysAfter(undecidedFrom, -MAX_EARLIER), '00:00')
  const [highest] = await scope.rows(HIGHEST_BEFORE, { appId: app.id, kickoffAt: dates.kickoffAt })
  const rows = await scope.rows(FROM, { appId: app.id, from })
  const own = rows.filter((row) => isOnTrain(row) && row.slot === null)
  return {
    ...facts,
    releases: [
      ...(highest ? [{ version: versionParts(highest), kickoffAt: null }] : []),
      ...rows.map((row) => ({ version: versionParts(row), kickoffAt: row.targetKickoffAt })),
    ],
    drafted: rows.flatMap(({ slot }) => slot ?? []),
    ownKickoffs: new Set(
      own.map(({ targetKickoffAt }) => dateIn(cadence.timezone, targetKickoffAt!))
    ),
  }
}

/**
 * Upper bound of the days by which a train can be moved forward: it stays within the longest
 * interval.
 */
const MAX_EARLIER = 366
