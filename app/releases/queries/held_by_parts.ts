import type { Scope } from '#foundation/core/scope'
import type { HeldOutside } from '../engine/why_not_moving.js'
import { releaseParts } from '../parts.js'
import type { ReleaseRow } from './read_release.js'

/** Returns what a release waits for outside of it, as its parts know. */
export async function heldByParts(scope: Scope, release: ReleaseRow): Promise<HeldOutside[]> {
  const all: HeldOutside[] = []
  for (const { presentation } of releaseParts.parts) {
    const held = await presentation?.held?.(scope, release)
    if (held) all.push(held)
  }
  return all
}
