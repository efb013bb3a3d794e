import type { PluginContext, StoreBuild } from '@tarmac/plugin-kit'
import type { Seen } from './google.js'
import { codesOf, versionNameOf, type Placed } from './releases.js'

/*
 * Google reports only the version code of an upload. Its version is known by the name of a release
 * that holds it, and so a build is listed once it stands on a track, as a draft at least.
 */

/** A build and the releases that hold it. */
export interface Held {
  code: number
  version: string
  on: Placed[]
}

/** Builds that stand on tracks, the highest version code first. */
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
    .filter((each) => version === undefined || each.version === version)
    .sort((one, other) => other.code - one.code)
}

/** Google takes no upload that it cannot serve, and reports no time of one. */
export const buildOf = (ctx: PluginContext, { code, version }: Held, seen: Seen): StoreBuild => ({
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
