import { appSummary } from '#apps/queries/app_summary'
import { as, of, select } from '#foundation/core/database/statement'
import { text } from '#foundation/core/database/table'
import { unrestricted } from '#foundation/core/principal'
import { refuse } from '#foundation/core/problems/problem'
import { selects, unitOfWork } from '#foundation/core/services'
import { tenants } from '#organizations/queries/find_tenants'
import type { ReleaseFacts } from '../engine/facts.js'
import { explained } from '../queries/explain.js'
import { readReleaseStillThere } from '../queries/read_release.js'
import { releaseLinks } from '../tables.js'
import type { SharedMove, SharedReleaseEntity } from './link_entities.js'
import { endOfLinks, linkTokens } from './release_links.js'

/** Selects across organizations, because only the token identifies the link. */
const BY_ID = select(
  { ...of(releaseLinks, 'l', ['organizationId', 'releaseId']), appId: as(text(), 'r.app_id') },
  'from release_links l join releases r on r.id = l.release_id where l.id = :id'
)

/** Moves that everybody may see. Other moves may name people or credentials. */
const MOVES = new Map<string, SharedMove>([
  ['kickoff', 'kickoff'],
  ['targetKickoff', 'kickoff'],
  ['submit', 'submission'],
  ['targetSubmit', 'submission'],
  ['release', 'release'],
  ['targetRelease', 'release'],
  ['storeRelease', 'release'],
  ['rolloutStage', 'rollout'],
])

/**
 * Returns the release of a link, as everybody may see it.
 * @throws not_found, also after the link was revoked or has ended
 */
export async function sharedRelease(token: string): Promise<SharedReleaseEntity> {
  const id = linkTokens.idOf(token)
  const [link] = id === null ? [] : await selects.rows(BY_ID, { id })
  const organization = link && (await tenants.find(link.organizationId))
  if (!organization) throw refuse('not_found')
  const actor = { type: 'system', id: null, name: 'release link' } as const
  const scope = unitOfWork.readScope({ organization, actor, permissions: unrestricted })
  const release = (await readReleaseStillThere(scope, link.appId, link.releaseId))?.release
  const end = release && endOfLinks(release)
  if (!release || (end && end <= scope.now)) throw refuse('not_found')
  const { facts, why } = await explained(scope, release)
  const { name, platform } = await appSummary(scope, release.appId)
  return {
    appName: name,
    platform,
    version: release.version,
    phase: release.phase,
    rollout: rolloutOf(facts),
    next: nextOf(why.next, scope.now),
  }
}

type Move = Awaited<ReturnType<typeof explained>>['why']['next'][number]

/** Returns the next future move that everybody may see; null for none. */
export function nextOf(next: readonly Move[], now: string): SharedReleaseEntity['next'] {
  const move = next.find(({ at, what }) => at > now && MOVES.has(what))
  if (!move) return null
  const { at, what, percentage } = move
  return { what: MOVES.get(what)!, at, ...(percentage !== undefined && { percentage }) }
}

/** Returns the least advanced of the rollouts that have begun; null for none. */
function rolloutOf({ steps }: ReleaseFacts): SharedReleaseEntity['rollout'] {
  const begun = steps.flatMap((step) => {
    if (step.type !== 'rollout' || step.facts.state === null) return []
    const { state, percentage } = step.facts
    return [{ state, percentage }]
  })
  return begun.sort((one, other) => one.percentage - other.percentage)[0] ?? null
}
