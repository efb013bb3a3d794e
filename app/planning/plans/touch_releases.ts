import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { forEachOpenRelease } from '#releases/lifecycle/open_releases'
import { chooseInStores } from '#stores/builds/choose_build'

/** Carries a change of what is planned for an app on into its releases that are not over. */
export function followInReleases(scope: Scope, appId: string, only?: string): Promise<void> {
  const touch = async (release: Release) => scope.touch(release)
  return forEachOpenRelease(scope, appId, touch, only)
}

/** The same of a change that builds of stores may be chosen by from now on, or not any more. */
export function chooseInReleases(scope: Scope, appId: string, only?: string): Promise<void> {
  const choose = async (release: Release) => {
    await chooseInStores(scope, release)
    scope.touch(release)
  }
  return forEachOpenRelease(scope, appId, choose, only)
}
