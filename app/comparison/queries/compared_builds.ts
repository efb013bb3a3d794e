import { ciBuildsById, type CiBuildRow } from '#builds/queries/ci_builds'
import { candidateBuilds, shippingBuild } from '#builds/release_candidate'
import { distributionBuilds, buildReadings } from '#distribution/tables'
import { as, of, select, variants, type RowOfSelect } from '#foundation/core/database/statement'
import { optional, text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { releases } from '#releases/tables'
import type { ReleaseRow } from '#releases/queries/read_release'
import { newestFirst } from '#releases/queries/version_sql'
import { buildOfVersion, storeBuildsById } from '#stores/queries/store_builds'
import { storesOfRelease } from '#stores/queries/store_state'
import type { MetadataStatus } from '#distribution/vocabulary'
import type { ReadBuild } from '../compare.js'

const BUILDS = select(
  {
    ...of(distributionBuilds, 'd', ['id', 'bucketId', 'version', 'buildNumber', 'ciBuild']),
    ...of(buildReadings, 'r', ['metadata', 'contents']),
    readingStatus: as(optional(text<MetadataStatus>()), 'r.status'),
    failure: as(optional(text()), 'r.failure'),
  },
  `from distribution_builds d left join build_readings r
    on r.organization_id = d.organization_id and r.build_id = d.id
  where d.organization_id = :org and d.app_id = :appId`
)
const buildsWith = variants(BUILDS, '')
const NEWEST = `order by case when r.metadata is null then 1 else 0 end, d.created_at desc, d.id desc`
const BY_ID = buildsWith('and d.id = :id')
const OF_CI = buildsWith(`and d.ci_build_id = :ciBuildId ${NEWEST} limit 1`)
const UPLOADED = buildsWith(
  `and d.ci_build_id is null and d.ci_build like :naming escape '!' ${NEWEST} limit 20`
)
const OF_NUMBER = buildsWith(
  `and d.version in json(:versions) and d.build_number = :number ${NEWEST} limit 1`
)
const OF_VERSION = buildsWith(`and d.version in json(:versions) ${NEWEST} limit 1`)

const LIVE = select(
  of(releases, 'r', ['id', 'appId', 'version']),
  `from releases r where r.organization_id = :org and r.app_id = :appId and r.id <> :except
    and (r.released_at is not null or r.imported = true) and r.halted_at is null
    and r.status in ('active', 'completed')
  ${newestFirst('r')} limit 1`
)

/** A build in a bucket, as far as its file was read. */
export interface ComparedBuild {
  id: string
  bucketId: string
  version: string | null
  buildNumber: string | null
  /** Null while it was not read. */
  read: ReadBuild | null
  /** Why it was not read; null where it was. */
  why: string | null
}

type Row = RowOfSelect<typeof BUILDS>

function comparedBuild(row: Row): ComparedBuild {
  const { id, bucketId, version, buildNumber, metadata, contents } = row
  const read = metadata === null ? null : { metadata, contents }
  return { id, bucketId, version, buildNumber, read, why: read ? null : whyUnread(row) }
}

function whyUnread({ readingStatus, failure }: Row): string {
  if (readingStatus === 'failed') return failure ?? 'its file cannot be read'
  return 'its file is still being read'
}

/** The build of an id; null where the app has none. */
export async function buildById(
  scope: Scope,
  appId: string,
  id: string
): Promise<ComparedBuild | null> {
  const [row] = await scope.rows(BY_ID, { appId, id })
  return row ? comparedBuild(row) : null
}

/** A release as far as builds are found by it. */
type Shipping = Pick<ReleaseRow, 'id' | 'appId' | 'version'>

/** What a release ships, or has shipped. */
export interface Shipped {
  /** The build in words. */
  name: string
  /** Null where no bucket has its file. */
  build: ComparedBuild | null
}

/** A trace of the build of a release, with the build in words: another build has other ones. */
interface Trace {
  name: string
  ciBuildId: string | null
  /** In its store; null while none has it. */
  number: string | null
}

const LONGEST_NAME = 150

/**
 * The build that a release is to ship: the one chosen in its store, else its candidate, else, where
 * CI builds nothing of the app, the newest in its buckets. Null while there is none.
 */
export async function chosenBuild(scope: Scope, release: Shipping): Promise<Shipped | null> {
  const trace =
    (await storeTraces(scope, release, 'chosen'))[0] ?? (await candidate(scope, release))
  if (trace) return { name: trace.name, build: await traced(scope, release, trace) }
  if ((await candidateBuilds(scope, release)) !== null) return null
  return newestOf(scope, release)
}

/** The release that users have, but for one; null while there is none. */
export async function liveRelease(
  scope: Scope,
  appId: string,
  except = ''
): Promise<Shipping | null> {
  const [live] = await scope.rows(LIVE, { appId, except })
  return live ?? null
}

/** The build of a release that users have, by what its store tells, else as it was chosen. */
export async function shippedBuild(scope: Scope, release: Shipping): Promise<Shipped> {
  const traces = [
    ...(await storeTraces(scope, release, 'shown')),
    ...(await storeTraces(scope, release, 'chosen')),
    await candidate(scope, release),
  ]
  for (const trace of traces) {
    if (trace === null) continue
    const build = await traced(scope, release, trace)
    if (build) return { name: trace.name, build }
  }
  return (await newestOf(scope, release)) ?? { name: release.version, build: null }
}

/** The newest build of a version in the buckets of its app. */
async function newestOf(scope: Scope, { appId, version }: Shipping): Promise<Shipped | null> {
  const [row] = await scope.rows(OF_VERSION, { appId, versions: spellings(version) })
  if (!row) return null
  const build = comparedBuild(row)
  return { name: build.buildNumber === null ? version : `build ${build.buildNumber}`, build }
}

/** The builds that stores have of a release, or are to get. */
async function storeTraces(
  scope: Scope,
  release: Shipping,
  which: 'chosen' | 'shown'
): Promise<Trace[]> {
  const traces: Trace[] = []
  for (const { plan, version, destinationId } of await storesOfRelease(scope, release)) {
    const place = { releaseId: release.id, destinationId }
    const build =
      which === 'shown'
        ? await buildOfVersion(scope, place, version?.known?.buildNumbers ?? [])
        : (await storeBuildsById(scope, plan?.buildId ? [plan.buildId] : []))[0]
    if (!build) continue
    const { ciBuildId, buildNumber: number } = build
    traces.push({ name: `build ${number}`, ciBuildId, number })
  }
  return traces
}

async function candidate(scope: Scope, { id }: Shipping): Promise<Trace | null> {
  const ciBuildId = await shippingBuild(scope, id)
  const [build] = ciBuildId === null ? [] : await ciBuildsById(scope, [ciBuildId])
  if (!build) return null
  const name = `CI build ${build.buildIdentifier}`.slice(0, LONGEST_NAME).toWellFormed()
  return { name, ciBuildId, number: null }
}

/** The build in a bucket that a trace leads to. */
async function traced(
  scope: Scope,
  { appId, version }: Shipping,
  { ciBuildId, number }: Trace
): Promise<ComparedBuild | null> {
  if (ciBuildId !== null) {
    const [landed] = await scope.rows(OF_CI, { appId, ciBuildId })
    const found = landed ?? (await uploadedOf(scope, appId, ciBuildId))
    if (found) return comparedBuild(found)
  }
  if (number === null) return null
  const [row] = await scope.rows(OF_NUMBER, { appId, number, versions: spellings(version) })
  return row ? comparedBuild(row) : null
}

/** A build that was uploaded with the name of a CI build. */
async function uploadedOf(scope: Scope, appId: string, ciBuildId: string): Promise<Row | null> {
  const [ci] = await ciBuildsById(scope, [ciBuildId])
  if (!ci) return null
  const named = JSON.stringify(ci.buildIdentifier).replace(/[!%_]/g, '!$&')
  const rows = await scope.rows(UPLOADED, { appId, naming: `%${named}%` })
  return rows.find((row) => isOf(row, ci)) ?? null
}

const isOf = ({ ciBuild }: Row, ci: CiBuildRow) =>
  ciBuild?.buildIdentifier === ci.buildIdentifier && ciBuild.integrationId === ci.integrationId

/** The ways in which a file may write a version: 4.1.0 may be 4.1. */
function spellings(version: string): string {
  const written = [version]
  for (let each = version; each.endsWith('.0');) {
    each = each.slice(0, -2)
    written.push(each)
  }
  return JSON.stringify(written)
}
