import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { forEachOpenRelease } from '#releases/lifecycle/open_releases'
import { chooseInStores } from '#stores/builds/choose_build'

/**
 * Derives the open releases of an app anew after a change of its plan; `only` is the id of a single
 * one.
 */
export function followInReleases(scope: Scope, appId: string, only?: string): Promise<void> {
  const touch = async (release: Release) => scope.touch(release)
  return forEachOpenRelease(scope, appId, touch, only)
}

/**
 * Does the same, and chooses builds of stores again: the change may switch that automation on or
 * off.
 */
export function chooseInReleases(scope: Scope, appId: string, only?: string): Promise<void> {
  const choose = async (release: Release) => {
    await chooseInStores(scope, release)
    scope.touch(release)
  }
  return forEachOpenRelease(scope, appId, choose, only)
}
