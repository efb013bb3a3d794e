/*
 * Feature flags. Every environment has the same flags, which are off until somebody turns them on
 * there.
 */

export interface SimulatedFlag {
  key: string
  name: string
  environment: string
  enabled: boolean
  /** Number of its changes, as a text. */
  etag: string
}

export interface SimulatedFlags {
  /** Those that every environment has. */
  known: readonly { key: string; name: string }[]
  /** Those that were changed, or that a scenario defines. */
  flags: readonly SimulatedFlag[]
}

export const USUAL_FLAGS: SimulatedFlags = {
  known: [
    { key: 'new-checkout', name: 'New checkout' },
    { key: 'dark-mode', name: 'Dark mode' },
    { key: 'fast-start', name: 'Fast start' },
  ],
  flags: [],
}

/** Returns all flags of an environment. */
export function flagsIn({ known, flags }: SimulatedFlags, environment: string): SimulatedFlag[] {
  const own = flags.filter((each) => each.environment === environment)
  const keys = new Set(own.map(({ key }) => key))
  const others = known.filter(({ key }) => !keys.has(key))
  return [...own, ...others.map((each) => ({ ...each, environment, enabled: false, etag: '0' }))]
}

/** Turns a flag on or off, unless its `etag` shows that it was changed meanwhile. */
export function turn(
  flags: SimulatedFlags,
  { environment, key }: Pick<SimulatedFlag, 'environment' | 'key'>,
  { enabled, etag }: { enabled: boolean; etag: string | null }
): SimulatedFlags | 'flagUnknown' | 'flagChanged' {
  const flag = flagsIn(flags, environment).find((each) => each.key === key)
  if (!flag) return 'flagUnknown'
  if (etag !== null && etag !== flag.etag) return 'flagChanged'
  const others = flags.flags.filter((each) => each.key !== key || each.environment !== environment)
  const turned = { ...flag, enabled, etag: String(Number(flag.etag) + 1) }
  return { ...flags, flags: [...others, turned] }
}
