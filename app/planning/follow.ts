import type { Scope } from '#foundation/core/scope'
import { settle } from '#releases/lifecycle/settle'
import { forEachOpenRelease } from '#releases/open_releases'

/** Carries a change of what is planned for an app on into its releases that are not over. */
export async function followInReleases(scope: Scope, appId: string, only?: string): Promise<void> {
  const derive = async (release: Parameters<typeof settle>[1]) =>
    void (await settle(scope, release))
  await forEachOpenRelease(scope, appId, derive, only)
}
