import { ExtensionPoint } from '#foundation/core/extension_point'
import type { Scope } from '#foundation/core/scope'

/** Called when a build of an app was read or deleted, in the same transaction. */
export type ReadingSubscriber = (scope: Scope, appId: string) => Promise<void>

export const readingSubscribers = new ExtensionPoint<ReadingSubscriber>()

export async function notifySubscribers(scope: Scope, appId: string): Promise<void> {
  for (const follow of readingSubscribers.all) await follow(scope, appId)
}
