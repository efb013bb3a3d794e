import type { Rehearsal } from '#foundation/api/execution/request'
import type { ChangedRows } from '#foundation/core/database/changed_rows'
import { isPublicDraft } from '#foundation/core/events/outbox'
import type { Scope } from '#foundation/core/scope'
import { toldTimers, type ToldTimer } from './armed_timers.js'
import { calledBy, type ToldCall } from './called_providers.js'
import { differences, type Difference } from './differences.js'
import { messagesOf, type ToldMessages } from './told_messages.js'

/** Most entries of each list of a plan; how many there are beyond them is told. */
const MOST = 20
/** Most characters of a value. */
const LONGEST = 200

/** What an action will do, as a plan tells it. */
export interface ToldPlan {
  /** What will be different of what it is about. */
  changes: Difference[]
  /** What will be gone. */
  destroys: { what: string; count: number; names: string[] }[]
  /** Which providers will be called. */
  calls: ToldCall[]
  /** What acts by itself afterwards, and when. */
  arms: ToldTimer[]
  /** What goes to whom. */
  messages: ToldMessages[]
  /** What timelines will tell, and whether webhooks get it. */
  events: { type: string; title: string; sent: boolean }[]
  /** How many entries of these lists are left out. */
  leftOut?: number
}

/**
 * What a rehearsal showed, told inside its transaction.
 * @param body what was sent
 * @param appId the app that the action is of, where it is of one
 */
export async function planOf(
  scope: Scope,
  would: Rehearsal,
  { body, appId }: { body: unknown; appId: string | undefined }
): Promise<ToldPlan> {
  const { rows } = would
  const maySee = seenBy(scope, appId !== undefined)
  const events = would.events.filter((each) => maySee(each.appId ?? null))
  return bounded({
    changes: changesOf(would, body, maySee),
    destroys: destroyedBy(rows, maySee),
    calls: await calledBy(scope, rows, appId),
    arms: await toldTimers(scope, rows),
    messages: await messagesOf(scope, { ...would, events }),
    events: events.map((draft) => ({
      type: draft.type,
      title: draft.title,
      sent: isPublicDraft(draft),
    })),
  })
}

/** As short as it can be shown: of each list the first entries, with short values. */
export function bounded(plan: ToldPlan): ToldPlan {
  let leftOut = 0
  const first = <Each>(list: readonly Each[]) => {
    leftOut += Math.max(0, list.length - MOST)
    return list.slice(0, MOST)
  }
  const changes = first(plan.changes).map((each) => ({
    ...each,
    from: shortened(each.from),
    to: shortened(each.to),
  }))
  const told = {
    changes,
    destroys: first(plan.destroys),
    calls: first(plan.calls),
    arms: first(plan.arms),
    messages: first(plan.messages),
    events: first(plan.events),
  }
  return leftOut > 0 ? { ...told, leftOut } : told
}

function shortened(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= LONGEST ? value : `${text.slice(0, LONGEST).toWellFormed()}…`
}

/**
 * What is different afterwards: of what is made as it was asked for, else as the API shows it where
 * it does, else row by row.
 */
function changesOf(
  { was, is, rows, rendered }: Rehearsal,
  body: unknown,
  maySee: Sees
): Difference[] {
  const isMade = rendered.status === 201
  const shown = isMade ? differences({}, body ?? {}) : was && is ? differences(was, is) : []
  if (shown.length > 0) return shown
  return rows.changes().flatMap(({ table, name, appId, from, to }): Difference[] => {
    if (BEHIND.test(table) || !maySee(appId)) return []
    const op = from ? 'change' : 'add'
    return [{ op, path: `${wordFor(table)} ${name}`, from: from && toldRow(from), to: toldRow(to) }]
  })
}

const toldRow = ({ organization_id: _organization, ...row }: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

/** Tables whose rows stand behind others, and tell people nothing. */
const BEHIND =
  /^(agenda_entries|build_readings|.*_watches|release_plans|release_features|release_progress|integration_hooks|store_members)$/

/** Words for what a table holds, where its name is not the product's. */
const WORDS: Readonly<Record<string, string>> = {
  app_plans: 'plan of the app',
  app_users: 'members',
  checklist_items: 'items',
  ci_build_files: 'files of CI builds',
  ci_builds: 'CI builds',
  distribution_builds: 'builds',
  distribution_files: 'files of builds',
  release_items: 'items of releases',
  step_configs: 'steps of the workflow',
  step_runs: 'runs of steps',
}

const wordFor = (table: string) => WORDS[table] ?? table.replaceAll('_', ' ')

/** What goes, the whole before its parts. */
const destroyedBy = ({ destroyed }: ChangedRows, maySee: Sees): ToldPlan['destroys'] =>
  [...destroyed]
    .filter(([table]) => !BEHIND.test(table))
    .map(([table, { count, first }]) => {
      const seen = first.filter(({ appId }) => maySee(appId))
      return { what: wordFor(table), count, names: seen.map(({ name }) => name) }
    })
    .reverse()

type Sees = (appId: string | null) => boolean

/**
 * Nobody learns from a plan what an app is that their key does not see. What tells no app belongs to
 * the one that the action is of, or else to any.
 */
const seenBy =
  (scope: Scope, isOfApp: boolean): Sees =>
  (appId) => {
    const { admin, appIds } = scope.permissions
    return appId === null ? isOfApp || admin || appIds === null : scope.sees(appId)
  }
