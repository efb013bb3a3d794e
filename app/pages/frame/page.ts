import type { Principal } from '#foundation/core/principal'
import type { Instant } from '#foundation/core/clock'
import type { Problem } from '#foundation/core/problems/problem'
import { addressOf } from '../addresses.js'
import type { Ask, Rehearse } from '../ask.js'

/** The person who looks at a page, and how they read. */
export interface Reader {
  account: { id: string; name: string; email: string }
  principal: Principal
  /** Name of an IANA time zone. */
  zone: string
  /** BCP 47 tag of the browser's first language. */
  locale: string
  theme: 'light' | 'dark' | null
  now: Instant
  /** Returns whether the reader may ask for an operation at all. */
  may: (operationId: string) => boolean
}

/** A form as it was sent: its address, and what was typed. */
export interface Typed {
  /** The form's address. */
  action: string
  fields: Fields
  /** The entity tag that it carried; absent for none. */
  tag?: string
}

/** A form that was refused, and why. */
export interface Refused extends Typed {
  problem: Problem
}

/** The fields of a form, by name; one that is given several times is a list. */
export type Fields = Readonly<Record<string, string | string[]>>

/** A request for a page. */
export interface PageCall {
  params: Record<string, string>
  query: Readonly<Record<string, string>>
  ask: Ask
  rehearse: Rehearse
  /** The body of the answer to the form that led here; absent for a page that is asked for. */
  answer?: unknown
  /** The form that led here and was carried out; absent for a page that is asked for. */
  typed?: Typed
  reader: Reader
  refused: Refused | null
  /** The address that the reader reaches the service at. */
  baseUrl: string
  /** The session of the reader's browser. */
  browser: string
}

/** Places in the navigation. */
export type Place =
  | 'home'
  | 'turn'
  | 'schedule'
  | 'where'
  | 'providers'
  | 'webhooks'
  | 'keys'
  | 'people'
  | 'rehearse'

/** Members that every view has for its frame. */
export interface PageView {
  /** The title of the browser's tab, without the product's name. */
  title: string
  place: Place | null
  /** Seconds between polls of the live part; null for a page that does not poll. */
  pollSeconds: number | null
  /** True while something is under way: a browser without script then reloads the whole page. */
  isUnderWay?: boolean
  /** True if no cache may store the page: it shows a secret, or leads to one. */
  isSecret?: boolean
  /** The text about a refused form; if absent, the message of the problem. */
  refusal?: string
  /** The errors of a refused form; absent: those of the problem. */
  places?: readonly Fault[]
  /** Another origin that a form of the page redirects to; absent for none. */
  leadsTo?: string
  /** Fields that every form of the page carries, by name; absent for none. */
  carries?: Readonly<Record<string, string>>
  /** Status of the answer; absent: 200. */
  httpStatus?: number
  /** A redirect instead of the page, so that a reload does not repeat what it did. */
  leadsOn?: Required<Done>
}

/** Something wrong with a form, and the id of the field to mend; null for none. */
export interface Fault {
  message: string
  field: string | null
}

/** The declaration of a page: which operations it asks, and what it shows of the answers. */
export interface Page<Answers, View extends PageView> {
  /** `/dashboard`, followed by the path of the same resource in the API. */
  path: string
  /** The template, from `app/pages` and without its ending. It gets the view as `view`. */
  template: string
  /** True if reading the page uses something up, so that HEAD must not read it. */
  isOnce?: boolean
  /** Asks operations. A problem of one that is not caught becomes the page. */
  read(call: PageCall): Promise<Answers>
  /** Turns answers into all that the template shows. Pure. */
  view(answers: Answers, call: Pick<PageCall, 'reader' | 'refused' | 'query' | 'params'>): View
}

/** A page without the types of its answers and its view. */
export type AnyPage = Page<unknown, PageView>

export function page<Answers, View extends PageView>(declaration: Page<Answers, View>): AnyPage {
  return declaration as unknown as AnyPage
}

/** The request that a form makes of an operation. */
export interface FormRequest {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  /** The entity tag of the state that it is based on; absent: the tag that the form carries. */
  ifMatch?: string
}

/** The part of a submission that decides where its form leads. */
export interface FormCall {
  params: Record<string, string>
  fields: Fields
  /** The reader's time zone, which dates are typed in. */
  zone: string
}

/** The part of a submission that the request of its form is made from. */
export interface SentForm extends FormCall {
  ask: Ask
  /** The session of the reader's browser. */
  browser: string
  now: Instant
}

/** The declaration of a form: the operation that it asks for, and where it leads. */
export interface Form {
  /** The address that it is sent to, with POST. */
  path: string
  /** An id of an operation. */
  operation: string
  request(call: SentForm): FormRequest | Promise<FormRequest>
  /** An operation that must succeed before the form's own, such as a read of what it belongs to. */
  requires?: {
    operation: string
    params: (params: Record<string, string>) => Record<string, string>
  }
  /** The page that shows the form. If the form is refused, the page is shown again with it. */
  shownOn: ShownOn
  /**
   * The address to show after it, and what to say there. Absent: the page that shows the form.
   * @param answer the body of the operation's answer
   */
  done?(call: FormCall & { answer: unknown }): Done
  /** A page that is shown in place of a redirect, for what may be shown only once. */
  shows?: AnyPage
  /** Fields that hold secrets, with all fields below them: they are never stored. Absent: none. */
  secrets?: readonly string[]
  /** True if each submission creates something, so that the form carries an idempotency key. */
  makes?: boolean
}

interface ShownOn {
  page: AnyPage
  /** Returns the address of the page for the fields of the form; absent: the page's own path. */
  path?: (fields: Fields) => string
  params?: (params: Record<string, string>, fields: Fields) => Record<string, string>
}

interface Done {
  to?: string
  /** One sentence to show there. */
  said?: string
}

/** Returns the address of the page that shows a form, with its parameters. */
export function shownAt({ shownOn }: Form, given: Record<string, string>, fields: Fields = {}) {
  const params = shownOn.params?.(given, fields) ?? given
  return { params, address: addressOf(shownOn.path?.(fields) ?? shownOn.page.path, params) }
}

export const form = (declaration: Form): Form => declaration
