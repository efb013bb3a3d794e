import { works, type TimerHandler } from '#foundation/jobs/handlers'
import type { Instant } from '#foundation/core/clock'
import type { ChangedRows } from '#foundation/core/database/changed_rows'
import { as, select } from '#foundation/core/database/statement'
import { instant, json, optional, text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { askedOf, type ReportedCall } from './called_providers.js'

/** An automation with its due time. */
interface ArmedTimer {
  kind: string
  subject: string
  dueAt: Instant
  appId: string
  /** The release it acts on. Null for the app. */
  version: string | null
  /** The pauses and freezes that may hold it back when it is due. */
  pause: { resumeAt: Instant | null } | null
  ownPause: { resumeAt: Instant | null } | null
  freezes: readonly { startAt: Instant; endAt: Instant; phases: readonly string[] }[] | null
}

/** A timer as a plan shows it. */
export interface ReportedTimer extends Partial<Pick<ReportedCall, 'asks' | 'integrations'>> {
  /** The automation that acts. */
  automation: string
  /** The release it acts on. Absent when it belongs to the app. */
  release?: string
  at: Instant
}

const TIMERS = select(
  {
    kind: as(text(), 'e.kind'),
    subject: as(text(), 'e.subject'),
    dueAt: as(instant(), 'e.due_at'),
    appId: as(text(), 'a.id'),
    version: as(optional(text()), 'r.version'),
    pause: as(optional(json<ArmedTimer['pause']>()), 'p.pause'),
    ownPause: as(optional(json<ArmedTimer['pause']>()), 'o.pause'),
    freezes: as(optional(json<NonNullable<ArmedTimer['freezes']>>()), 'p.freezes'),
  },
  `from jobs e
  left join releases r on r.organization_id = :org and r.id = e.subject
  join apps a on a.organization_id = :org and a.id = coalesce(r.app_id, e.subject)
  left join app_plans p on p.organization_id = :org and p.app_id = a.id
  left join release_plans o on o.organization_id = :org and o.release_id = r.id
  where e.organization_id = :org and e.kind in json(:kinds) and e.finished_at is null
    and e.due_at is not null and a.id in json(:apps)
  order by e.due_at, e.kind, e.subject`
)

/** Returns the timers of automations, by kind. */
const automations = () =>
  new Map(
    works.all().flatMap(({ name, handler }) => {
      const isOne = handler.nature === 'timer' && handler.isAutomation && handler.isDateDriven
      return isOne ? [[name, handler as TimerHandler] as const] : []
    })
  )

/**
 * Finds the date-based automations affected by changed rows: those whose timers were set, and all
 * those that a changed pause or freeze may hold back.
 */
async function armedTimers(scope: Scope, rows: ChangedRows): Promise<ArmedTimer[]> {
  const kinds = [...automations().keys()]
  const set = rows.after('jobs').filter(({ kind }) => kinds.includes(String(kind)))
  const held = new Set(holding(rows))
  const apps = new Set([...set.map(({ payload }) => appOf(payload)), ...held])
  if (apps.size === 0) return []
  const given = { kinds: JSON.stringify(kinds), apps: JSON.stringify([...apps]) }
  const isSet = new Set(set.map(({ kind, subject }) => `${kind} ${subject}`))
  return (await scope.rows(TIMERS, given)).filter(
    ({ kind, subject, appId }) => isSet.has(`${kind} ${subject}`) || held.has(appId)
  )
}

const appOf = (payload: unknown) => (JSON.parse(String(payload)) as { appId: string }).appId

/** Returns the apps whose pauses or freezes changed. */
const holding = (rows: ChangedRows): string[] =>
  rows
    .changes()
    .filter(
      ({ table, to }) => /^(app|release)_plans$/.test(table) && ('pause' in to || 'freezes' in to)
    )
    .flatMap(({ appId }) => appId ?? [])

/**
 * Describes the automations that act after the rows are changed. The texts stay the same as long as
 * the automations do.
 */
export async function armedAutomationTexts(scope: Scope, rows: ChangedRows): Promise<string[]> {
  const timers = await armedTimers(scope, rows)
  return timers.map(({ kind, subject, dueAt, pause, ownPause, freezes }) => {
    // An overdue timer acts at once, whatever its due time is.
    const at = dueAt <= scope.now ? 'at once' : dueAt
    const frozen = (freezes ?? []).map(({ startAt, endAt, phases }) => [startAt, endAt, phases])
    const held = [pause, ownPause].map((each) => each && [each.resumeAt])
    return JSON.stringify([kind, subject, at, held, frozen])
  })
}

/** Lists the automations that act after the rows are changed, for people. */
export async function reportedTimers(scope: Scope, rows: ChangedRows): Promise<ReportedTimer[]> {
  const timers = (await armedTimers(scope, rows)).filter(({ appId }) => scope.sees(appId))
  const handlers = automations()
  const reported = timers.map(async ({ kind, version, dueAt, appId }) => {
    const { actor, asks } = handlers.get(kind)!
    return {
      automation: actor,
      ...(version !== null && { release: version }),
      at: dueAt,
      ...(asks && (await askedOf(scope, appId, asks))),
    }
  })
  return Promise.all(reported)
}
