import { compareTexts } from '../foundation/core/compare_texts.js'
import type { Rehearsal } from '#foundation/api/execution/request'
import type { ChangedRow, ChangedRows, NamedRow } from '#foundation/core/database/changed_rows'
import type { StoredRow } from '#foundation/core/database/touched_rows'
import { isPublicDraft } from '#foundation/core/events/outbox'
import type { Scope } from '#foundation/core/scope'
import { reportedTimers, type ReportedTimer } from './armed_automations.js'
import { calledBy, type ReportedCall } from './called_providers.js'
import { differences, isPlainList, type Difference } from './differences.js'
import { rightsOf, type ReportedRights } from './reported_rights.js'
import { rowNames } from './row_names.js'
import { messagesOf, type ReportedMessages } from './reported_messages.js'

/** Maximum entries of each list in a plan. The number of further entries is stated. */
const MAX_ENTRIES = 20
/** Maximum length of a value, in characters. */
const MAX_LENGTH = 200
/** Number of characters shown before the first difference. */
const BEFORE = 40

/** The effect of an action, as a plan shows it. */
export interface ReportedPlan {
  /** The changes of the subject. */
  changes: Difference[]
  /** The data that is deleted. */
  destroys: { what: string; count: number; names: string[] }[]
  /** The rights after the change and their holders, if rights change. */
  rights: ReportedRights[]
  /** The providers that are called. */
  calls: ReportedCall[]
  /** The automations that act afterwards, with their times. */
  arms: ReportedTimer[]
  /** The messages that are sent, with their recipients. */
  messages: ReportedMessages[]
  /** The events that timelines will show, and whether webhooks get them. */
  events: { type: string; title: string; sent: boolean }[]
  /** The number of entries left out of these lists. */
  leftOut?: number
}

/**
 * Describes the result of a rehearsal, inside its transaction.
 * @param body the request body
 * @param appId the app of the action, if it has one
 */
export async function planOf(
  scope: Scope,
  would: Rehearsal,
  { body, appId }: { body: unknown; appId: string | undefined }
): Promise<ReportedPlan> {
  const { rows } = would
  const maySee = seenBy(scope, appId !== undefined)
  const nameOf = await rowNames(scope, rows)
  const events = would.events.filter((each) => maySee(each.appId ?? null))
  return bounded({
    changes: changesOf(would, body, maySee, nameOf),
    destroys: destroyedBy(rows, maySee, nameOf),
    rights: await rightsOf(scope, rows),
    calls: await calledBy(scope, rows, appId),
    arms: await reportedTimers(scope, rows),
    messages: await messagesOf(scope, { ...would, events }),
    events: events.map((draft) => ({
      type: draft.type,
      title: draft.title,
      sent: isPublicDraft(draft),
    })),
  })
}

/** Shortens a plan: the first entries of each list, with short values. */
export function bounded(plan: ReportedPlan): ReportedPlan {
  let leftOut = 0
  const first = <Each>(list: readonly Each[]) => {
    leftOut += Math.max(0, list.length - MAX_ENTRIES)
    return list.slice(0, MAX_ENTRIES)
  }
  const changes = first(plan.changes).map((each) => ({
    ...each,
    ...shortened(each),
  }))
  const reported = {
    changes,
    destroys: first(plan.destroys),
    rights: first(plan.rights).map(({ people, keys, ...each }) => ({
      ...each,
      people: first(people),
      keys: first(keys),
    })),
    calls: first(plan.calls),
    arms: first(plan.arms),
    messages: first(plan.messages),
    events: first(plan.events),
  }
  return leftOut > 0 ? { ...reported, leftOut } : reported
}

/**
 * Returns both values if they are short or plain lists. Otherwise returns excerpts from where they
 * first differ.
 */
function shortened({ from, to }: Difference): Pick<Difference, 'from' | 'to'> {
  const [one, other] = [from, to].map(textOf)
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  const start = Math.max(0, same - BEFORE)
  const part = (value: unknown, text: string) =>
    isPlainList(value) || text.length <= MAX_LENGTH ? value : partOf(text, start)
  return { from: part(from, one), to: part(to, other) }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** Returns a part of a text, with the number of characters left out after it. */
function partOf(text: string, start: number): string {
  const end = start + MAX_LENGTH
  const rest = text.length > end ? `… (${text.length - end} more characters)` : ''
  return `${start > 0 ? '…' : ''}${text.slice(start, end).toWellFormed()}${rest}`
}

/**
 * Lists the changes. A new object is shown as requested. Otherwise the API's view is compared, or
 * else the rows.
 */
function changesOf(
  { was, is, rows, rendered }: Rehearsal,
  body: unknown,
  maySee: Sees,
  nameOf: NameOf
): Difference[] {
  const isMade = rendered.status === 201
  const shown = isMade ? differences({}, body ?? {}) : was && is ? differences(was, is) : []
  const changed = rows
    .changes()
    .filter(({ table, appId }) => !BEHIND.test(table) && maySee(appId))
    .map((each) => ({ ...each, name: nameOf(each) }))
  const secrets = changed.flatMap(secretsOf)
  if (shown.length > 0) return [...shown, ...secrets]
  const stored = changed.flatMap(({ table, name, from, to }): Difference[] => {
    if (Object.keys(to).length === 0) return []
    const op = from ? 'change' : 'add'
    return [
      {
        op,
        path: `${wordFor(table)} ${name}`,
        from: from && reportedRow(from),
        to: reportedRow(to),
      },
    ]
  })
  return [...stored, ...secrets]
}

/** Describes changes of secrets, which are never shown: another secret, or another address. */
function secretsOf({ table, name, from, row, secrets }: ChangedRow): Difference[] {
  const path = `${wordFor(table)} ${name}`
  const others = secrets.map((column) => ({
    op: 'change' as const,
    path: `${path}: ${column.replace('sealed_', '')}`,
    from: 'a secret',
    to: 'another secret',
  }))
  const isMoved = from !== null && 'url' in from && hasHeaders(row)
  if (!isMoved || secrets.includes('sealed_headers')) return others
  const [before, after] = [from.url, row.url].map((url) => `sent to ${new URL(String(url)).origin}`)
  return [...others, { op: 'change', path: `${path}: stored headers`, from: before, to: after }]
}

const hasHeaders = ({ header_names: names }: StoredRow) => !/^(\[\])?$/.test(String(names ?? ''))

const reportedRow = ({
  organization_id: _organization,
  ...row
}: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

/** Internal tables that mean nothing to people. */
const BEHIND =
  /^(jobs|build_readings|.*_watches|release_plans|release_features|release_progress|integration_hooks|callback_addresses|store_members)$/

/** The product's word for a table where its name differs. */
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

/**
 * Tables in order of importance to people, wholes before their parts. All others follow by name.
 */
const WHOLES = [
  'apps',
  'releases',
  'buckets',
  'groups',
  'webhook_endpoints',
  'distribution_builds',
  'ci_builds',
  'integrations',
  'checklist_items',
  'release_items',
  'fix_requests',
  'triage_issues',
  'install_links',
]

/** Returns the sort key of a table. Databases report cascaded deletes in orders of their own. */
const rankOf = (table: string) => {
  const place = WHOLES.indexOf(table)
  return `${place < 0 ? WHOLES.length : place}`.padStart(3, '0') + table
}

/** Lists what is deleted, wholes before their parts. */
const destroyedBy = (
  { destroyed }: ChangedRows,
  maySee: Sees,
  nameOf: NameOf
): ReportedPlan['destroys'] =>
  [...destroyed]
    .filter(([table]) => !BEHIND.test(table))
    .sort(([one], [other]) => compareTexts(rankOf(one), rankOf(other)))
    .map(([table, { count, first }]) => {
      const seen = first.filter(({ appId }) => maySee(appId))
      return { what: wordFor(table), count, names: seen.map(nameOf) }
    })

type Sees = (appId: string | null) => boolean
type NameOf = (row: NamedRow) => string

/**
 * Hides apps that the caller's key does not see. Rows without an app belong to the app of the
 * action, or else to any app.
 */
const seenBy =
  (scope: Scope, isOfApp: boolean): Sees =>
  (appId) => {
    const { admin, appIds } = scope.permissions
    return appId === null ? isOfApp || admin || appIds === null : scope.sees(appId)
  }
