import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { forEachOpenRelease } from '#releases/lifecycle/open_releases'
import { chooseInStores } from '#stores/builds/choose_build'

/**
 * Touches the open releases of an app after a change of its plan.
 * @param only internal id, if the change affects a single release
 */
export function touchOpenReleases(scope: Scope, appId: string, only?: string): Promise<void> {
  const touch = async (release: Release) => scope.touch(release)
  return forEachOpenRelease(scope, appId, touch, only)
}

/** Also chooses store builds again, because the change may switch that automation on or off. */
export function chooseBuildsAgain(scope: Scope, appId: string, only?: string): Promise<void> {
  const choose = async (release: Release) => {
    await chooseInStores(scope, release)
    scope.touch(release)
  }
  return forEachOpenRelease(scope, appId, choose, only)
}
