import { change, of, select } from '#foundation/core/database/statement'
import {
  columnName,
  storedRow,
  type Columns,
  type RowOf,
  type Table,
} from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { DEFAULT_LEAD_MINUTES } from '../vocabulary.js'
import type { Phase } from '../calendar/freezes.js'
import { appPlans, releasePlans, type AutomationState, type ReminderState } from '../tables.js'

type Stored<Each extends Table> = Omit<RowOf<Each>, 'organizationId'>
export type AppPlan = Readonly<Stored<typeof appPlans>>
export type ReleasePlan = Readonly<Stored<typeof releasePlans>>
export type AppPlanChange = Partial<Stored<typeof appPlans>>
export type ReleasePlanChange = Partial<Stored<typeof releasePlans>>

type ReleaseKey = { id: string; appId: string }

/** Returns the members of a table except the organization, which the scope supplies. */
const membersOf = <Described extends Columns>({ columns }: Table<Described>) =>
  Object.keys(columns).filter((name) => name !== 'organizationId') as Exclude<
    keyof Described & string,
    'organizationId'
  >[]

const APP_PLAN = select(
  of(appPlans, 'p', membersOf(appPlans)),
  'from app_plans p where p.organization_id = :org and p.app_id = :appId'
)
const RELEASE_PLAN = select(
  of(releasePlans, 'p', membersOf(releasePlans)),
  'from release_plans p where p.organization_id = :org and p.release_id = :id'
)

/** Returns the plan of an app, cached per transaction and kept current by changes. */
export function appPlan(scope: Scope, appId: string): Promise<AppPlan> {
  return scope.once(`plan of ${appId}`, async () => {
    const [row] = await scope.rows(APP_PLAN, { appId })
    const none = {
      appId,
      cadence: null,
      undecidedFrom: null,
      freezes: [],
      automations: {},
      pause: null,
      reminders: {},
      followUps: {},
      followsAppId: null,
      createdAt: scope.now,
      updatedAt: scope.now,
    }
    return row ?? none
  })
}

/**
 * Returns the app whose cadence an app follows; null for none. It is read past the cache, since the
 * app is not locked yet.
 */
export async function leaderOf(scope: Scope, appId: string): Promise<string | null> {
  const [row] = await scope.rows(APP_PLAN, { appId })
  return row?.followsAppId ?? null
}

/** Returns the plan of a release, cached in the same way. */
export function releasePlan(scope: Scope, { id, appId }: ReleaseKey): Promise<ReleasePlan> {
  return scope.once(`plan of ${id}`, async () => {
    const [row] = await scope.rows(RELEASE_PLAN, { id })
    const none = {
      releaseId: id,
      appId,
      slot: null,
      automations: {},
      pause: null,
      runs: {},
      reminded: {},
      planned: {},
      followUps: {},
      channel: null,
    }
    return row ?? none
  })
}

/** Returns the time zone of the people of an app: that of its cadence. */
export async function zoneOf(scope: Scope, appId: string): Promise<string> {
  return (await appPlan(scope, appId)).cadence?.timezone ?? 'UTC'
}

/** Changes what is planned for an app. */
export async function changeAppPlan(
  scope: Scope,
  appId: string,
  changes: AppPlanChange
): Promise<void> {
  const plan = await appPlan(scope, appId)
  Object.assign(plan, changes, { updatedAt: scope.now })
  await scope.change(STORE_APP_PLAN, storedRow(appPlans, plan))
}

/** Changes what is planned for a release. */
export async function changeReleasePlan(
  scope: Scope,
  release: ReleaseKey,
  changes: ReleasePlanChange
): Promise<void> {
  const plan = await releasePlan(scope, release)
  Object.assign(plan, changes)
  await scope.change(STORE_RELEASE_PLAN, storedRow(releasePlans, plan))
}

/** Returns a statement that inserts or updates a row. */
function upsert(table: Table, key: string) {
  const columns = membersOf(table).map(columnName)
  return change(
    `insert into ${table.name} (organization_id, ${columns.join(', ')})
    values (:org, ${columns.map((name) => `:${name}`).join(', ')})
    on conflict (${key}) do update set
      ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`
  )
}

const STORE_APP_PLAN = upsert(appPlans, 'app_id')
const STORE_RELEASE_PLAN = upsert(releasePlans, 'release_id')

const UNSET: AutomationState = {
  enabled: false,
  runAfterFreeze: true,
  lastRunAt: null,
  lastResult: null,
}

/** Returns an app's settings of the automation of a phase. */
export function automationOf({ automations }: AppPlan, phase: Phase): AutomationState {
  return automations[phase] ?? UNSET
}

const REMINDED: ReminderState = { enabled: true, leadTimeMinutes: DEFAULT_LEAD_MINUTES }

/** Returns an app's settings of the reminder of a phase. */
export function reminderOf({ reminders }: AppPlan, phase: Phase): ReminderState {
  return reminders[phase] ?? REMINDED
}
