import type { Scope } from '#foundation/core/scope'
import type Release from './models/release.js'
import { releaseParts, type RequestedAction, type Ended } from './parts.js'

/** Tells the parts of a release how something ended that took its time. */
export async function tellParts(
  scope: Scope,
  release: Release,
  ended: RequestedAction & Ended
): Promise<void> {
  for (const part of releaseParts.parts) await part.ended?.(scope, release, ended)
}
