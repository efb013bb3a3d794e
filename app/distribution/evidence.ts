import { evidenceFile } from '#builds/evidence'
import { as, of, select } from '#foundation/core/database/statement'
import { text } from '#foundation/core/database/table'
import {
  ActorEntity,
  described,
  entity,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  enumOf,
} from '#foundation/core/schemas'
import type { PresentationExtension } from '#releases/extensions'
import { exampleBuild } from './examples.js'
import { distributionBuilds, distributionFiles } from './tables.js'
import { BUILD_SOURCES, BUILD_STATUSES } from './vocabulary.js'

const BUILDS = select(
  {
    ...of(distributionBuilds, 'd', ['id', 'status', 'ciBuildId', 'version', 'buildNumber']),
    ...of(distributionBuilds, 'd', ['source', 'createdAt', 'createdBy']),
    bucketName: as(text(), 'k.name'),
  },
  `from distribution_builds d join buckets k on k.id = d.bucket_id
  where d.organization_id = :org and d.app_id = :appId
    and (d.version = :version or d.ci_build_id in (
      select b.id from ci_builds b where b.organization_id = :org and b.release_id = :releaseId))
    and (k.org_wide_access_enabled = true or :seesAll = 1)
  order by d.created_at, d.id`
)
const FILES = select(
  of(distributionFiles, 'f', ['buildId', 'fileName', 'size', 'sha256']),
  `from distribution_files f where f.organization_id = :org and f.build_id in json(:ids)
    and f.kind <> 'icon' order by f.kind, f.file_name, f.id`
)

const EvidenceDistributedBuild = entity(
  'EvidenceDistributedBuild',
  'A build that testers of the release got.',
  {
    id: id('Id of the build.'),
    bucketName: nonEmpty('Bucket they got it from.', 200),
    status: enumOf(BUILD_STATUSES, 'What has become of it.'),
    ciBuildId: nullable(id('The CI build it comes from; null if nobody said.')),
    version: nullable(nonEmpty('Version that its file carries; null if it could not be read.', 64)),
    buildNumber: nullable(nonEmpty('Build number of its file; null as above.', 64)),
    source: enumOf(BUILD_SOURCES, 'How it came there.'),
    createdAt: instant('When, in UTC.'),
    createdBy: described('Who added it.', ActorEntity),
    files: list('Its files.', evidenceFile, 1000),
  }
)

/** Adds the builds of a release that testers received, with the digests of their files. */
export const evidence: NonNullable<PresentationExtension['evidence']> = {
  schema: {
    distributedBuilds: list(
      'Builds of its version in buckets, oldest first; for keys that are no admin, in those the whole organization sees.',
      EvidenceDistributedBuild,
      100_000
    ),
  },
  async of(scope, { id: releaseId, appId, version }) {
    const seesAll = scope.permissions.admin ? 1 : 0
    const rows = await scope.rows(BUILDS, { appId, releaseId, version, seesAll })
    const ids = JSON.stringify(rows.map((row) => row.id))
    const files = rows.length === 0 ? [] : await scope.rows(FILES, { ids })
    const distributedBuilds = rows.map((row) => ({
      id: row.id,
      bucketName: row.bucketName,
      status: row.status,
      ciBuildId: row.ciBuildId,
      version: row.version,
      buildNumber: row.buildNumber,
      source: row.source,
      createdAt: row.createdAt,
      createdBy: row.createdBy,
      files: files
        .filter(({ buildId }) => buildId === row.id)
        .map(({ fileName, size, sha256 }) => ({ fileName, size, sha256 })),
    }))
    return { distributedBuilds }
  },
  example: {
    distributedBuilds: [
      {
        id: exampleBuild.id,
        bucketName: exampleBuild.bucketName,
        status: exampleBuild.status,
        ciBuildId: exampleBuild.ciBuild.id,
        version: exampleBuild.version,
        buildNumber: exampleBuild.buildNumber,
        source: exampleBuild.source,
        createdAt: exampleBuild.createdAt,
        createdBy: exampleBuild.createdBy,
        files: [
          {
            fileName: exampleBuild.artifactFileName,
            size: exampleBuild.fileSize,
            sha256: exampleBuild.metadata.sha256,
          },
        ],
      },
    ],
  },
}
