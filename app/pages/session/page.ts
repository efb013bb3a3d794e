import type { HttpContext } from '@adonisjs/core/http'
import type { SentTyped } from '../frame/typed_form.js'

/** A page, and how it is served. */
export interface Page {
  /** Answers the request. The form has been read and checked, and the session opened. */
  handle(http: HttpContext): Promise<unknown>
  /** True if people can open it without being signed in. */
  isOpen?: boolean
  /** True if it shows or takes secrets: no cache stores it. */
  isSecret?: boolean
  /** True if it must not wait: the rate limit of a session does not apply. */
  isUrgent?: boolean
  /** Shows a form with a stale token again, with what was typed; nothing was done. */
  showAgain?(http: HttpContext): Promise<unknown>
  /** Returns what was typed into the form, to keep it after its session has ended. */
  sent?(http: HttpContext): SentTyped
  /** Returns the address of the page that shows a form; absent if the form has the same. */
  shownAt?(http: HttpContext): string
}
