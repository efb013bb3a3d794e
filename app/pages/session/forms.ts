import type { HttpContext } from '@adonisjs/core/http'
import { lengthOf } from '#foundation/core/text'
import { counted } from '../words/numbers.js'

/** The answer to a form with a stale token. */
export const STALE = 'This page was open for too long. Nothing was done; send the form again.'

/** Maximum lengths, in characters. */
const MAX_EMAIL_LENGTH = 320
const MAX_NAME_LENGTH = 200

/** Returns the text of a form field; empty if it is missing or repeated. */
export function fieldOf({ request }: HttpContext, name: string): string {
  const body: Record<string, unknown> = request.body()
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  return typeof value === 'string' ? value : ''
}

/** Returns the e-mail address of a form as accounts store it: trimmed, in lower case. */
export const emailOf = (http: HttpContext): string =>
  fieldOf(http, 'email').trim().slice(0, MAX_EMAIL_LENGTH).toLowerCase()

/** Returns the error message for an invalid e-mail address; null for a valid one. */
export const emailFault = (email: string): string | null =>
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)
    ? null
    : 'Enter an e-mail address, such as name@example.com.'

/** Returns the error message for an invalid name; null for a valid one. */
export function nameFault(name: string): string | null {
  if (name === '') return 'Enter your name.'
  return lengthOf(name) > MAX_NAME_LENGTH ? `Use at most ${MAX_NAME_LENGTH} characters.` : null
}

/** Redirects the browser to another page with `GET`. */
export function seeOther({ response }: HttpContext, path: string): void {
  response.header('location', path)
  response.status(303)
  response.send('')
}

/** Formats a duration: `40 seconds`, `15 minutes`, `2 hours`. */
export function spanOf(seconds: number): string {
  for (const [unit, size] of [
    ['hour', 3600],
    ['minute', 60],
  ] as const) {
    if (seconds >= size) return counted(Math.ceil(seconds / size), unit)
  }
  return counted(Math.max(1, seconds), 'second')
}
