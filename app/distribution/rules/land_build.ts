import { compareTexts } from '../../foundation/core/compare_texts.js'
import config from '@adonisjs/core/services/config'
import { findApp } from '#apps/queries/find_app'
import { requestArtifact } from '#builds/artifact_command'
import type { BuildSubscriber } from '#builds/subscribers'
import { wasLetGo, type CiBuildRow, type CiFileRow } from '#builds/queries/ci_builds'
import { holdAgain } from '#foundation/core/files/held_files'
import { change, of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import { addBuild, type AddedFile } from '../add_build.js'
import Bucket from '../models/bucket.js'
import { buildEntity, filesOf, findBuild } from '../queries/build_entities.js'
import { recordAvailability } from '../record_availability.js'
import { requestReading } from '../reading/reading_command.js'
import { planRetention } from '../retention/plan_retention.js'
import { bucketLandings, buildReadings, distributionBuilds, distributionFiles } from '../tables.js'
import { matchRules } from './match_rules.js'

const LAND = change(
  `insert into bucket_landings (bucket_id, ci_build_id, organization_id, landed_at)
  values (:bucketId, :ciBuildId, :org, :now) on conflict (bucket_id, ci_build_id) do nothing`,
  of(bucketLandings, 'bucket_landings', ['bucketId'])
)
/** Builds in buckets that still wait for a file. */
const WAITING = select(
  of(distributionBuilds, 'b', ['id', 'bucketId']),
  `from distribution_builds b where b.organization_id = :org and b.ci_build_id = :ciBuildId
    and b.status in ('pending', 'processing', 'active')
    and exists (select 1 from distribution_files f where f.build_id = b.id and f.file_id is null)
  order by b.id`
)

/** Returns the public address of the service, because no request provides it here. */
const serviceUrl = () => config.get<string>('app.serviceUrl')

/**
 * Adds a successful CI build to every bucket with a matching rule. It is idempotent per bucket,
 * even if the build has been deleted from the bucket since. Later changes of rules do not affect
 * earlier builds.
 */
export const landBuild: BuildSubscriber = async (scope, build, all) => {
  const candidates = filesByName(all)
  await finishWaiting(scope, build, candidates)
  const files = candidates.filter(({ failure }) => failure === null)
  if (build.status !== 'success' || files.length === 0) return
  const app = await findApp(scope, build.appId)
  const buckets = await scope
    .query(Bucket)
    .where({ appId: build.appId, status: 'active' })
    .orderBy('id')
  for (const bucket of buckets) {
    const match = await matchRules(bucket.rules, app, build, files)
    if (!match) continue
    const { id: bucketId } = bucket
    const landing = { bucketId, ciBuildId: build.id, now: scope.now }
    if ((await scope.change(LAND, landing)).rows.length === 0) continue
    const pattern = match.rule.branch ?? match.rule.baseBranch
    const added = {
      ciBuild: null,
      ciBuildId: build.id,
      branch: build.branch,
      source: 'rule' as const,
      testerNotes: null,
      createdBy: { type: 'automation' as const, id: null, name: `Bucket rule ${pattern}` },
    }
    for (const file of match.files) {
      await requestArtifact(scope, build, file)
      await yieldToOthers()
    }
    await addBuild(scope, bucket, added, await heldFiles(scope, match.files), serviceUrl())
  }
}

/** Returns the sort key of a file: artifacts come before attached files, each by name. */
const sortKey = ({ kind, fileName }: CiFileRow) => `${kind === 'artifact' ? 0 : 1} ${fileName}`

/**
 * Returns the files of a CI build for buckets, the future artifact first. If several files have the
 * same name, an artifact takes precedence over an attached file. Released files are left out,
 * because they are not stored again.
 */
function filesByName(files: readonly CiFileRow[]): CiFileRow[] {
  const available = files.filter((file) => !wasLetGo(file))
  const named = new Map<string, CiFileRow>()
  for (const file of available.sort((a, b) => compareTexts(sortKey(a), sortKey(b)))) {
    if (!named.has(file.fileName)) named.set(file.fileName, file)
  }
  return [...named.values()]
}

/** Returns the files of a CI build as files of a build in a bucket, and adds references to them. */
async function heldFiles(scope: Scope, files: readonly CiFileRow[]): Promise<AddedFile[]> {
  const held: AddedFile[] = []
  for (const file of files) {
    const { fileName, contentType } = file
    const kind = held.length === 0 ? ('artifact' as const) : ('additional' as const)
    const fileId = await hold(scope, file)
    await yieldToOthers()
    held.push({
      kind,
      fileName,
      contentType,
      size: file.size ?? 0,
      sha256: file.sha256 ?? '',
      fileId,
    })
  }
  return held
}

/** Adds a reference to a stored file; null if it is not stored. */
async function hold(scope: Scope, { fileId }: CiFileRow): Promise<string | null> {
  return fileId !== null && (await holdAgain(scope, fileId)) ? fileId : null
}

/** Marks a build as failed, because its artifact could not be fetched. */
async function failBuild(scope: Scope, buildId: string, failure: string): Promise<void> {
  const failed = { status: 'failed' as const, updatedAt: scope.now }
  await scope.update(distributionBuilds, { id: buildId }, failed)
  await scope.insert(buildReadings, [
    { buildId, status: 'failed', failure, metadata: null, contents: null, readAt: scope.now },
  ])
}

/** Adds newly stored files to waiting builds in buckets. The artifact makes a build active. */
async function finishWaiting(
  scope: Scope,
  build: CiBuildRow,
  files: readonly CiFileRow[]
): Promise<void> {
  for (const { id, bucketId } of await scope.rows(WAITING, { ciBuildId: build.id })) {
    const missing = (await filesOf(scope, [id])).filter(({ fileId }) => fileId === null)
    let [hasArtifact, isChanged] = [false, false]
    for (const { id: fileRow, fileName, kind } of missing) {
      const file = files.find((each) => each.fileName === fileName)
      if (kind === 'artifact' && file?.failure) {
        await failBuild(scope, id, file.failure)
        break
      }
      if (!file) continue
      await requestArtifact(scope, build, file)
      const fileId = await hold(scope, file)
      if (fileId === null) continue
      const { size, sha256 } = file
      const values = { fileId, size: size ?? 0, sha256: sha256 ?? '' }
      await scope.update(distributionFiles, { id: fileRow }, values)
      isChanged = true
      if (kind !== 'artifact') continue
      await requestReading(scope, id, fileId)
      hasArtifact = true
    }
    if (!isChanged) continue
    const status = hasArtifact ? ('active' as const) : undefined
    await scope.update(distributionBuilds, { id }, { status, updatedAt: scope.now })
    if (!hasArtifact) continue
    const bucket = (await scope.query(Bucket).where('id', bucketId).first())!
    const row = await findBuild(scope, bucket, id)
    const entity = await buildEntity(scope, row, serviceUrl())
    recordAvailability(scope, 'buildDistro.buildArtifactAvailable', bucket, entity)
    if (bucket.retention?.enabled) await planRetention(scope, bucket)
  }
}
