import { findApp } from '#apps/queries/find_app'
import { placeOf } from '#apps/queries/place_of'
import { findBucket, visibleBuckets } from '#distribution/queries/find_bucket'
import { ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { refuse, refuseField } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { publicReleaseId } from '#releases/names/public_release_id'
import { readReferencedRelease } from '#releases/queries/find_release'
import type { ReleaseRow } from '#releases/queries/read_release'
import { changeText } from '../change_words.js'
import { compareBuilds } from '../compare.js'
import type { BuildComparison } from '../entities.js'
import {
  buildById,
  chosenBuild,
  liveRelease,
  shippedBuild,
  type Shipped,
} from '../queries/compared_builds.js'
import type { CompareQuery } from '../validators/compare_query.js'

/** One side of a comparison, with its release. */
interface Side extends Shipped {
  releaseId: string | null
}

type IsSeen = (side: Side) => boolean
type SideEntity = NonNullable<BuildComparison['build']>

export class ComparisonController {
  /** @throws not_found, invalid_input */
  async show({ scope, params: { appId }, query }: Call<undefined, CompareQuery>) {
    await findApp(scope, appId)
    const { buildId, releaseId, baseBuildId, destinationId } = query
    if ((buildId === undefined) === (releaseId === undefined)) {
      throw refuseField('/buildId', 'one_of', 'Name either buildId or releaseId.')
    }
    const release = releaseId && (await readReferencedRelease(scope, appId, releaseId)).release
    const store = await storeOf(scope, appId, destinationId)
    const base = baseBuildId
      ? await sideById(scope, appId, baseBuildId)
      : await liveSide(scope, appId, release || null, store)
    const build = release
      ? await sideOfRelease(scope, release, base, store)
      : await sideById(scope, appId, buildId!)
    const isSeen = await visibilityCheck(scope, appId)
    return ok(comparisonOf(base, build, isSeen))
  }
}

/** @throws not_found also for a build in a bucket that the requester cannot see */
async function sideById(scope: Scope, appId: string, id: string): Promise<Side> {
  const build = await buildById(scope, appId, id)
  if (!build) throw refuse('not_found', { detail: `The app has no build ${id}.` })
  await findBucket(scope, appId, build.bucketId)
  const { buildNumber, version } = build
  const name = buildNumber === null ? (version ?? 'the build') : `build ${buildNumber}`
  return { name, build, releaseId: null }
}

/** Returns the id of a store, as `placeOf` does; undefined for none. @throws not_found */
async function storeOf(scope: Scope, appId: string, destinationId: string | undefined) {
  if (destinationId === undefined) return undefined
  const store = await placeOf(scope, appId, destinationId)
  if (store !== undefined) return store
  throw refuse('not_found', { detail: `The app has no destination ${destinationId}.` })
}

/** Returns the build that a release is to ship, in one store if given; null while it has none. */
async function sideOfRelease(
  scope: Scope,
  release: ReleaseRow,
  base: Side | null,
  store?: string | null
) {
  const chosen = await chosenBuild(scope, release, base, store)
  return chosen && { ...chosen, releaseId: release.publicId }
}

async function liveSide(
  scope: Scope,
  appId: string,
  except: ReleaseRow | null,
  store: string | null = null
): Promise<Side | null> {
  const live = await liveRelease(scope, appId, except)
  return live && { ...(await shippedBuild(scope, live, store)), releaseId: publicReleaseId(live) }
}

/** Returns a function that says whether the requester may see the bucket of a side. */
async function visibilityCheck(scope: Scope, appId: string): Promise<IsSeen> {
  const seen = new Set((await visibleBuckets(scope, appId)).map(({ id }) => id))
  return ({ build }) => build === null || seen.has(build.bucketId)
}

function comparisonOf(base: Side | null, build: Side | null, isSeen: IsSeen): BuildComparison {
  const [before, after] = [base?.build?.read, build?.build?.read]
  const { changes, notCompared } =
    before && after ? compareBuilds(before, after) : { changes: [], notCompared: [] }
  return {
    base: base && sideEntity(base, isSeen(base)),
    build: build && sideEntity(build, isSeen(build)),
    changes: changes.map((change) => ({ ...change, message: changeText(change) })),
    notCompared,
    explanation: explanationOf(base, build),
  }
}

function explanationOf(base: Side | null, build: Side | null): string | null {
  if (!build) return 'The release has no build yet.'
  if (!base) return 'Users have no other version yet: there is nothing to compare with.'
  const unread = [build, base].find((side) => !side.build?.read)
  if (!unread) return null
  const { name, releaseId, build: found } = unread
  const whose = releaseId && !releaseId.endsWith(`:${name}`) ? `${name} of ${releaseId}` : name
  return found
    ? `The file of ${whose} was not read: ${found.why}.`
    : `No bucket has a file of ${whose}.`
}

/** A build in a bucket that the requester cannot see is shown only as far as its release shows it. */
function sideEntity({ name, build, releaseId }: Side, isSeen: boolean): SideEntity {
  const metadata = build?.read?.metadata
  return {
    name,
    releaseId,
    buildId: (isSeen && build?.id) || null,
    bucketId: (isSeen && build?.bucketId) || null,
    version: build?.version ?? null,
    buildNumber: build?.buildNumber ?? null,
    whyUnread: metadata ? null : (build?.why ?? 'no bucket has its file'),
    format: metadata?.format ?? null,
    minimumOsVersion: metadata?.minimumOsVersion ?? null,
    targetOsVersion: metadata?.targetOsVersion ?? null,
    permissions: (isSeen && metadata?.permissions) || [],
    contents: (isSeen && build?.read?.contents) || null,
  }
}
