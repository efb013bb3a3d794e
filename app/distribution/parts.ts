import { ExtensionPoint } from '#foundation/core/extension_point'
import type { Scope } from '#foundation/core/scope'

/** Reacts to a build of an app that was read, in the transaction that keeps what it tells. */
export type ReadingFollower = (scope: Scope, appId: string) => Promise<void>

export const readingFollowers = new ExtensionPoint<ReadingFollower>()
