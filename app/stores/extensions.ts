import type { Static } from '@sinclair/typebox'
import { ExtensionPoint } from '#foundation/core/extension_point'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import type { FlagChangeEntity, MonitoringStatisticEntity } from './entities.js'
import type { StoreTarget } from './queries/store_targets.js'
import type { RolloutChange } from './tables.js'

type FlagChange = Static<typeof FlagChangeEntity>
export type MonitoringStatistic = Static<typeof MonitoringStatisticEntity>

/** A contribution of a higher module to how versions reach users. */
export interface StoreExtension {
  name: string
  /** Returns the health of a release among the users of one store. */
  health?(scope: Scope, releaseId: string, integrationId: string): Promise<MonitoringStatistic[]>
  /** Returns the changes of flags during the rollout of a release, newest first. */
  flagChanges?(scope: Scope, releaseId: string): Promise<FlagChange[]>
  /**
   * Handles a move in the rollout of a release that has ended, and is therefore no longer derived.
   */
  moved?(scope: Scope, release: Release): Promise<void>
  /**
   * Checks, just before the store is called, a rollout increase that an automation decided.
   * @returns why the store must not be called now; null if it may
   */
  growthBlocker?(
    scope: Scope,
    release: Release,
    integrationId: string,
    to: RolloutChange
  ): Promise<string | null>
  /**
   * Returns the initial share of a rollout; 1 for all users at once, null if the settings of the
   * store decide. Those settings never apply to hotfixes.
   */
  firstShare?(
    scope: Scope,
    target: Pick<StoreTarget, 'appId' | 'destinationId' | 'storeType'>,
    release: { isHotfix: boolean }
  ): Promise<number | null>
}

export const storeExtensions = new ExtensionPoint<StoreExtension>()

/** Returns the health of a release among the users of several stores. */
export async function healthInStores(
  scope: Scope,
  releaseId: string,
  integrationIds: readonly string[]
): Promise<MonitoringStatistic[]> {
  const all: MonitoringStatistic[] = []
  for (const extension of storeExtensions.all) {
    for (const id of integrationIds)
      all.push(...((await extension.health?.(scope, releaseId, id)) ?? []))
  }
  return all
}

/** Returns the changes of flags during the rollout of a release, newest first. */
export async function flagChangesOf(scope: Scope, releaseId: string): Promise<FlagChange[]> {
  const all: FlagChange[] = []
  for (const extension of storeExtensions.all) {
    all.push(...((await extension.flagChanges?.(scope, releaseId)) ?? []))
  }
  return all
}

/** Returns the initial share of a rollout in a store; null if nothing decides it. */
export async function firstShare(
  scope: Scope,
  target: StoreTarget,
  release: { isHotfix: boolean }
): Promise<number | null> {
  for (const extension of storeExtensions.all) {
    const share = await extension.firstShare?.(scope, target, release)
    if (share !== undefined && share !== null) return share
  }
  return null
}
