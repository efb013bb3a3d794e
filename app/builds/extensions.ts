import type { Static } from '@sinclair/typebox'
import { ExtensionPoint } from '#foundation/core/extension_point'
import type { Scope } from '#foundation/core/scope'
import type { AppStoreBuildEntity } from './entities.js'

/** Returns the store builds that match CI builds, by the id of the CI build. */
export type StoreBuilds = (
  scope: Scope,
  ciBuildIds: readonly string[]
) => Promise<Map<string, Static<typeof AppStoreBuildEntity>>>

export const storeBuildExtensions = new ExtensionPoint<StoreBuilds>()

/** Returns the store builds of all extensions that match CI builds, by the id of the CI build. */
export async function storeBuildsOf(scope: Scope, ciBuildIds: readonly string[]) {
  const known = await Promise.all(storeBuildExtensions.all.map((each) => each(scope, ciBuildIds)))
  return new Map(known.flatMap((each) => [...each]))
}
