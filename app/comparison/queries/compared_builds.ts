import { ciBuildsById, type CiBuildRow } from '#builds/queries/ci_builds'
import { candidateBuilds, shippingBuild } from '#builds/release_candidate'
import { contentsOf } from '#distribution/queries/build_contents'
import { distributionBuilds, buildReadings } from '#distribution/tables'
import { as, of, select, variants, type RowOfSelect } from '#foundation/core/database/statement'
import { integer, optional, text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { releases } from '#releases/tables'
import type { ReleaseRow } from '#releases/queries/read_release'
import { newest } from '#releases/queries/version_sql'
import { buildInStore } from '#stores/builds/out_build'
import { storesOfRelease } from '#stores/queries/store_state'
import type { MetadataStatus } from '#distribution/vocabulary'
import type { ReadBuild } from '../compare.js'

/** Prefers files in buckets for release candidates, then in custom buckets, then in all others. */
const RANK = `case k.type when 'rc' then 0 when 'custom' then 1 else 2 end`
const BUILDS = select(
  {
    ...of(distributionBuilds, 'd', ['id', 'bucketId', 'version', 'buildNumber', 'ciBuild']),
    ...of(buildReadings, 'r', ['metadata']),
    readingStatus: as(optional(text<MetadataStatus>()), 'r.status'),
    failure: as(optional(text()), 'r.failure'),
    rank: as(integer(), RANK),
  },
  `from distribution_builds d
  join buckets k on k.organization_id = d.organization_id and k.id = d.bucket_id
  left join build_readings r
    on r.organization_id = d.organization_id and r.build_id = d.id
  where d.organization_id = :org and d.app_id = :appId`
)
const buildsWith = variants(BUILDS, '')
const NEWEST = `order by ${RANK}, case when r.metadata is null then 1 else 0 end, d.created_at desc, d.id desc limit 50`
const BY_ID = buildsWith('and d.id = :id')
const SELECT_BY_CI_BUILD = buildsWith(`and d.ci_build_id = :ciBuildId ${NEWEST}`)
const UPLOADED = buildsWith(
  `and d.ci_build_id is null and d.ci_build like :naming escape '!' ${NEWEST}`
)
const SELECT_BY_NUMBER = buildsWith(
  `and d.version in json(:versions) and d.build_number = :number ${NEWEST}`
)
const SELECT_BY_VERSION = buildsWith(`and d.version in json(:versions) ${NEWEST}`)

const liveWith = variants(
  select(
    of(releases, 'r', ['id', 'appId', 'version']),
    `from releases r where r.organization_id = :org and r.app_id = :appId and r.id <> :except
    and (r.released_at is not null or r.imported = true) and r.status in ('active', 'completed')`
  ),
  `order by case when r.halted_at is null then 0 else 1 end, ${newest('r')} limit 1`
)
const LIVE = liveWith('')
/** An imported release may have no release time: it counts as older than all others. */
const LIVE_BEFORE = liveWith('and (r.released_at is null or r.released_at < :releasedAt)')

/** A build in a bucket, with the information read from its file. */
export interface ComparedBuild {
  id: string
  bucketId: string
  version: string | null
  buildNumber: string | null
  /** Null if its file was not read. */
  read: ReadBuild | null
  /** Why its file was not read; null if it was. */
  why: string | null
}

type Row = RowOfSelect<typeof BUILDS>

/** Contents are large, so they are loaded only for the build that is compared. */
async function comparedBuild(scope: Scope, row: Row): Promise<ComparedBuild> {
  const { id, bucketId, version, buildNumber, metadata } = row
  const read = metadata && { metadata, contents: await contentsOf(scope, id) }
  return { id, bucketId, version, buildNumber, read, why: read ? null : whyUnread(row) }
}

function whyUnread({ readingStatus, failure }: Row): string {
  if (readingStatus === 'failed') return failure ?? 'its file cannot be read'
  return 'its file is still being read'
}

/** Returns the build with an id; null if the app has no such build. */
export async function buildById(
  scope: Scope,
  appId: string,
  id: string
): Promise<ComparedBuild | null> {
  const [row] = await scope.rows(BY_ID, { appId, id })
  return row ? comparedBuild(scope, row) : null
}

/** The part of a release that identifies its builds. */
type Shipping = Pick<ReleaseRow, 'id' | 'appId' | 'version'>

/** The build that a release ships, or has shipped. */
export interface Shipped {
  /** The build in words. */
  name: string
  /** Null if no bucket has its file. */
  build: ComparedBuild | null
}

/** The identifiers by which the build of a release is found in buckets. */
interface Trace {
  /** The build in words. */
  name: string
  ciBuildId: string | null
  /** Its build number in its store; null while no store has it. */
  number: string | null
  /** Its store; null if no store has it. */
  destinationId: string | null
}

/** A build that a release is to ship, and the build of the live version to compare it with. */
export interface Pair {
  build: Shipped
  base: Shipped
  baseVersion: string
}

const MAX_NAME_LENGTH = 150

/**
 * Returns the builds that a release is to ship, each with the build that users have in the same
 * store. They are the builds that its stores show or are to get; else its candidate; else, if CI does
 * not build the app, the newest build in the app's buckets. Empty while there is none.
 */
export async function comparedPairs(
  scope: Scope,
  release: Shipping,
  live: Shipping
): Promise<Pair[]> {
  const pairs: Pair[] = []
  const traces = await chosenTraces(scope, release)
  if (traces.length === 0) return pairs
  const shipped = await shippedTraces(scope, live)
  for (const trace of traces) {
    const base = await shippedIn(scope, live, shipped, trace?.destinationId ?? null)
    const build = await buildOfTrace(scope, release, trace, base)
    if (build) pairs.push({ build, base, baseVersion: live.version })
  }
  return pairs
}

/**
 * Returns the build that a release is to ship, preferably with the base's bundle id; null for none.
 * @param store id of the destination; absent for the first build of several stores
 */
export async function chosenBuild(
  scope: Scope,
  release: Shipping,
  base: Shipped | null,
  store?: string | null
): Promise<Shipped | null> {
  const [trace] = await chosenTraces(scope, release, store)
  return trace === undefined ? null : buildOfTrace(scope, release, trace, base)
}

/** A null in place of a trace stands for the newest build in the buckets of the app. */
async function chosenTraces(
  scope: Scope,
  release: Shipping,
  store?: string | null
): Promise<(Trace | null)[]> {
  const traces = (await storeTraces(scope, release)).filter(
    ({ destinationId }) => store === undefined || destinationId === store
  )
  if (traces.length > 0) return traces
  const trace = await candidate(scope, release)
  if (trace) return [trace]
  return (await candidateBuilds(scope, release)) === null ? [null] : []
}

async function buildOfTrace(
  scope: Scope,
  release: Shipping,
  trace: Trace | null,
  base: Shipped | null
): Promise<Shipped | null> {
  const bundleId = base?.build?.read?.metadata.bundleId
  if (trace === null) return newestOf(scope, release, bundleId)
  return { name: trace.name, build: await traced(scope, release, trace, bundleId) }
}

/**
 * Returns the release that users have, other than `except`; null if there is none. A halted release
 * counts only if there is no other. If users already have `except`, returns the release before it.
 */
export async function liveRelease(
  scope: Scope,
  appId: string,
  except: Pick<ReleaseRow, 'id' | 'releasedAt'> | null
): Promise<Shipping | null> {
  const given = { appId, except: except?.id ?? '' }
  const [live] = except?.releasedAt
    ? await scope.rows(LIVE_BEFORE, { ...given, releasedAt: except.releasedAt })
    : await scope.rows(LIVE, given)
  return live ?? null
}

/** The traces of a build that users have. */
interface ShippedTraces {
  inStores: Trace[]
  ofCandidate: Trace | null
}

const shippedTraces = async (scope: Scope, release: Shipping): Promise<ShippedTraces> => ({
  inStores: await storeTraces(scope, release),
  ofCandidate: await candidate(scope, release),
})

/**
 * Returns the build of a release that users have, preferably as one store shows it.
 * @param store id of the destination; null for the first
 */
export const shippedBuild = async (
  scope: Scope,
  release: Shipping,
  store: string | null = null
): Promise<Shipped> => shippedIn(scope, release, await shippedTraces(scope, release), store)

async function shippedIn(
  scope: Scope,
  release: Shipping,
  { inStores, ofCandidate }: ShippedTraces,
  destinationId: string | null
): Promise<Shipped> {
  const isOwn = (trace: Trace) => trace.destinationId === destinationId
  for (const trace of [
    ...inStores.filter(isOwn),
    ...inStores.filter((each) => !isOwn(each)),
    ofCandidate,
  ]) {
    const build = trace && (await traced(scope, release, trace))
    if (build) return { name: trace.name, build }
  }
  return (await newestOf(scope, release)) ?? { name: release.version, build: null }
}

/** Returns the newest build of a version in the buckets of its app. */
async function newestOf(
  scope: Scope,
  { appId, version }: Shipping,
  bundleId?: string
): Promise<Shipped | null> {
  const row = pick(
    await scope.rows(SELECT_BY_VERSION, { appId, versions: spellings(version) }),
    bundleId
  )
  if (!row) return null
  const build = await comparedBuild(scope, row)
  return { name: build.buildNumber === null ? version : `build ${build.buildNumber}`, build }
}

/** Returns the first row of the best rank, preferably with the bundle id. */
function pick(rows: readonly Row[], bundleId?: string): Row | undefined {
  const best = rows.filter(({ rank }) => rank === rows[0].rank)
  const ofApp = bundleId && best.find(({ metadata }) => metadata?.bundleId === bundleId)
  return ofApp || best[0]
}

/** Returns the builds of a release that its stores show or are to get. */
async function storeTraces(scope: Scope, release: Shipping): Promise<Trace[]> {
  const traces: Trace[] = []
  for (const store of await storesOfRelease(scope, release)) {
    const build = await buildInStore(scope, release, store)
    if (!build) continue
    const { ciBuildId, buildNumber: number } = build
    const { destinationId } = store
    traces.push({ name: `build ${number}`, ciBuildId, number, destinationId })
  }
  return traces
}

async function candidate(scope: Scope, { id }: Shipping): Promise<Trace | null> {
  const ciBuildId = await shippingBuild(scope, id)
  const [build] = ciBuildId === null ? [] : await ciBuildsById(scope, [ciBuildId])
  if (!build) return null
  const name = `CI build ${build.buildIdentifier}`.slice(0, MAX_NAME_LENGTH).toWellFormed()
  return { name, ciBuildId, number: null, destinationId: null }
}

/** Returns the build in a bucket that a trace leads to. */
async function traced(
  scope: Scope,
  { appId, version }: Shipping,
  { ciBuildId, number }: Trace,
  bundleId?: string
): Promise<ComparedBuild | null> {
  if (ciBuildId !== null) {
    const landed = await scope.rows(SELECT_BY_CI_BUILD, { appId, ciBuildId })
    const ofCi = landed.length > 0 ? landed : await uploadedOf(scope, appId, ciBuildId)
    const found = pick(ofCi, bundleId)
    if (found) return comparedBuild(scope, found)
  }
  if (number === null) return null
  const versions = spellings(version)
  const row = pick(await scope.rows(SELECT_BY_NUMBER, { appId, number, versions }), bundleId)
  return row ? comparedBuild(scope, row) : null
}

/** Returns the builds that were uploaded with the name of a CI build. */
async function uploadedOf(scope: Scope, appId: string, ciBuildId: string): Promise<Row[]> {
  const [ci] = await ciBuildsById(scope, [ciBuildId])
  if (!ci) return []
  const named = JSON.stringify(ci.buildIdentifier).replace(/[!%_]/g, '!$&')
  const rows = await scope.rows(UPLOADED, { appId, naming: `%${named}%` })
  return rows.filter((row) => isOfCiBuild(row, ci))
}

const isOfCiBuild = ({ ciBuild }: Row, ci: CiBuildRow) =>
  ciBuild?.buildIdentifier === ci.buildIdentifier && ciBuild.integrationId === ci.integrationId

/** Returns the ways in which a file may write a version: 4.1.0 may be 4.1. */
function spellings(version: string): string {
  const written = [version]
  for (let each = version; each.endsWith('.0');) {
    each = each.slice(0, -2)
    written.push(each)
  }
  return JSON.stringify(written)
}
