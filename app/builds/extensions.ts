import type { Static } from '@sinclair/typebox'
import { ExtensionPoint } from '#foundation/core/extension_point'
import type { Scope } from '#foundation/core/scope'
import type { AppStoreBuildEntity } from './entities.js'

/** The builds of stores that CI builds are, by the ids of those. */
export type StoreBuilds = (
  scope: Scope,
  ciBuildIds: readonly string[]
) => Promise<Map<string, Static<typeof AppStoreBuildEntity>>>

export const storeBuildExtensions = new ExtensionPoint<StoreBuilds>()

/** Returns what stores have of CI builds. */
export async function storeBuildsOf(scope: Scope, ciBuildIds: readonly string[]) {
  const known = await Promise.all(storeBuildExtensions.all.map((each) => each(scope, ciBuildIds)))
  return new Map(known.flatMap((each) => [...each]))
}
