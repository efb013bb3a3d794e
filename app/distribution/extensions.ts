import { ExtensionPoint } from '#foundation/core/extension_point'
import type { Scope } from '#foundation/core/scope'

/** Reacts to a build of an app that was read or deleted, in the transaction that does so. */
export type ReadingFollower = (scope: Scope, appId: string) => Promise<void>

export const readingFollowers = new ExtensionPoint<ReadingFollower>()

export async function notifyFollowers(scope: Scope, appId: string): Promise<void> {
  for (const follow of readingFollowers.all) await follow(scope, appId)
}
