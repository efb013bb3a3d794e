import type { HttpContext } from '@adonisjs/core/http'
import { idempotencyKey } from '#foundation/api/execution/idempotency'
import { FORGET, listIn, rawTextOf } from './fields.js'
import type { Fields, Typed } from './page.js'

/** A form as it was sent: what was typed, and its hidden fields. */
export interface SentTyped {
  typed: Typed
  /** The idempotency key of a form that creates something; null for other forms. */
  key: string | null
  /** The account that its page was shown to, sealed; null for none. */
  by: string | null
}

/**
 * Reads the form of a request.
 * @throws malformed_request for a key that is none
 */
export function typedIn({ request }: HttpContext): SentTyped {
  const { _csrf, _tag, _key, _by, ...fields } = request.body() as Record<string, string | string[]>
  void _csrf
  const tag = textOf(_tag)
  const typed: Typed = { action: request.url(), fields, ...(tag !== null && { tag }) }
  return { typed, key: idempotencyKey(textOf(_key) ?? undefined), by: textOf(_by) }
}

/**
 * Reads the form of a request without secrets, to keep it while its sender signs in again.
 * @param secrets the fields that hold them, including all fields below them
 */
export function keptOf(http: HttpContext, secrets: readonly string[] = []): SentTyped {
  const { typed, ...sent } = typedIn(http)
  return { ...sent, typed: { ...typed, fields: withoutSecrets(typed.fields, secrets) } }
}

/**
 * Removes secrets. A typed secret also wins over the request to forget the stored one, which must
 * not take effect alone: so it is removed as well.
 */
function withoutSecrets(fields: Fields, secrets: readonly string[]): Fields {
  const isSecret = (name: string) =>
    secrets.some((secret) => name === secret || name.startsWith(`${secret}.`))
  const kept = Object.entries(fields).filter(([name]) => !isSecret(name))
  const forget = listIn(fields, FORGET).filter((place) => rawTextOf(fields, place) === null)
  return { ...Object.fromEntries(kept), [FORGET]: forget }
}

const textOf = (given: unknown) => (typeof given === 'string' && given !== '' ? given : null)
