import { later, type Instant } from '#foundation/core/clock'
import { newKeyPair, newSecret, publicKeyOf, type SigningKey } from '#webhooks/signing'
import { HOUR } from '#foundation/core/durations'

/** A signing key of an endpoint. */
export interface EndpointKey {
  kind: 'v1' | 'v1a'
  key: SigningKey
  createdAt: Instant
  /** The end of its signing; null unless a newer key has replaced it. */
  expiresAt: Instant | null
}

/** The maximum number of keys of one kind that sign at the same time. */
const MAX_LIVE_KEYS = 5

export const MAX_GRACE_HOURS = 7 * 24
export const DEFAULT_GRACE_HOURS = 24

export function newKey(kind: EndpointKey['kind'], now: Instant): EndpointKey {
  const key = kind === 'v1' ? newSecret() : newKeyPair().privateKey
  return { kind, key, createdAt: now, expiresAt: null }
}

/** Returns the keys that sign at an instant, newest first. */
export function liveKeys(keys: readonly EndpointKey[], now: Instant): EndpointKey[] {
  return keys
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
}

/**
 * Adds a new key of a kind in front. The previous keys expire after the grace period, or earlier if
 * they would have anyway; the oldest beyond five keys stop signing at once.
 */
export function rotate(
  keys: readonly EndpointKey[],
  kind: EndpointKey['kind'],
  graceHours: number,
  now: Instant
): EndpointKey[] {
  const end = later(now, graceHours * HOUR)
  const live = liveKeys(keys, now)
  const older = live
    .filter((each) => each.kind === kind)
    .map((each) => ({
      ...each,
      expiresAt: each.expiresAt !== null && each.expiresAt < end ? each.expiresAt : end,
    }))
  const kept = liveKeys(older, now).slice(0, MAX_LIVE_KEYS - 1)
  const others = live.filter((each) => each.kind !== kind)
  return [newKey(kind, now), ...kept, ...others]
}

/** Enables `v1a` with a new key pair, or disables it. */
export function withAsymmetric(
  keys: readonly EndpointKey[],
  enabled: boolean,
  now: Instant
): EndpointKey[] {
  const live = liveKeys(keys, now)
  if (!enabled) return live.filter(({ kind }) => kind === 'v1')
  return live.some(({ kind }) => kind === 'v1a') ? live : [...live, newKey('v1a', now)]
}

/** Returns the `whpk_` keys that verify `v1a` signatures, newest first. */
export function publicKeys(keys: readonly EndpointKey[], now: Instant): string[] {
  return liveKeys(keys, now)
    .filter(({ kind }) => kind === 'v1a')
    .map(({ key }) => publicKeyOf(key))
}
