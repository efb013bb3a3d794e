import { RETRIES } from '#foundation/jobs/retry'
import { Type, type Static } from '@sinclair/typebox'
import { onCommand, type Outcome } from '#foundation/jobs/handlers'
import { commandKind } from '#foundation/core/jobs/kinds'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { askProvider } from '#integrations/ask_provider'
import { outcomeOfCall } from '#integrations/outcome_of_call'
import { feature } from '#plugin-kit/capabilities/map'
import type { IssueTracking } from '#plugin-kit/capabilities/work'
import { planningPort, type Ended } from '#releases/ports'
import { releaseStillThere } from '#releases/queries/find_release'
import { reasonNotToAct } from '#releases/queries/reason_not_to_act'
import { Asker } from '#foundation/core/jobs/asker'
import { ticketMarks } from '../tables.js'
import { pollNow } from '../work/watch.js'
import { digestOf } from './digest_of.js'
import { reportEach, type TicketsReported } from './report_each.js'
import { projectOf } from '../ticket_keys.js'
import { unmarkedTickets, type Unmarked } from './unmarked_tickets.js'

/**
 * Marks tickets with the release they belong to; the subject is the release's internal id. The
 * tickets and the mark are read when the command runs.
 */
export const markKind = commandKind(
  'features.markTickets',
  Type.Object({ appId: Type.String(), askedBy: Asker }),
  'issueTracking'
)
type Payload = Static<(typeof markKind)['payload']>

/** The results for the tickets of each project, or why the tracker was not called. */
type Marked =
  | { marked: (Unmarked & TicketsReported)[]; failure: string | null }
  | { unasked: string }

/** Plans that a worker marks the next unmarked tickets of a release. */
export async function requestMarks(
  scope: Scope,
  { id: subject, appId }: { id: string; appId: string }
): Promise<{ kind: 'underWay' }> {
  await scope.jobs.command(markKind, {
    subject,
    entityKey: `tickets of ${subject}`,
    payload: { appId, askedBy: scope.actor },
  })
  return { kind: 'underWay' }
}

/** Marks tickets with their release; repeating it changes nothing. */
export const markTickets = onCommand(markKind, {
  actor: 'issue tracker',
  onBehalfOf: ({ payload }) => payload.askedBy,
  lease: 4 * MINUTE,
  retry: RETRIES.hours,
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  call({ subject, payload, idempotencyKey }, { scope, signal }): Promise<Outcome<Marked>> {
    return outcomeOfCall(async (): Promise<Marked> => {
      const place = { appId: payload.appId, releaseId: subject }
      const unasked = await reasonNotToAct(scope, place, payload.askedBy, { mustBeOpen: true })
      if (unasked !== null) return { unasked }
      const wanted = await unmarkedTickets(scope, { id: subject, appId: payload.appId })
      if (wanted.length === 0) return { unasked: 'every ticket says so already' }
      return markAll(wanted.flatMap(byProject), (tracker) =>
        askProvider(
          scope,
          { integration: tracker.integration, kind: 'issueTracking', signal },
          (issues) => mark(issues, tracker, idempotencyKey)
        )
      )
    })
  },
  async storeResult(scope, { subject, payload }, result: Marked) {
    const release = await releaseStillThere(scope, payload.appId, subject)
    if (!release) return
    const end = (ended: Ended) =>
      planningPort.provided.ended(scope, release, {
        action: 'markTickets',
        askedBy: payload.askedBy,
        ...ended,
      })
    if ('unasked' in result) return end({ result: 'held', reason: result.unasked })
    await pollNow(scope, payload.appId, 'issueTracking')
    for (const tracker of result.marked) await storeMarks(scope, payload, subject, tracker)
    return end(endOf(result.marked, result.failure))
  },
  async afterLast(scope, { subject, payload: { appId, askedBy } }, why) {
    const release = await releaseStillThere(scope, appId, subject)
    if (!release) return
    const reason = `tickets could not be marked, which is tried again later: ${why}`.slice(0, 400)
    const ended = { result: 'failed', reason, isRetried: true } as const
    await planningPort.provided.ended(scope, release, { action: 'markTickets', askedBy, ...ended })
  },
})

/** Splits tickets by project: a version belongs to one project, and so does a refusal. */
function byProject({ tickets, projects, ...rest }: Unmarked): Unmarked[] {
  const groups = Map.groupBy(tickets, ({ key }) => projectOf(key, projects))
  return [...groups].map(([project, own]) => ({ ...rest, projects: [project], tickets: own }))
}

/** Marks the tickets of each project; a failure in one project does not stop the others. */
async function markAll(
  projects: readonly Unmarked[],
  report: (project: Unmarked) => Promise<TicketsReported>
): Promise<Marked> {
  const marked: (Unmarked & TicketsReported)[] = []
  const failures: unknown[] = []
  for (const project of projects) {
    try {
      marked.push({ ...project, ...(await report(project)) })
    } catch (error) {
      failures.push(error)
    }
  }
  if (marked.length === 0) throw failures[0]
  const [failure] = failures
  return { marked, failure: failure instanceof Error ? failure.message : null }
}

async function mark(
  issues: IssueTracking,
  { names, tickets, projects }: Unmarked,
  key: string
): Promise<TicketsReported> {
  const reported: TicketsReported = { refused: new Map(), left: new Set() }
  for (const { type, text } of names) {
    // Tickets refused for one name are not tried for the next.
    const requested = tickets.map((each) => each.key).filter((each) => !reported.refused.has(each))
    // Calls requested together share a request id that no other part uses.
    const mutation = (keys: string[]) => ({
      idempotencyKey: `${key} ${digestOf([type, text, ...keys])}`,
    })
    if (type !== 'label') {
      const [project] = projects
      if (requested.length > 0) await issues.ensureVersion?.(project, text, mutation([project]))
    }
    const { refused, left } = await reportEach(requested, (keys) =>
      type === 'label'
        ? feature(issues, 'addLabels')(keys, [text], mutation(keys))
        : feature(issues, 'setVersion')(keys, text, mutation(keys))
    )
    for (const [each, why] of refused) reported.refused.set(each, why)
    for (const each of left) reported.left.add(each)
  }
  return reported
}

/**
 * Records the tickets that are not to be marked again, since people may have changed them on
 * purpose: those that were marked, or refused one by one.
 */
async function storeMarks(
  scope: Scope,
  { appId }: Payload,
  releaseId: string,
  { integration, tickets, refused, left }: Unmarked & TicketsReported
): Promise<void> {
  const finished = tickets.filter(({ key }) => refused.has(key) || !left.has(key))
  await scope.insert(
    ticketMarks,
    finished.map(({ markedAs }) => ({
      appId,
      releaseId,
      integrationId: integration.id,
      key: markedAs,
      markedAt: scope.now,
    }))
  )
}

/** Most tickets that a message names. */
const MAX_NAMED = 20

function endOf(marked: readonly (Unmarked & TicketsReported)[], failure: string | null): Ended {
  const done: string[] = []
  const refused: string[] = []
  for (const { names, tickets, ...reported } of marked) {
    const of = (keys: string[]) => `${names.map(({ text }) => text).join(', ')} for ${listed(keys)}`
    const keys = tickets.map(({ key }) => key)
    const rest = keys.filter((key) => !reported.refused.has(key) && !reported.left.has(key))
    if (rest.length > 0) done.push(of(rest))
    const reasons = [...new Set(reported.refused.values())].slice(0, 3).join('; ')
    if (reported.refused.size > 0) refused.push(`${of([...reported.refused.keys()])}: ${reasons}`)
  }
  const wrong = [...refused, ...(failure === null ? [] : [failure])]
  if (wrong.length === 0) return { result: 'done', what: done.join('; ').slice(0, 400) }
  const well = done.length > 0 ? [`done: ${done.join('; ')}`] : []
  const reason = [...wrong, ...well].join('; ').slice(0, 400)
  // A failure of the whole call is retried later; a ticket that is refused is not asked again.
  return { result: 'failed', reason, ...(failure !== null && { isRetried: true }) }
}

function listed(keys: readonly string[]): string {
  const more = keys.length > MAX_NAMED ? ` and ${keys.length - MAX_NAMED} more` : ''
  return `${keys.slice(0, MAX_NAMED).join(', ')}${more}`
}
