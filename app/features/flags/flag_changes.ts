import { createHash } from 'node:crypto'
import type { Flag } from '#plugin-kit/capabilities/monitoring'
import type { SeenFlag } from '../tables.js'
import type { FlagChangeKind } from '../vocabulary.js'

/** Returns flags as they are stored, by key, without archived ones. */
export function seenFlags(flags: readonly Flag[]): Record<string, SeenFlag> {
  const inUse = flags.filter(({ archived }) => !archived)
  return Object.fromEntries(inUse.map((each) => [each.key, seenFlag(each)]))
}

export const seenFlag = ({ name, enabled, variations, rules }: Flag): SeenFlag => ({
  name: name.slice(0, 1000),
  enabled,
  digest: createHash('sha256')
    .update(JSON.stringify([variations, rules]))
    .digest('base64url'),
})

/** Returns the flags that differ from before, by key. */
export function differingFlags(
  before: Record<string, SeenFlag>,
  now: Record<string, SeenFlag>
): { key: string; name: string; what: FlagChangeKind }[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort()
  return keys.flatMap((key) => {
    const what = differing(before[key], now[key])
    return what ? [{ key, name: (now[key] ?? before[key]).name, what }] : []
  })
}

function differing(before?: SeenFlag, now?: SeenFlag): FlagChangeKind | null {
  if (!before) return 'added'
  if (!now) return 'removed'
  if (before.enabled !== now.enabled) return now.enabled ? 'switchedOn' : 'switchedOff'
  return before.digest === now.digest ? null : 'changed'
}
