import { crc32 } from 'node:zlib'
import { storeKindOf, type AppPlatform } from '#apps/vocabulary'
import { newId } from '#foundation/core/ids'
import { as, change, of, select } from '#foundation/core/database/statement'
import { integer, text, type RowOf } from '#foundation/core/database/table'
import type { Instant } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import { releases } from '#releases/tables'
import { compareVersions, parseVersion } from '#workflow/version'
import { wentToAll } from '../derive/store_facts.js'
import { isSameName, nameIn, nameOnTrack, versionOfName } from '../derive/version_names.js'
import { canArrive } from '../reconciler/calls.js'
import { versionIn, type StoreRecord, type VersionRecord } from '../reconciler/record.js'
import { isForUsers, isListed, isOver } from '../reconciler/states.js'
import { appStoreVersions, storePlans, storeRecords } from '../tables.js'
import type { PlanRow, VersionRow } from './store_state.js'
import { storeMembers } from '../tables.js'
import { trackOf, type StoreTarget } from './store_targets.js'

const BY_KEY = select(
  of(storeRecords, 's', ['id']),
  `from store_records s where s.organization_id = :org and s.plugin_id = :pluginId
    and s.bundle_id = :bundleId and s.platform = :platform`
)
const BY_ID = select(
  of(storeRecords, 's'),
  'from store_records s where s.organization_id = :org and s.id = :storeId'
)
const MEMBER = select(
  of(storeMembers, 'm', ['storeId']),
  'from store_members m where m.organization_id = :org and m.integration_id = :integrationId'
)
const SET_MEMBER = change(
  `insert into store_members (organization_id, integration_id, store_id)
  values (:org, :integrationId, :storeId)
  on conflict (integration_id) do update set store_id = excluded.store_id`
)
const CREATE = change(
  `insert into store_records (id, organization_id, plugin_id, bundle_id, platform, generation,
    lag_seconds, calls, others, updated_at)
  values (:id, :org, :pluginId, :bundleId, :platform, 0, 0, '[]', '[]', :now)
  on conflict (organization_id, plugin_id, bundle_id, platform) do nothing`
)
const APPS = select(
  {
    appId: as(text(), 'i.app_id'),
    connectionId: as(text(), 'i.connection_id'),
    credentials: as(integer(), 'coalesce(c.version, 0)'),
  },
  `from store_members m
  join integrations i on i.organization_id = m.organization_id and i.id = m.integration_id
  left join connection_secrets c on c.organization_id = i.organization_id
    and c.connection_id = i.connection_id and c.retired_at is null
  where m.organization_id = :org and m.store_id = :storeId order by i.app_id, i.id`
)
const WITH_VERSION = of(releases, 'r', ['version'])
const WITH_NAME = { ...WITH_VERSION, appPlatform: as(text<AppPlatform>(), 'a.platform') }
const VERSIONS = select(
  { ...of(appStoreVersions, 'v'), ...WITH_NAME },
  `from store_members m
  join app_store_versions v on v.organization_id = m.organization_id
    and v.integration_id = m.integration_id
  join releases r on r.organization_id = v.organization_id and r.id = v.release_id
  join apps a on a.organization_id = v.organization_id and a.id = v.app_id
  where m.organization_id = :org and m.store_id = :storeId and not v.is_over
  order by v.created_at, v.id`
)
const PLANS = select(
  { ...of(storePlans, 'p'), ...WITH_NAME },
  `from store_members m
  join store_plans p on p.organization_id = m.organization_id
    and p.integration_id = m.integration_id
  join releases r on r.organization_id = p.organization_id and r.id = p.release_id
  join apps a on a.organization_id = p.organization_id and a.id = p.app_id
  where m.organization_id = :org and m.store_id = :storeId
    and (p.wanted is not null or p.rollout is not null)
    and not exists (select 1 from app_store_versions v where v.release_id = p.release_id
      and v.integration_id = p.integration_id and v.is_over)
  order by p.id`
)

type RecordRow = RowOf<typeof storeRecords>

/** A store whose record is locked, with the rows that the record was built from. */
export interface OpenStore {
  id: string
  row: RecordRow
  record: StoreRecord
  /** The apps that use the store. */
  appIds: string[]
  /** Rows, each with the name of its version in the record. */
  versions: (VersionRow & { version: string })[]
  plans: (PlanRow & { version: string })[]
}

/** Returns the id of the store of an integration, and creates its record if needed. */
export async function storeIdOf(scope: Scope, target: StoreTarget): Promise<string> {
  const { integrationId, pluginId, bundleId, platform } = target
  const key = { pluginId, bundleId, platform }
  let [found] = await scope.rows(BY_KEY, key)
  if (!found) {
    await scope.change(CREATE, { id: newId('store'), ...key, now: scope.now })
    ;[found] = await scope.rows(BY_KEY, key)
  }
  const [member] = await scope.rows(MEMBER, { integrationId })
  if (member?.storeId !== found.id)
    await scope.change(SET_MEMBER, { integrationId, storeId: found.id })
  return found.id
}

const SELECT_BY_INTEGRATION = select(
  of(storeRecords, 's'),
  `from store_members m
  join store_records s on s.organization_id = m.organization_id and s.id = m.store_id
  where m.organization_id = :org and m.integration_id = :integrationId`
)

/**
 * Returns the record of a store without a lock and without the versions of releases; null if there
 * is none. The record may be stale, so nothing may be decided by it.
 */
export async function storeRecordOf(
  scope: Scope,
  { integrationId }: Pick<StoreTarget, 'integrationId'>
): Promise<StoreRecord | null> {
  const [row] = await scope.rows(SELECT_BY_INTEGRATION, { integrationId })
  return row ? { ...recordOf(row), credentials: 0 } : null
}

const recordOf = ({ platform, ...row }: RecordRow): Omit<StoreRecord, 'credentials'> => ({
  type: storeKindOf(platform) === 'google' ? 'google' : 'apple',
  generation: row.generation,
  lagSeconds: row.lagSeconds,
  polledAt: row.polledAt,
  pollFailure: structuredClone(row.pollFailure),
  versions: structuredClone(row.others),
  calls: structuredClone(row.calls),
})

/** Returns the apps that use a store, in locking order. */
export async function appsOfStore(scope: Scope, storeId: string): Promise<string[]> {
  const rows = await scope.rows(APPS, { storeId })
  return [...new Set(rows.map(({ appId }) => appId))].sort()
}

/**
 * Returns the apps that share the store of an integration, in locking order; only the app itself if
 * the integration has no store yet.
 */
export async function appsSharingStore(
  scope: Scope,
  { appId, integrationId }: Pick<StoreTarget, 'appId' | 'integrationId'>
): Promise<string[]> {
  const [member] = await scope.rows(MEMBER, { integrationId })
  const beside = member ? await appsOfStore(scope, member.storeId) : []
  return [...new Set([appId, ...beside])].sort()
}

const CALLS = select(
  of(storeRecords, 's', ['lagSeconds', 'calls']),
  `from store_members m
  join store_records s on s.organization_id = m.organization_id and s.id = m.store_id
  where m.organization_id = :org and m.integration_id = :integrationId`
)

/**
 * Returns when the first call about a version began that may still reach the store; null if there
 * is none.
 */
export async function pendingCallSince(
  scope: Scope,
  { integrationId, track }: Pick<StoreTarget, 'integrationId' | 'track'>,
  version: string
): Promise<Instant | null> {
  const [record] = await scope.rows(CALLS, { integrationId })
  const name = nameOnTrack(track, version)
  const own = record?.calls.find(
    (each) => isSameName(each.call.version, name) && canArrive(record, each, scope.now)
  )
  return own?.beganAt ?? null
}

const PRESENT = select(
  { ...WITH_VERSION, ...of(appStoreVersions, 'v', ['known']) },
  `from app_store_versions v
  join releases r on r.organization_id = v.organization_id and r.id = v.release_id
  where v.organization_id = :org and v.integration_id = :integrationId and not v.is_over`
)

/** Returns the versions that are still live in a store, even those of ended releases. */
export const presentVersions = (
  scope: Scope,
  { integrationId }: Pick<StoreTarget, 'integrationId'>
) => scope.rows(PRESENT, { integrationId })

/** Locks a store and reads its record; null if it is gone. The caller must lock its apps first. */
export async function openStore(scope: Scope, storeId: string): Promise<OpenStore | null> {
  await scope.lock('store_records', storeId)
  const [row] = await scope.rows(BY_ID, { storeId })
  if (!row) return null
  const members = await scope.rows(APPS, { storeId })
  const record: StoreRecord = { ...recordOf(row), credentials: credentialsVersion(members) }
  // Two apps may spell the same version differently.
  const named = <Row extends Named>({ appPlatform, ...each }: Row) => {
    const version = nameIn(record, trackOf(appPlatform), each.version)
    versionIn(record, version)
    return { ...each, version }
  }
  const versions = (await scope.rows(VERSIONS, { storeId })).map(named)
  const plans = (await scope.rows(PLANS, { storeId })).map(named)
  const appIds = [...new Set(members.map(({ appId }) => appId))]
  const store: OpenStore = { id: storeId, row, record, appIds, versions: [], plans: [] }
  addRows(store, versions, plans)
  return store
}

/** Adds the rows of releases to the record of their store. */
export function addRows(
  store: OpenStore,
  versions: OpenStore['versions'],
  plans: OpenStore['plans']
): void {
  const { record } = store
  store.versions.push(...versions)
  store.plans.push(...plans)
  for (const each of versions) {
    const { seen, known, past } = each
    const found = versionIn(record, each.version)
    // Two apps may have a release of the same version. They share its latest observation.
    if (found.seen !== null && found.seen.at >= seen.at) continue
    Object.assign(found, structuredClone({ seen, known, past }))
  }
  for (const { version, wanted, rollout, question } of plans) {
    const found = versionIn(record, version)
    const isNewer = (one: { generation: number } | null, other: typeof one) =>
      one !== null && (other === null || one.generation > other.generation)
    if (isNewer(wanted, found.wanted)) found.wanted = structuredClone(wanted)
    if (isNewer(rollout, found.rollout)) found.rollout = structuredClone(rollout)
    found.question ??= structuredClone(question)
  }
}

interface Named {
  version: string
  appPlatform: AppPlatform
}

/**
 * Returns a checksum of the connections and the versions of their credentials. It changes whenever
 * credentials change.
 */
const credentialsVersion = (members: readonly { connectionId: string; credentials: number }[]) =>
  crc32(JSON.stringify(members.map(({ connectionId, credentials }) => [connectionId, credentials])))

/** Returns whether the rows of a release hold a version. */
const isOfRelease = ({ versions, plans }: OpenStore, version: string) =>
  versions.some((each) => each.version === version) ||
  plans.some((each) => each.version === version)

/** Returns whether a version without a release still matters: it may get a release, or change. */
const isStillListed = (record: StoreRecord, { known }: VersionRecord) =>
  known === null || (!isOver(known.state) && isListed(record, known))

/**
 * Returns, per track, the highest version that reached all users. The store falls back to it if the
 * next version is halted.
 */
function fallbackVersions(versions: readonly VersionRecord[]): Set<VersionRecord> {
  const highest = new Map<string, VersionRecord>()
  for (const each of versions) {
    const { known } = each
    const parts = parseVersion(versionOfName(each.version))
    if (known === null || parts === null || !isForUsers(known) || !wentToAll(known)) continue
    const track = known.track ?? ''
    const other = highest.get(track)
    const isHigher =
      !other || compareVersions(parts, parseVersion(versionOfName(other.version))!) > 0
    if (isHigher) highest.set(track, each)
  }
  return new Set(highest.values())
}

/**
 * Stores the changes of a record that are not stored in rows of releases.
 * @param added versions whose first row was inserted since the record was read
 */
export async function saveRecord(
  scope: Scope,
  store: OpenStore,
  added: ReadonlySet<string> = new Set()
): Promise<void> {
  const { row, record } = store
  const withoutRelease = record.versions.filter(
    ({ version }) => !added.has(version) && !isOfRelease(store, version)
  )
  const before = fallbackVersions(withoutRelease)
  const others = withoutRelease.filter((each) => before.has(each) || isStillListed(record, each))
  const { generation, lagSeconds, polledAt, pollFailure, calls } = record
  const values = { generation, lagSeconds, polledAt, pollFailure, calls, others }
  const stored = {
    generation: row.generation,
    lagSeconds: row.lagSeconds,
    polledAt: row.polledAt,
    pollFailure: row.pollFailure,
    calls: row.calls,
    others: row.others,
  }
  if (JSON.stringify(values) === JSON.stringify(stored)) return
  await scope.update(storeRecords, { id: store.id }, { ...values, updatedAt: scope.now })
}
