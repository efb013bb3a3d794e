import type { PageRequest } from '#foundation/api/pages'
import { as, of, select, variants } from '#foundation/core/database/statement'
import { instant, optional, text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { peopleOf } from '#organizations/queries/people'
import type { BuildDownloadEntity } from './entities.js'
import { buildDownloads } from './tables.js'

const TESTERS = select(
  {
    buildId: as(text(), 't.build_id'),
    id: as(text(), 'u.id'),
    email: as(text(), 'u.email'),
    installedAt: as(optional(instant()), 't.installed_at'),
    device: as(optional(text()), 't.device'),
  },
  `from (
    select d.build_id, d.user_id, min(d.downloaded_at) as installed_at, max(d.device) as device
      from build_downloads d
      where d.organization_id = :org and d.build_id in json(:ids) and d.user_id is not null
      group by d.build_id, d.user_id
    union all
    select distinct l.build_id, l.user_id, null, null from install_links l
      where l.organization_id = :org and l.build_id in json(:ids) and l.user_id is not null
        and not exists (select 1 from build_downloads o
          where o.build_id = l.build_id and o.user_id = l.user_id)
  ) t join users u on u.id = t.user_id order by u.email`
)

/** Returns a function from a build's id to its testers: those with a link, or who downloaded it. */
export async function testersOf(scope: Scope, buildIds: readonly string[]) {
  const rows = await scope.rows(TESTERS, { ids: JSON.stringify(buildIds) })
  const testers = Map.groupBy(rows, ({ buildId }) => buildId)
  return (wanted: string) => (testers.get(wanted) ?? []).map(({ buildId: _, ...tester }) => tester)
}

const downloadsWith = variants(
  select(
    {
      ...of(buildDownloads, 'd'),
      version: as(optional(text()), 'b.version'),
      buildNumber: as(optional(text()), 'b.build_number'),
      keyName: as(optional(text()), 'k.name'),
    },
    `from build_downloads d join distribution_builds b on b.id = d.build_id
      left join api_keys k on k.id = d.key_id
    where d.organization_id = :org and d.bucket_id = :bucketId`
  ),
  'order by d.downloaded_at desc, d.id desc limit :limit'
)

type DownloadRow = Awaited<ReturnType<typeof listDownloads>>[number]

export const downloadKeys = ({ downloadedAt, id }: DownloadRow) => [downloadedAt, id]

/** Returns the downloads of a bucket's builds, newest first. */
export function listDownloads(
  scope: Scope,
  bucketId: string,
  { buildDistroBuildId: buildId, email }: { buildDistroBuildId?: string; email?: string },
  { limit, after }: PageRequest
) {
  const bindings: Record<string, string | number> = { bucketId, limit }
  const conditions: string[] = []
  if (buildId !== undefined) {
    conditions.push('and d.build_id = :buildId')
    bindings.buildId = buildId
  }
  if (email !== undefined) {
    conditions.push(
      'and d.user_id = (select u.id from users u where u.organization_id = :org and u.email = :email)'
    )
    bindings.email = email
  }
  if (after) {
    conditions.push('and (d.downloaded_at, d.id) < (:lastAt, :lastId)')
    Object.assign(bindings, { lastAt: after[0], lastId: after[1] })
  }
  return scope.rows(downloadsWith(conditions.join(' ')), bindings)
}

/** Downloads as the API shows them. */
export async function downloadEntities(
  scope: Scope,
  downloads: readonly DownloadRow[]
): Promise<BuildDownloadEntity[]> {
  const people = await peopleOf(
    scope,
    downloads.flatMap(({ userId }) => userId ?? [])
  )
  return downloads.map(({ id, buildId, userId, keyId, keyName, version, buildNumber, ...own }) => {
    const tester = userId === null ? undefined : people.get(userId)
    return {
      id,
      buildDistroBuildId: buildId,
      version,
      buildNumber,
      tester: tester ? { id: tester.id, email: tester.email, name: tester.name } : null,
      installLinkId: own.installLinkId,
      apiKey: keyId === null ? null : { id: keyId, name: keyName ?? '' },
      device: own.device,
      downloadedAt: own.downloadedAt,
    }
  })
}
