import { createHash } from 'node:crypto'
import { findApp } from '#apps/queries/find_app'
import { change, of, select } from '#foundation/core/database/statement'
import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { settle } from '#releases/lifecycle/settle'
import type Release from '#releases/models/release'
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
  of(featureItems, 'i', ['id', 'itemKey', 'digest', 'ignored', 'isGone', 'reason']),
  'from feature_items i where i.organization_id = :org and i.release_id = :releaseId'
)
const REMOVE = change(
  `delete from feature_items where organization_id = :org and release_id = :releaseId
    and id in json(:ids)`
)

/** Whether what is seen of a release still changes what it is. */
export const isOpen = ({ status }: { status: string }): boolean =>
  status === 'active' || status === 'upcoming'

/**
 * Derives the work items of a release from what was seen of its code and tickets, keeps what
 * differs, and lets follow what follows from it. A release that is over keeps its status.
 */
export async function settleFeatures(scope: Scope, release: Release): Promise<void> {
  const features = await releaseFeaturesOf(scope, release.id)
  if (!features) return
  const items = deriveItems(await featureFacts(scope, release, features))
  await storeItems(scope, release, items)
  await settleCounts(scope, release)
}

/** Counts the work items of a release anew, as somebody ignored some of them. */
export async function settleCounts(scope: Scope, release: Release): Promise<void> {
  const rows = await scope.rows(ITEMS, { releaseId: release.id })
  const counts: FeatureCounts = { ready: 0, notReady: 0, ignored: 0, missing: 0 }
  for (const { ignored, reason, isGone } of rows) {
    if (!isGone) counts[ignored ? 'ignored' : COUNTED[reason]] += 1
  }
  await scope.update(releaseFeatures, { releaseId: release.id }, { counts })
  if (isOpen(release)) await settle(scope, release)
}

const COUNTED = {
  ready: 'ready',
  missingCode: 'missing',
  notMerged: 'notReady',
  ticketNotDone: 'notReady',
  missingAffiliation: 'notReady',
} as const

async function featureFacts(scope: Scope, release: Release, features: ReleaseFeatures) {
  const { id: releaseId, appId } = release
  const app = await findApp(scope, appId)
  const affiliated = await scope.rows(AFFILIATED, { releaseId })
  const nameOf = (each: { integrationId: string; key: string }) =>
    `${each.integrationId} ${each.key}`
  const own = new Set(affiliated.map(nameOf))
  const keys = JSON.stringify([...features.mentioned, ...affiliated.map(({ key }) => key)])
  const rows = await scope.rows(TICKETS, { appId, keys })
  const tickets = rows.map(({ integrationId, key, spelledKey, ticketId, ...row }): KnownTicket => {
    const { title, status, done, url, assignee, fixVersions } = row
    return {
      integrationId,
      key,
      isAffiliated: own.has(`${integrationId} ${key}`),
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
  const commits = await seenCommits(scope, releaseId)
  const numbers = [
    ...commits.flatMap(({ pullRequest }) => pullRequest ?? []),
    ...features.openPulls.map(({ number }) => number),
  ]
  return {
    hasCode: features.releaseRange !== null,
    hasAffiliations: app.featureAffiliations.length > 0,
    isKickedOff: release.kickedOffAt !== null,
    isReleased: release.releasedAt !== null,
    branch: release.releaseBranch,
    heads: {
      release: features.releaseRange?.head ?? null,
      working: features.workingRange?.head ?? null,
    },
    commits,
    openPulls: features.openPulls,
    pulls: await seenPulls(scope, appId, numbers),
    tickets,
  }
}

async function storeItems(
  scope: Scope,
  { id: releaseId, appId }: Release,
  items: readonly DerivedItem[]
): Promise<void> {
  const stored = await scope.rows(ITEMS, { releaseId })
  const byKey = new Map(stored.map((each) => [each.itemKey, each]))
  const seen = new Set<string>()
  const added = []
  for (const item of items) {
    seen.add(item.key)
    const digest = digestOf(item)
    const before = byKey.get(item.key)
    if (before?.digest === digest && !before.isGone) continue
    const { ticket, code, codeStatus, codeType, reason } = item
    const derived = {
      ...{ ticket, code, codeStatus, codeType, reason, digest },
      searchText: searchTextOf(item),
      authors: authorsOf(item),
      isGone: false,
    }
    if (before) await scope.update(featureItems, { id: before.id }, derived)
    else {
      added.push({
        ...derived,
        id: newId('wi'),
        appId,
        releaseId,
        itemKey: item.key,
        ignored: false,
        ignoredBy: null,
        ignoredAt: null,
        createdAt: scope.now,
      })
    }
  }
  await scope.insert(featureItems, added)
  const gone = stored.filter(({ itemKey }) => !seen.has(itemKey))
  // What somebody ignored stays ignored should it come again.
  const kept = gone.filter(({ ignored, isGone }) => ignored && !isGone).map(({ id }) => id)
  const lost = gone.filter(({ ignored }) => !ignored).map(({ id }) => id)
  if (kept.length > 0) await scope.update(featureItems, { id: kept }, { isGone: true })
  if (lost.length > 0) await scope.change(REMOVE, { releaseId, ids: JSON.stringify(lost) })
}

function digestOf({ ticket, code, codeStatus, codeType, reason }: DerivedItem): string {
  const content = JSON.stringify([ticket, code, codeStatus, codeType, reason])
  return createHash('sha256').update(content).digest('base64url')
}
