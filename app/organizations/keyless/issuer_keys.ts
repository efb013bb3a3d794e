import app from '@adonisjs/core/services/app'
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWK, type JWTVerifyGetKey } from 'jose'
import { MINUTE, SECOND } from '#foundation/core/durations'
import { refuse } from '#foundation/core/problems/problem'
import { clock } from '#foundation/core/services'

/** Milliseconds that the keys of an issuer are believed. */
const BELIEVED_MS = 10 * MINUTE

/** Milliseconds before an issuer is asked again that failed, or did not have a key. */
const RESTED_MS = 30 * SECOND

/** Most issuers whose keys are kept. */
const MOST_ISSUERS = 100

/** Most bytes of an answer of an issuer, and milliseconds that it may take. */
const MOST_BYTES = 256 * 1024
const TIMEOUT_MS = 5 * SECOND

interface Kept {
  at: number
  /** When the keys, or the failure to read them, are no longer believed. */
  until: number
  keys: Promise<JSONWebKeySet>
}

/** Keys by issuer; the one that was asked last is at the end. */
const kept = new Map<string, Kept>()

/**
 * Returns the keys of an issuer, which is asked by the way out of the service. A key that is not
 * known has the issuer asked again, though not more often than twice a minute.
 * @throws issuer_unreachable
 */
export const keysOf = (issuer: string): JWTVerifyGetKey =>
  async function find(header, token) {
    const { keys, at } = keysKept(issuer, BELIEVED_MS)
    const known = await keys
    const isKnown = known.keys.some(({ kid }) => kid === header.kid)
    const isRested = clock.milliseconds() - at >= RESTED_MS
    const fresh = isKnown || !isRested ? known : await keysKept(issuer, RESTED_MS).keys
    try {
      return await createLocalJWKSet(fresh)(header, token)
    } catch (error) {
      if (error instanceof errors.JOSEError) throw error
      throw unreachable(issuer, 'The key of the token is none.')
    }
  }

function keysKept(issuer: string, believed: number): Kept {
  const now = clock.milliseconds()
  const found = kept.get(issuer)
  const former = found && now < found.until ? found : null
  if (former && now - former.at < believed) return former
  const made: Kept = {
    ...{ at: now, until: now + BELIEVED_MS },
    keys: readKeys(issuer).catch((error: unknown) => {
      made.until = former?.until ?? now + RESTED_MS
      if (former) return former.keys
      throw error
    }),
  }
  kept.delete(issuer)
  kept.set(issuer, made)
  if (kept.size > MOST_ISSUERS) kept.delete(kept.keys().next().value!)
  return made
}

/** Asks an issuer where its keys are, and for them. They lie at the issuer itself. */
async function readKeys(issuer: string): Promise<JSONWebKeySet> {
  const about = await readJson(
    issuer,
    `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  )
  const { issuer: named, jwks_uri: address } = about
  if (named !== issuer) throw unreachable(issuer, 'It calls itself otherwise.')
  const isOwn =
    typeof address === 'string' &&
    URL.canParse(address) &&
    new URL(address).origin === new URL(issuer).origin
  if (!isOwn) throw unreachable(issuer, 'Its keys are not at its own address.')
  const { keys } = await readJson(issuer, address)
  if (!Array.isArray(keys)) throw unreachable(issuer, 'It has no keys.')
  // Secret keys, and those for encrypting, verify nothing.
  return {
    keys: (keys as unknown[])
      .filter((key): key is JWK => typeof key === 'object' && key !== null)
      .filter(({ kty, use }) => kty !== 'oct' && use !== 'enc'),
  }
}

async function readJson(issuer: string, url: string): Promise<Record<string, unknown>> {
  const outbound = await app.container.make('outbound')
  const answer = await outbound.request({
    ...{ url, maxBytes: MOST_BYTES, timeout: TIMEOUT_MS },
    headers: { accept: 'application/json' },
  })
  if (answer.errorClass !== null) throw unreachable(issuer, answer.errorMessage ?? '')
  if (answer.status !== 200) throw unreachable(issuer, `It answered ${answer.status}.`)
  if (answer.truncated) throw unreachable(issuer, 'It answered more than is read.')
  try {
    const read: unknown = JSON.parse(answer.body.toString())
    if (typeof read === 'object' && read !== null) return read as Record<string, unknown>
  } catch {
    // Reported below.
  }
  throw unreachable(issuer, 'It answered no JSON.')
}

const unreachable = (issuer: string, why: string) =>
  refuse('issuer_unreachable', { detail: `The keys of ${issuer} could not be read. ${why}`.trim() })
