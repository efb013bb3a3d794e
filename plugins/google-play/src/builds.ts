import { isSameVersion, type PluginContext, type StoreBuild } from '@tarmac/plugin-kit'
import type { Freshness } from './google.js'
import { codesOf, versionNameOf, type Placed } from './releases.js'

/*
 * Google reports only the version code of an upload. The version is derived from the name of a
 * release that contains it, so a build is listed only once it is on a track, at least in a draft.
 */

/** A build and the releases that contain it. */
export interface Held {
  code: number
  version: string
  on: Placed[]
}

/** Returns the builds on tracks, highest version code first. */
export function buildsOn(placed: readonly Placed[], version?: string): Held[] {
  const held = new Map<number, Held>()
  for (const each of placed) {
    const named = versionNameOf(each.release.name, codesOf(each.release))
    for (const code of codesOf(each.release)) {
      const before = held.get(code)
      if (before) before.on.push(each)
      else held.set(code, { code, version: named, on: [each] })
    }
  }
  return [...held.values()]
    .filter((each) => version === undefined || isSameVersion(each.version, version))
    .sort((one, other) => other.code - one.code)
}

/**
 * Translates a build into the kit's. Google accepts only usable uploads, and does not report their
 * time.
 */
export const buildOf = (
  ctx: PluginContext,
  { code, version }: Held,
  seen: Freshness
): StoreBuild => ({
  id: String(code),
  number: String(code),
  version,
  uploadedAt: '',
  status: {
    state: 'ready',
    raw: 'uploaded',
    ...{ ...seen, observedAt: ctx.now().toISOString() },
  },
})
