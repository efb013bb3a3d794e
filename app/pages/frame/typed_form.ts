import type { HttpContext } from '@adonisjs/core/http'
import type { Fields, Typed } from './page.js'

/** A form as it came: what was typed, and what it carries beside. */
export interface SentTyped {
  typed: Typed
  /** The key of a form that makes something anew; null for none. */
  key: string | null
  /** The owner of its page, sealed; null for none. */
  by: string | null
}

/** Credentials of a provider, which alone have secrets among them. */
const SECRETS = 'credentials.'

/** Reads the form of a request. */
export function typedIn({ request }: HttpContext): SentTyped {
  const { _csrf, _tag, _key, _by, ...fields } = request.body() as Record<string, string | string[]>
  void _csrf
  const tag = textOf(_tag)
  const typed: Typed = { action: request.url(), fields, ...(tag !== null && { tag }) }
  return { typed, key: textOf(_key), by: textOf(_by) }
}

/** The same without secrets. */
export function keptOf(http: HttpContext): SentTyped {
  const { typed, ...sent } = typedIn(http)
  return { ...sent, typed: { ...typed, fields: withoutSecrets(typed.fields) } }
}

const withoutSecrets = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !name.startsWith(SECRETS)))

const textOf = (given: unknown) => (typeof given === 'string' && given !== '' ? given : null)
