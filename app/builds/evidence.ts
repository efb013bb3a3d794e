import {
  count,
  entity,
  flag,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  enumOf,
} from '#foundation/core/schemas'
import { of, select } from '#foundation/core/database/statement'
import type { PresentationExtension } from '#releases/extensions'
import { sha256 } from '#releases/evidence/schemas'
import { exampleCIBuild } from './examples.js'
import { ciFilesOf } from './queries/ci_builds.js'
import { ciBuilds, releaseCandidates } from './tables.js'
import { CI_BUILD_STATUSES } from './vocabulary.js'

const BUILDS = select(
  of(ciBuilds, 'b'),
  `from ci_builds b where b.organization_id = :org and (b.release_id = :releaseId
    or b.id in (select n.ci_build_id from run_builds n
      where n.organization_id = :org and n.release_id = :releaseId))
  order by b.created_at, b.id`
)
const CANDIDATE = select(
  of(releaseCandidates, 'c', ['ciBuildId', 'byHand', 'chosenAt']),
  'from release_candidates c where c.organization_id = :org and c.release_id = :releaseId'
)

/** A file with its digest, wherever it is reported. */
export const evidenceFile = object('A file of the build.', {
  fileName: nonEmpty('Name of the file.', 255),
  size: nullable(count('Size in bytes; null if unknown.')),
  sha256: nullable(sha256('Digest of its bytes; null if the service never had them.')),
})

const EvidenceBuild = entity('EvidenceBuild', 'A CI build of the release.', {
  id: id('Id of the build.'),
  buildIdentifier: nonEmpty('Number or id of the build in the CI system.', 200),
  integrationId: nonEmpty('The CI system that built.', 64),
  workflowId: nonEmpty('The workflow that built.', 200),
  branch: nonEmpty('Branch that was built.', 256),
  commitHash: nonEmpty('Commit that was built; zeros if CI has not reported it.', 64),
  buildStatus: enumOf(CI_BUILD_STATUSES, 'What the build has come to.'),
  startedAt: instant('When it began, in UTC.'),
  finishedAt: nullable(instant('When it ended, in UTC; null while it runs.')),
  isCandidate: flag('Whether it is the one that the release counts on.'),
  chosenByHand: flag('Whether a person chose it.'),
  files: list('What it made.', evidenceFile, 1000),
})

/** The builds of a release, with the digests of their files. */
export const evidence: NonNullable<PresentationExtension['evidence']> = {
  schema: { builds: list('Its CI builds, oldest first.', EvidenceBuild, 100_000) },
  async of(scope, { id: releaseId }) {
    const rows = await scope.rows(BUILDS, { releaseId })
    const [candidate] = await scope.rows(CANDIDATE, { releaseId })
    const files = await ciFilesOf(
      scope,
      rows.map((row) => row.id)
    )
    const builds = rows.map((row) => ({
      id: row.id,
      buildIdentifier: row.buildIdentifier,
      integrationId: row.integrationId,
      workflowId: row.workflowId,
      branch: row.branch,
      commitHash: row.commitHash,
      buildStatus: row.status,
      startedAt: row.startedAt,
      finishedAt: row.finishedAt,
      isCandidate: candidate?.ciBuildId === row.id,
      chosenByHand: candidate?.ciBuildId === row.id && candidate.byHand,
      files: files
        .filter(({ buildId }) => buildId === row.id)
        .map(({ fileName, size, sha256: digest }) => ({ fileName, size, sha256: digest })),
    }))
    return { builds }
  },
  example: {
    builds: [
      {
        id: exampleCIBuild.id,
        buildIdentifier: exampleCIBuild.buildIdentifier,
        integrationId: exampleCIBuild.integrationId,
        workflowId: exampleCIBuild.workflowData.workflowId,
        branch: exampleCIBuild.branch,
        commitHash: exampleCIBuild.commitHash,
        buildStatus: exampleCIBuild.buildStatus,
        startedAt: exampleCIBuild.startedAt,
        finishedAt: exampleCIBuild.finishedAt,
        isCandidate: true,
        chosenByHand: false,
        files: [
          {
            ...exampleCIBuild.artifacts[0],
            sha256: '5d41b7c1f0a9e8d3c2b1a09f8e7d6c5b4a39281706f5e4d3c2b1a0998877665f',
          },
        ],
      },
    ],
  },
}
