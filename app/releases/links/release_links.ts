import { later, type Instant } from '#foundation/core/clock'
import { of, select, variants } from '#foundation/core/database/statement'
import { DAY } from '#foundation/core/durations'
import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { SignedIds, SignedTexts } from '#foundation/core/signed_texts'
import { addressOf } from '#foundation/core/address_of'
import type Release from '../models/release.js'
import { pageAddresses } from '../page_addresses.js'
import { stateOf } from '../preconditions/state_of.js'
import type { ReleaseRow } from '../queries/read_release.js'
import { releaseLinks } from '../tables.js'
import { recordReleaseEvent } from '../timeline/record_release_event.js'
import type { ReleaseLinkEntity } from './link_entities.js'

/** Number of days that a link shows a release after its end. */
const DAYS_AFTER = 30
/** Maximum number of links of a release. */
const MAX_LINKS = 20

const PREFIX = 'shr'

/** Converts ids of links to the signed tokens in their addresses, and back. */
export const linkTokens = new SignedIds(new SignedTexts('tarmac release links'), `${PREFIX}_`)

const linksWith = variants(
  select(
    of(releaseLinks, 'l', ['id', 'createdBy', 'createdAt']),
    'from release_links l where l.organization_id = :org and l.release_id = :releaseId'
  ),
  ''
)
const ALL = linksWith('order by l.created_at, l.id')
const ONE = linksWith('and l.id = :id')

type LinkRow = Pick<ReleaseLinkEntity, 'id' | 'createdBy' | 'createdAt'>

/** Returns the links of a release, oldest first. */
export const listLinks = (scope: Scope, release: Pick<ReleaseRow, 'id'>): Promise<LinkRow[]> =>
  scope.rows(ALL, { releaseId: release.id })

/** @throws not_found when the release has no such link */
export async function findLink(
  scope: Scope,
  release: Pick<ReleaseRow, 'id'>,
  id: string
): Promise<LinkRow> {
  const [link] = await scope.rows(ONE, { releaseId: release.id, id })
  if (!link) throw refuse('not_found')
  return link
}

type Ends = Pick<ReleaseRow, 'status' | 'completedAt' | 'skippedAt' | 'createdAt'>

/**
 * Returns when the links of a release end; null until the release has ended. If the end of an
 * imported release is unknown, the time of its import counts.
 */
export function endOfLinks({ status, completedAt, skippedAt, createdAt }: Ends): Instant | null {
  const endedAt = status === 'completed' ? (completedAt ?? createdAt) : skippedAt
  return endedAt === null ? null : later(endedAt, DAYS_AFTER * DAY)
}

/**
 * Returns a function that converts links to the form of the API.
 * @param baseUrl the address under which the requester reaches the service
 */
export const linkEntity =
  (release: ReleaseRow, baseUrl: string) =>
  ({ id, createdAt, createdBy }: LinkRow): ReleaseLinkEntity => ({
    id,
    releaseId: release.publicId,
    url: baseUrl + addressOf(pageAddresses.shared, { sharedToken: linkTokens.tokenOf(id) }),
    createdAt,
    createdBy,
    expiresAt: endOfLinks(release),
  })

/**
 * Creates a link that shows a release to everybody who has its address.
 * @throws release_completed, release_skipped, too_many_links
 */
export async function makeLink(scope: Scope, release: Release): Promise<LinkRow> {
  const end = endOfLinks(release)
  if (end !== null && end <= scope.now) {
    throw refuse(release.status === 'skipped' ? 'release_skipped' : 'release_completed', {
      detail: `${release.version} has been over for more than ${DAYS_AFTER} days: a link would show nothing.`,
      ...stateOf(release),
    })
  }
  const { length } = await listLinks(scope, release)
  if (length >= MAX_LINKS) {
    throw refuse('too_many_links', { detail: `A release has at most ${MAX_LINKS} links.` })
  }
  const { actor: createdBy, now: createdAt } = scope
  const link = { id: newId(PREFIX), createdBy, createdAt }
  await scope.insert(releaseLinks, [{ ...link, releaseId: release.id }])
  record(scope, release, 'release.linkMade', link.id)
  return link
}

/** Revokes a link, so that its address answers 404. @throws not_found */
export async function revokeLink(scope: Scope, release: Release, id: string): Promise<void> {
  await findLink(scope, release, id)
  await scope.table('release_links').where('id', id).delete()
  record(scope, release, 'release.linkRevoked', id)
}

const TITLES = {
  'release.linkMade': (version: string) => `A link that shows ${version} to everybody was created`,
  'release.linkRevoked': (version: string) => `A link that shows ${version} was revoked`,
} as const

function record(
  scope: Scope,
  release: Release,
  type: keyof typeof TITLES,
  releaseLinkId: string
): void {
  const title = TITLES[type](release.version)
  recordReleaseEvent(scope, release, { type, title, data: { releaseLinkId }, payload: null })
}
