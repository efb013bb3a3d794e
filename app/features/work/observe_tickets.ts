import { RETRIES } from '#foundation/jobs/retry'
import { findApp } from '#apps/queries/find_app'
import { onObservation, type CallContext, type Job } from '#foundation/jobs/handlers'
import { chunked } from '#foundation/core/chunked'
import { of, select } from '#foundation/core/database/statement'
import { HOUR, MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { askProvider } from '#integrations/ask_provider'
import { everyPage } from '#integrations/every_page'
import { integrationsOfKind } from '#integrations/queries/app_integrations'
import type { IntegrationData } from '#integrations/settings'
import type { IssueTracking, Ticket, TicketFilter } from '#plugin-kit/capabilities/work'
import { isOpen } from '#releases/lifecycle/open_releases'
import { releaseStillThere } from '#releases/queries/find_release'
import { readReleaseStillThere } from '#releases/queries/read_release'
import { affiliationNames, type AffiliationName } from '../affiliation_names.js'
import { releaseFeaturesOf } from '../queries/release_features.js'
import { waitsForCode } from '../readiness/first_look.js'
import { deriveFeatures } from '../readiness/derive_features.js'
import { spelledKey } from '../ticket_keys.js'
import { takeTickets } from '../readiness/take_tickets.js'
import { releaseTickets, trackerTickets } from '../tables.js'
import { ticketsKind } from '../work_kinds.js'
import type { SeenTracker } from './tickets_look.js'

/** The validity of a ticket that the search for the release does not find, in milliseconds. */
const OPEN_FOR = 30 * MINUTE
const DONE_FOR = 24 * HOUR
/** Keys per request. */
const KEYS_AT_ONCE = 100
/** Pages of one search. */
const MAX_PAGES = 200

const KNOWN = select(
  of(trackerTickets, 't', ['key', 'spelledKey', 'done', 'seenAt']),
  `from tracker_tickets t where t.organization_id = :org and t.app_id = :appId
    and t.integration_id = :integrationId and t.key in json(:keys)`
)
const AFFILIATED = select(
  of(releaseTickets, 't', ['key']),
  `from release_tickets t where t.organization_id = :org and t.release_id = :releaseId
    and t.integration_id = :integrationId`
)

/**
 * Polls the tickets of a release: those that state they belong to it, and those that its code
 * names.
 */
export const observeTickets = onObservation(ticketsKind, {
  actor: 'issue tracker',
  lease: 10 * MINUTE,
  every: { least: MINUTE, most: 10 * MINUTE },
  retry: RETRIES.ofPoll,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  poll: pollTickets,
  async store(scope, { subject, payload }, observation: SeenTracker[] | null) {
    const release = await releaseStillThere(scope, payload.appId, subject)
    const features = release && (await releaseFeaturesOf(scope, subject))
    if (!release || !features) return 'over'
    if (observation === null || !features.watchesTickets || !isOpen(release)) {
      await deriveFeatures(scope, release)
      return 'over'
    }
    const hasChanged = await takeTickets(scope, release, features, observation)
    const isDue = hasChanged || features.counts === null
    if (isDue && !waitsForCode(features)) await deriveFeatures(scope, release)
    return hasChanged ? 'changed' : 'unchanged'
  },
})

/** Polls the tickets of a release; null if there is nothing to poll any more. */
async function pollTickets(
  { subject, payload: { appId } }: Job<{ appId: string }>,
  { scope, signal }: CallContext
): Promise<SeenTracker[] | null> {
  const found = await readReleaseStillThere(scope, appId, subject)
  if (!found) return null
  const features = await releaseFeaturesOf(scope, subject)
  const trackers = await integrationsOfKind(scope, appId, 'issueTracking')
  if (!isOpen(found.release) || !features?.watchesTickets || trackers.length === 0) return null
  const { featureAffiliations } = await findApp(scope, appId)
  const seen: SeenTracker[] = []
  for (const tracker of trackers) {
    const place = { appId, releaseId: subject, integrationId: tracker.id }
    const wanted = featureAffiliations.filter(({ integration }) => integration === tracker.key)
    const names = affiliationNames(wanted, found)
    const search = searchWords(tracker.data)
    const mentioned = features.mentioned.filter((key) => mayBeOf(key, search.projects))
    const before = (await scope.rows(AFFILIATED, place)).map(({ key }) => key)
    const known = new Map(
      (await scope.rows(KNOWN, { ...place, keys: JSON.stringify([...mentioned, ...before]) })).map(
        (row) => [row.key, row]
      )
    )
    const observation = await askProvider(
      scope,
      { integration: tracker, kind: 'issueTracking', signal },
      async (issues): Promise<SeenTracker> => {
        const affiliated = await affiliatedTickets(issues, search.projects, names)
        const have = new Set(affiliated.map(({ key }) => key.toUpperCase()))
        const unlisted = new Set(before.filter((key) => !have.has(key)))
        const requested = [...new Set([...mentioned, ...unlisted])].filter(
          (key) => !have.has(key) && (unlisted.has(key) || isStale(known.get(key), scope))
        )
        const { projects } = search
        const spelled = new Map(
          requested.map((key) => [key, known.get(key)?.spelledKey ?? spelledKey(key, projects)])
        )
        const named = await ticketsOfKeys(issues, projects, [...new Set(spelled.values())])
        const otherwise = askedOtherwise(spelled, named)
        return {
          integrationId: tracker.id,
          ...search,
          affiliated,
          named,
          asked: requested,
          otherwise,
        }
      }
    )
    seen.push(observation)
  }
  return seen
}

/** Returns the search terms for a tracker, and its words for finished work. */
function searchWords(data: IntegrationData) {
  const { projects = [], additionalDoneStatuses = [] } = data
  return {
    projects: projects as string[],
    doneStatuses: (additionalDoneStatuses as string[]).map((each) => each.toLowerCase()),
  }
}

/**
 * Returns whether a key may be of the app: if projects have prefixes, a key of another project is
 * not.
 */
function mayBeOf(key: string, projects: readonly string[]): boolean {
  if (key.startsWith('#')) return true
  const prefixes = projects.map((each) => each.toUpperCase())
  const areKeys = prefixes.length > 0 && prefixes.every((each) => /^[A-Z][A-Z0-9_]*$/.test(each))
  return !areKeys || prefixes.includes(key.slice(0, key.lastIndexOf('-')))
}

/**
 * Returns tickets by observed keys that are not their own.
 * @param spelled the keys as the tracker was asked for them, by the observed keys
 */
function askedOtherwise(spelled: ReadonlyMap<string, string>, named: readonly Ticket[]) {
  const byKey = new Map<string, Ticket>()
  for (const ticket of named) {
    for (const key of [ticket.key, ticket.askedAs ?? ticket.key])
      byKey.set(key.toUpperCase(), ticket)
  }
  return new Map(
    [...spelled].flatMap(([key, requested]) => {
      const ticket = byKey.get(requested.toUpperCase())
      return ticket && ticket.key.toUpperCase() !== key ? [[key, ticket] as const] : []
    })
  )
}

const isStale = (known: { done: boolean; seenAt: string } | undefined, { now }: Scope) =>
  known === undefined ||
  Date.parse(now) - Date.parse(known.seenAt) >= (known.done ? DONE_FOR : OPEN_FOR)

async function affiliatedTickets(
  issues: IssueTracking,
  projects: string[],
  names: readonly AffiliationName[]
): Promise<Ticket[]> {
  const found: Ticket[] = []
  for (const { type, text } of names) {
    if (type === 'fixVersion') {
      found.push(...(await ticketsOf(issues, { projects, version: text })))
      continue
    }
    // Some trackers ignore the case of labels.
    const labelled = await ticketsOf(issues, { projects, label: text })
    found.push(...labelled.filter(({ labels }) => labels.includes(text)))
  }
  return found
}

async function ticketsOfKeys(
  issues: IssueTracking,
  projects: string[],
  keys: readonly string[]
): Promise<Ticket[]> {
  const found: Ticket[] = []
  for (const some of chunked(keys, KEYS_AT_ONCE)) {
    found.push(...(await ticketsOf(issues, { projects, keys: [...some] })))
  }
  return found
}

const ticketsOf = (issues: IssueTracking, filter: TicketFilter) =>
  everyPage((cursor) => issues.search(filter, cursor), MAX_PAGES)
