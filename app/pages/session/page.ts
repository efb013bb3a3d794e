import type { HttpContext } from '@adonisjs/core/http'
import type { SentTyped } from '../frame/typed_form.js'

/** A page, and what is done around it. */
export interface Page {
  /** Answers. It is called with the form read and checked, and the session at hand. */
  handle(http: HttpContext): Promise<unknown>
  /** True if those who are not signed in see it too. */
  isOpen?: boolean
  /** Shows or takes secrets: nobody keeps it. */
  isSecret?: boolean
  /** For what must not wait: the limit of a session does not hold it up. */
  isUrgent?: boolean
  /** Shows a form again whose token is too old, with what was typed; nothing was done. */
  showAgain?(http: HttpContext): Promise<unknown>
  /** Returns what was typed into a form that came, so that it outlives a session. */
  sent?(http: HttpContext): SentTyped
  /** Returns the address of the page that shows a form; absent if the form has the same. */
  shownAt?(http: HttpContext): string
}
