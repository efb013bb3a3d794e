import { yieldToOthers } from '#foundation/core/yielding'
import { hash } from 'node:crypto'
import { findApp } from '#apps/queries/find_app'
import { as, change, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { integer, storedRow, type Stored } from '#foundation/core/database/table'
import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { integrationsOfKind } from '#integrations/queries/app_integrations'
import type Release from '#releases/models/release'
import { isOpen } from '#releases/lifecycle/open_releases'
import { readReleaseById } from '#releases/queries/read_release'
import { affiliationNames } from '../affiliation_names.js'
import { releaseFeaturesOf, type ReleaseFeatures } from '../queries/release_features.js'
import { seenPulls } from '../queries/seen_pulls.js'
import { seenCommits } from '../queries/seen_commits.js'
import {
  featureItems,
  releaseFeatures,
  releaseTickets,
  trackerTickets,
  type FeatureCounts,
} from '../tables.js'
import { ticketsKind } from '../work_kinds.js'
import { carriedOver, type CarriedOver } from './carried_over.js'
import {
  authorsOf,
  deriveItems,
  searchTextOf,
  type DerivedItem,
  type KnownTicket,
} from './derive_items.js'

const AFFILIATED = select(
  of(releaseTickets, 't', ['integrationId', 'key']),
  'from release_tickets t where t.organization_id = :org and t.release_id = :releaseId'
)
const TICKETS = select(
  of(trackerTickets, 't'),
  `from tracker_tickets t where t.organization_id = :org and t.app_id = :appId
    and t.is_known = true and t.key in json(:keys) order by t.integration_id, t.key`
)
const ITEMS = select(
  of(featureItems, 'i', ['id', 'itemKey', 'digest', 'ignored', 'isGone']),
  'from feature_items i where i.organization_id = :org and i.release_id = :releaseId'
)
const COUNTED = select(
  {
    ...of(featureItems, 'i', ['ignored', 'reason']),
    count: as(integer(), 'count(*)'),
  },
  `from feature_items i where i.organization_id = :org and i.release_id = :releaseId
    and i.is_gone = false group by i.ignored, i.reason`
)
const REMOVE = change(
  `delete from feature_items where organization_id = :org and release_id = :releaseId
    and id in json(:ids)`
)

/** Items processed before the thread is yielded. */
const ITEMS_PER_TURN = 50

/**
 * Derives the work items of a release from its observed code and tickets, stores the differences
 * and updates the counts. A release that is over keeps its status.
 */
export async function deriveFeatures(scope: Scope, release: Release): Promise<void> {
  const features = await releaseFeaturesOf(scope, release.id)
  if (!features) return
  const stored = await scope.rows(ITEMS, { releaseId: release.id })
  const items = await deriveItems(await featureFacts(scope, release, features, stored))
  await yieldToOthers()
  await storeItems(scope, release, items, stored)
  await deriveCounts(scope, release)
}

/** Updates the counts of a release's work items, for example after some were ignored. */
export async function deriveCounts(scope: Scope, release: Release): Promise<void> {
  const counts: FeatureCounts = { ready: 0, notReady: 0, ignored: 0, missing: 0 }
  for (const { ignored, reason, count } of await scope.rows(COUNTED, { releaseId: release.id })) {
    counts[ignored ? 'ignored' : COUNTED_AS[reason]] += Number(count)
  }
  await scope.update(releaseFeatures, { releaseId: release.id }, { counts })
  if (isOpen(release)) scope.touch(release)
}

const COUNTED_AS = {
  ready: 'ready',
  missingCode: 'missing',
  notMerged: 'notReady',
  ticketNotDone: 'notReady',
  missingAffiliation: 'notReady',
} as const

type StoredItem = RowOfSelect<typeof ITEMS>

/** The key of the ticket of an item, as code names it. */
const TICKET_ITEM = /^ticket:[^:]*:(.*)$/s

/** @param stored its items so far, whose tickets may have been moved since */
async function featureFacts(
  scope: Scope,
  release: Release,
  features: ReleaseFeatures,
  stored: readonly StoredItem[]
) {
  const { id: releaseId, appId } = release
  const { watchesCode, codeSeenAt } = features
  const affiliated = await scope.rows(AFFILIATED, { releaseId })
  const nameOf = (each: { integrationId: string; key: string }) =>
    `${each.integrationId} ${each.key}`
  const belongs = new Set(affiliated.map(nameOf))
  const own = await seenCommits(scope, releaseId)
  await yieldToOthers()
  const carried = await carriedOver(scope, release, features, own)
  const mentioned = await alsoMentioned(scope, features, carried)
  const before = stored.flatMap(({ itemKey }) => TICKET_ITEM.exec(itemKey)?.[1] ?? [])
  const keys = JSON.stringify([...mentioned, ...affiliated.map(({ key }) => key), ...before])
  const rows = await scope.rows(TICKETS, { appId, keys })
  await yieldToOthers()
  const tickets = rows.map(({ integrationId, key, spelledKey, ticketId, ...row }): KnownTicket => {
    const { title, status, done, url, assignee, fixVersions } = row
    return {
      integrationId,
      key,
      isAffiliated: belongs.has(`${integrationId} ${spelledKey.toUpperCase()}`),
      ticket: {
        id: ticketId,
        key: spelledKey,
        title,
        status: status || null,
        done,
        url,
        assignee,
        fixVersions,
      },
    }
  })
  const commits = [...carried.commits, ...own]
  const numbers = [
    ...commits.flatMap(({ pullRequest }) => pullRequest ?? []),
    ...features.openPulls.map(({ number }) => number),
  ]
  const trackers = await integrationsOfKind(scope, appId, 'issueTracking')
  return {
    hasCode: features.releaseRange !== null || (watchesCode && codeSeenAt === null),
    affiliating: await affiliatingTrackers(scope, release, trackers),
    projects: new Map(
      trackers.map(({ id, data: { projects = [] } }) => [id, projects as string[]])
    ),
    isKickedOff: release.kickedOffAt !== null,
    isReleased: release.releasedAt !== null,
    branch: release.releaseBranch,
    heads: {
      release: features.releaseRange?.head ?? null,
      working: features.workingRange?.head ?? null,
    },
    commits,
    broughtBefore: carried.brought,
    openPulls: features.openPulls,
    repository: features.repository,
    pulls: await seenPulls(scope, { appId, repository: features.repository }, numbers),
    tickets,
  }
}

/**
 * Returns tickets that the code names, with those that are carried over; they are polled like
 * others.
 */
async function alsoMentioned(
  scope: Scope,
  { releaseId, mentioned }: ReleaseFeatures,
  { commits, brought }: CarriedOver
): Promise<readonly string[]> {
  const named = [...commits, ...brought.values()].flatMap(({ tickets }) => tickets)
  const before = new Set(mentioned)
  const more = new Set(named.filter((key) => !before.has(key)))
  if (more.size === 0) return mentioned
  const all = [...mentioned, ...more].sort()
  await scope.update(releaseFeatures, { releaseId }, { mentioned: all })
  await scope.jobs.move(ticketsKind, releaseId, scope.now)
  return all
}

/** Returns the issue trackers whose tickets can state that they belong to a release. */
async function affiliatingTrackers(
  scope: Scope,
  { id, appId }: Release,
  trackers: readonly { id: string; key: string }[]
): Promise<ReadonlySet<string>> {
  const { featureAffiliations } = await findApp(scope, appId)
  if (featureAffiliations.length === 0) return new Set()
  const found = await readReleaseById(scope, appId, id)
  const reports = ({ key }: { key: string }) =>
    affiliationNames(
      featureAffiliations.filter(({ integration }) => integration === key),
      found
    ).length > 0
  return new Set(trackers.filter(reports).map((each) => each.id))
}

async function storeItems(
  scope: Scope,
  { id: releaseId, appId }: Release,
  items: readonly DerivedItem[],
  stored: readonly StoredItem[]
): Promise<void> {
  const byKey = new Map(stored.map((each) => [each.itemKey, each]))
  const seen = new Set<string>()
  const added: Record<string, Stored>[] = []
  for (const [index, item] of items.entries()) {
    if (index % ITEMS_PER_TURN === 0) await yieldToOthers()
    const same = [item.key, ...item.formerKeys].flatMap((key) => byKey.get(key) ?? [])
    // If several items became one, the ignored one stays.
    const before = same.find(({ ignored }) => ignored) ?? same.at(0)
    seen.add(before?.itemKey ?? item.key)
    const others = same.filter((each) => each !== before)
    if (others.length > 0) await removeItems(scope, releaseId, others)
    for (const { itemKey } of others) seen.add(itemKey)
    const { codeStatus, codeType, isMovedOut, reason } = item
    // Written out once, for what is compared and for what is stored.
    const [ticket, code] = [JSON.stringify(item.ticket), JSON.stringify(item.code)]
    const rest = JSON.stringify([codeStatus, codeType, isMovedOut, reason]).slice(1)
    const digest = hash('sha256', `[${ticket},${code},${rest}`, 'base64url')
    if (before?.digest === digest && before.itemKey === item.key && !before.isGone) continue
    const facts = { itemKey: item.key, codeStatus, codeType, isMovedOut, reason }
    const derived = { ...facts, digest, isGone: false }
    const texts = { searchText: searchTextOf(item), authors: authorsOf(item) }
    if (before) {
      const shown = { ticket: item.ticket, code: item.code }
      await scope.update(featureItems, { id: before.id }, { ...derived, ...texts, ...shown })
      continue
    }
    const fresh = { id: newId('wi'), appId, releaseId, createdAt: scope.now }
    const row = storedRow(featureItems, { ...fresh, ...derived, ...texts, ignored: false })
    added.push({ ...row, ticket: item.ticket && ticket, code })
  }
  await scope.insertStored(featureItems.name, added)
  const gone = stored.filter(({ itemKey }) => !seen.has(itemKey))
  // An ignored item stays ignored if it returns.
  const kept = gone.filter(({ ignored, isGone }) => ignored && !isGone).map(({ id }) => id)
  const lost = gone.filter(({ ignored }) => !ignored)
  if (kept.length > 0) await scope.update(featureItems, { id: kept }, { isGone: true })
  if (lost.length > 0) await removeItems(scope, releaseId, lost)
}

async function removeItems(
  scope: Scope,
  releaseId: string,
  items: readonly StoredItem[]
): Promise<void> {
  const ids = JSON.stringify(items.map(({ id }) => id))
  await scope.change(REMOVE, { releaseId, ids })
}
