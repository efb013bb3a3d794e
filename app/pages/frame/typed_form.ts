import type { HttpContext } from '@adonisjs/core/http'
import { FORGET, listIn, rawTextOf } from './fields.js'
import type { Fields, Typed } from './page.js'

/** A form as it came: what was typed, and what it carries beside. */
export interface SentTyped {
  typed: Typed
  /** The key of a form that makes something anew; null for none. */
  key: string | null
  /** The owner of its page, sealed; null for none. */
  by: string | null
}

/** Reads the form of a request. */
export function typedIn({ request }: HttpContext): SentTyped {
  const { _csrf, _tag, _key, _by, ...fields } = request.body() as Record<string, string | string[]>
  void _csrf
  const tag = textOf(_tag)
  const typed: Typed = { action: request.url(), fields, ...(tag !== null && { tag }) }
  return { typed, key: textOf(_key), by: textOf(_by) }
}

/**
 * The same without secrets.
 * @param secrets the fields that hold them, each with all below its place
 */
export function keptOf(http: HttpContext, secrets: readonly string[] = []): SentTyped {
  const { typed, ...sent } = typedIn(http)
  return { ...sent, typed: { ...typed, fields: withoutSecrets(typed.fields, secrets) } }
}

/** A secret that was typed anew is typed again: what is stored must not be forgotten before. */
function withoutSecrets(fields: Fields, secrets: readonly string[]): Fields {
  const isSecret = (name: string) =>
    secrets.some((secret) => name === secret || name.startsWith(`${secret}.`))
  const kept = Object.entries(fields).filter(([name]) => !isSecret(name))
  const forget = listIn(fields, FORGET).filter((place) => rawTextOf(fields, place) === null)
  return { ...Object.fromEntries(kept), [FORGET]: forget }
}

const textOf = (given: unknown) => (typeof given === 'string' && given !== '' ? given : null)
