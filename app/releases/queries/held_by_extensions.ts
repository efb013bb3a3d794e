import type { Scope } from '#foundation/core/scope'
import type { HeldOutside } from '../engine/why_not_moving.js'
import { releaseExtensions } from '../extensions.js'
import type { ReleaseRow } from './read_release.js'

/** Returns the conditions of other releases that extensions report for a release. */
export async function heldByExtensions(scope: Scope, release: ReleaseRow): Promise<HeldOutside[]> {
  const all: HeldOutside[] = []
  for (const { presentation } of releaseExtensions.all) {
    const held = await presentation?.held?.(scope, release)
    if (held) all.push(held)
  }
  return all
}
