import type { HttpContext } from '@adonisjs/core/http'
import { lengthOf } from '#foundation/core/text'
import { counted } from '../words/numbers.js'

/** The answer to a form whose token is too old. */
export const STALE = 'This page was open for too long. Nothing was done; send it again.'

/** Characters of an e-mail address. */
const MOST_OF_EMAIL = 320
const MOST_OF_NAME = 200

/** The text of a field of the form that came; empty if there is none, or several. */
export function fieldOf({ request }: HttpContext, name: string): string {
  const body: Record<string, unknown> = request.body()
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  return typeof value === 'string' ? value : ''
}

/** The e-mail address of a form as accounts have it: without spaces around it, in lower case. */
export const emailOf = (http: HttpContext): string =>
  fieldOf(http, 'email').trim().slice(0, MOST_OF_EMAIL).toLowerCase()

/** Returns what is wrong with an e-mail address, for people; null if nothing is. */
export const emailFault = (email: string): string | null =>
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? null : 'Enter an e-mail address, as name@example.com.'

/** Returns what is wrong with a name, for people; null if nothing is. */
export function nameFault(name: string): string | null {
  if (name === '') return 'Enter your name.'
  return lengthOf(name) > MOST_OF_NAME ? `Use at most ${MOST_OF_NAME} characters.` : null
}

/** Leads the browser to another page, which it asks for by `GET`. */
export function seeOther({ response }: HttpContext, path: string): void {
  response.header('location', path)
  response.status(303)
  response.send('')
}

/** A span for people: `40 seconds`, `15 minutes`, `2 hours`. */
export function spanOf(seconds: number): string {
  for (const [unit, size] of [
    ['hour', 3600],
    ['minute', 60],
  ] as const) {
    if (seconds >= size) return counted(Math.ceil(seconds / size), unit)
  }
  return counted(Math.max(1, seconds), 'second')
}
