import config from '@adonisjs/core/services/config'
import { findApp } from '#apps/queries/find_app'
import type { BuildFollower } from '#builds/followers'
import type { CiBuildRow, CiFileRow } from '#builds/queries/ci_builds'
import { holdAgain } from '#foundation/core/files/held_files'
import { change, of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { addBuild, type AddedFile } from '../add_build.js'
import Bucket from '../models/bucket.js'
import { buildEntity, filesOf, findBuild } from '../queries/build_entities.js'
import { recordAvailability } from '../record_availability.js'
import { wishReading } from '../reading/reading_wish.js'
import { planRetention } from '../retention/plan_retention.js'
import { bucketLandings, distributionBuilds, distributionFiles } from '../tables.js'
import { matchRules } from './match_rules.js'

const LAND = change(
  `insert into bucket_landings (bucket_id, ci_build_id, organization_id, landed_at)
  values (:bucketId, :ciBuildId, :org, :now) on conflict (bucket_id, ci_build_id) do nothing`,
  of(bucketLandings, 'bucket_landings', ['bucketId'])
)
const WAITING = select(
  of(distributionBuilds, 'b', ['id', 'bucketId']),
  `from distribution_builds b where b.organization_id = :org
    and b.ci_build_id = :ciBuildId and b.status in ('pending', 'processing') order by b.id`
)

/** Where people reach the service: nobody asked for what a rule brings in. */
const serviceUrl = () => config.get<string>('app.serviceUrl')

/**
 * Brings a CI build that succeeded into every bucket with a rule for it, once each: told again of
 * the same build it does nothing, also where it was deleted from the bucket since. Rules count as
 * they are now; a rule that is changed later does not reach back.
 */
export const landBuild: BuildFollower = async (scope, build, files) => {
  await finishWaiting(scope, build, files)
  if (build.status !== 'success' || files.length === 0) return
  const app = await findApp(scope, build.appId)
  const buckets = await scope
    .query(Bucket)
    .where({ appId: build.appId, status: 'active' })
    .orderBy('id')
  const inOrder = [...files].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  for (const bucket of buckets) {
    const match = matchRules(bucket.rules, app, build, inOrder)
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
    await addBuild(scope, bucket, added, await heldFiles(scope, match.files), serviceUrl())
  }
}

/** What was built comes before what was attached, by name; the first becomes the artifact. */
const placeOf = ({ kind, fileName }: CiFileRow) => `${kind === 'artifact' ? 0 : 1} ${fileName}`

/** Files of a CI build as those of a build in a bucket, which names them too. */
async function heldFiles(scope: Scope, files: readonly CiFileRow[]): Promise<AddedFile[]> {
  const held: AddedFile[] = []
  const names = new Set<string>()
  for (const file of files) {
    const { fileName, contentType } = file
    if (names.has(fileName)) continue
    names.add(fileName)
    const kind = held.length === 0 ? ('artifact' as const) : ('additional' as const)
    const fileId = await nameAgain(scope, file)
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

/** Names a stored file once more; null for one that is not stored. */
async function nameAgain(scope: Scope, { fileId }: CiFileRow): Promise<string | null> {
  return fileId !== null && (await holdAgain(scope, fileId)) ? fileId : null
}

/** Gives builds in buckets the files that were stored since; with its artifact one is there. */
async function finishWaiting(
  scope: Scope,
  { id: ciBuildId }: CiBuildRow,
  files: readonly CiFileRow[]
): Promise<void> {
  for (const { id, bucketId } of await scope.rows(WAITING, { ciBuildId })) {
    const own = (await filesOf(scope, [id])).filter(({ fileId }) => fileId === null)
    let isThere = false
    for (const { id: fileRow, fileName, kind } of own) {
      const stored = files.find((each) => each.fileName === fileName && each.fileId !== null)
      const fileId = stored ? await nameAgain(scope, stored) : null
      if (!stored || fileId === null) continue
      const { size, sha256 } = stored
      const values = { fileId, size: size ?? 0, sha256: sha256 ?? '' }
      await scope.update(distributionFiles, { id: fileRow }, values)
      if (kind !== 'artifact') continue
      await wishReading(scope, id, fileId)
      isThere = true
    }
    if (!isThere) continue
    await scope.update(distributionBuilds, { id }, { status: 'active', updatedAt: scope.now })
    const bucket = (await scope.query(Bucket).where('id', bucketId).first())!
    const row = await findBuild(scope, bucket, id)
    const entity = await buildEntity(scope, row, serviceUrl())
    recordAvailability(scope, 'buildDistro.buildArtifactAvailable', bucket, entity)
    if (bucket.retention?.enabled) await planRetention(scope, bucket)
  }
}
