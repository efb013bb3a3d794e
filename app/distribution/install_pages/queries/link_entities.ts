import type { PageRequest } from '#foundation/api/pages'
import { of, select, variants } from '#foundation/core/database/statement'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { peopleOf } from '#organizations/queries/people'
import type Bucket from '../../models/bucket.js'
import type { InstallLinkEntity } from '../entities.js'
import { pageToken } from '../install_tokens.js'
import { installLinks } from '../tables.js'

const linksWith = variants(
  select(
    of(installLinks, 'l'),
    'from install_links l where l.organization_id = :org and l.bucket_id = :bucketId'
  ),
  ''
)
const ONE = linksWith('and l.id = :id')

export type LinkRow = Awaited<ReturnType<typeof listLinks>>[number]

export const linkKeys = ({ createdAt, id }: LinkRow) => [createdAt, id]

/** Returns the links of a bucket, newest first. */
export function listLinks(scope: Scope, bucket: Bucket, { limit, after }: PageRequest) {
  const bindings = { bucketId: bucket.id, limit }
  const end = 'order by l.created_at desc, l.id desc limit :limit'
  if (!after) return scope.rows(linksWith(end), bindings)
  const [lastCreatedAt, lastId] = after
  const afterLast = 'and (l.created_at, l.id) < (:lastCreatedAt, :lastId)'
  return scope.rows(linksWith(`${afterLast} ${end}`), { ...bindings, lastCreatedAt, lastId })
}

/** @throws not_found when the bucket has no such link */
export async function findLink(scope: Scope, bucket: Bucket, id: string): Promise<LinkRow> {
  const [link] = await scope.rows(ONE, { bucketId: bucket.id, id })
  if (!link) throw refuse('not_found')
  return link
}

/**
 * Returns links as the API shows them.
 * @param baseUrl at which the requester reaches the service
 */
export async function linkEntities(
  scope: Scope,
  links: readonly LinkRow[],
  baseUrl: string
): Promise<InstallLinkEntity[]> {
  const people = await peopleOf(
    scope,
    links.flatMap(({ userId }) => userId ?? [])
  )
  return links.map(({ id, bucketId, buildId, userId, createdAt, createdBy, expiresAt }) => {
    const tester = userId === null ? undefined : people.get(userId)
    return {
      id,
      bucketId,
      buildDistroBuildId: buildId,
      tester: tester ? { id: tester.id, email: tester.email, name: tester.name } : null,
      url: `${baseUrl}/install/${pageToken(id)}`,
      createdAt,
      createdBy,
      expiresAt,
    }
  })
}

export async function linkEntity(
  scope: Scope,
  link: LinkRow,
  baseUrl: string
): Promise<InstallLinkEntity> {
  const [entity] = await linkEntities(scope, [link], baseUrl)
  return entity
}
