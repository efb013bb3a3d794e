import { releaseOfVersion } from '#builds/queries/match_release'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { releases } from '#releases/tables'
import { normalVersion, parseVersion } from '#workflow/version'
import { isSameName, nameOnTrack, versionOfName } from '../derive/version_names.js'
import type { OpenStore } from './store_record.js'
import { storesOf, type StoreTarget } from './store_targets.js'

/** A release that has a version in a store. Each app that uses the store may have one. */
export interface Holder {
  /** Name of the version in the record. */
  version: string
  appId: string
  releaseId: string
  integrationId: string
  /** Null for an integration that the app no longer has. */
  target: StoreTarget | null
}

const RELEASE = select(
  of(releases, 'r', ['version']),
  'from releases r where r.organization_id = :org and r.id = :releaseId'
)

/** Returns the targets of all apps that lead to a store. */
export async function targetsOfStore(
  scope: Scope,
  { appIds, row }: Pick<OpenStore, 'appIds' | 'row'>
): Promise<StoreTarget[]> {
  const all: StoreTarget[] = []
  for (const appId of appIds) {
    for (const target of await storesOf(scope, appId)) {
      const { pluginId, bundleId, platform } = target
      const isSameStore =
        pluginId === row.pluginId && bundleId === row.bundleId && platform === row.platform
      if (isSameStore) all.push(target)
    }
  }
  return all
}

/** Returns all releases whose versions are in the record of a store. */
export async function holdersOf(
  scope: Scope,
  store: OpenStore,
  decided: Holder | null
): Promise<Holder[]> {
  const targets = await targetsOfStore(scope, store)
  const holders = new Map<string, Holder>()
  const add = (holder: Omit<Holder, 'target'>) => {
    const { releaseId, integrationId } = holder
    const target = targets.find((each) => each.integrationId === integrationId) ?? null
    holders.set(`${releaseId} ${integrationId}`, { ...holder, target })
  }
  for (const { version, appId, releaseId, integrationId } of [...store.versions, ...store.plans]) {
    add({ version, appId, releaseId, integrationId })
  }
  if (decided) add(decided)
  const keyOf = (version: string, integrationId: string) => `${integrationId} ${version}`
  const held = new Set(
    [...holders.values()].map(({ version, integrationId }) => keyOf(version, integrationId))
  )
  for (const { version, seen } of store.record.versions) {
    if (seen === null) continue
    for (const { appId, integrationId, track } of targets) {
      if (held.has(keyOf(version, integrationId))) continue
      const release = await releaseNamed(scope, appId, versionOfName(version))
      if (!release || !isSameName(nameOnTrack(track, release.version), version)) continue
      add({ version, releaseId: release.releaseId, appId, integrationId })
    }
  }
  return [...holders.values()]
}

/**
 * Returns the release of an app at a version, with the app's notation of the version; null without
 * one.
 */
export async function releaseNamed(
  scope: Scope,
  appId: string,
  version: string
): Promise<{ releaseId: string; version: string } | null> {
  const parts = parseVersion(version)
  if (!parts) return null
  const { releaseId } = await releaseOfVersion(scope, appId, normalVersion(parts))
  if (releaseId === null) return null
  const [release] = await scope.rows(RELEASE, { releaseId })
  return { releaseId, version: release.version }
}
