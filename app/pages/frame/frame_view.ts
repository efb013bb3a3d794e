import { html } from '#foundation/api/http/html'
import { turnCountOf } from './turn_count.js'
import type { PageCall, PageView } from './page.js'
import { navigationOf, type Organizations } from './places.js'
import { themeAttribute } from './plain_page.js'
import { refusalOf } from './refusal.js'
import { withoutPress } from '../session/stop.js'

/** The data for the frame of a page. */
export interface FrameParts {
  /** The address of the page. */
  address: string
  view: PageView
  call: PageCall
  /** The organizations that the reader belongs to, by name. */
  organizations: Organizations
  /** The notice of the last form for this page. */
  said: string | null
  csrfToken: string
  /** The account that the page is shown to, encrypted. */
  by: string
  /** A random idempotency key for forms that create something. */
  key: string
  /** True if the open page refreshes itself. */
  isPoll: boolean
  /** A sentence about who may do what was refused. */
  who: string | null
}

/** Attributes of a form that updates its page in place; without script it is an ordinary form. */
const IN_PLACE =
  ' hx-boost="true" hx-target="#live" hx-select="#live" hx-swap="outerMorph" hx-push-url="false"'

/** Minimum seconds between reloads of a whole page, so that people have time to read it. */
const MIN_REFRESH = 5

/** Returns the view of the frame around a page. */
export async function frameOf(parts: FrameParts) {
  const { address, view, call, organizations, said, csrfToken, by, key, isPoll, who } = parts
  const { reader, refused } = call
  const isAboutTurns = view.place === 'home' || view.place === 'turn'
  const turnCount = await turnCountOf(call, isPoll && !isAboutTurns)
  const context = { organizations, here: view.place, turnCount }
  const hidden = (name: string, value: string) =>
    html`<input type="hidden" name="${name}" value="${value}" />`.toString()
  return {
    address,
    title: refused ? `Error: ${view.title}` : view.title,
    theme: themeAttribute(reader.theme),
    live: view.pollSeconds === null ? '' : liveAttributes(address, view.pollSeconds),
    /** Seconds after which a browser without script reloads the page. */
    refresh: view.isUnderWay ? Math.max(MIN_REFRESH, view.pollSeconds ?? 0) : null,
    said,
    refusal: refused && refusalOf(refused, who, view),
    navigation: navigationOf(reader, context),
    inPlace: IN_PLACE,
    /** Hidden fields of every form: CSRF token, account, and those that the page adds. */
    hidden: [['_csrf', csrfToken], ['_by', by], ...Object.entries(view.carries ?? {})]
      .map(([name, value]) => hidden(name, value))
      .join(''),
    /** The hidden field with the idempotency key, for forms that create something. */
    hiddenKey: hidden('_key', key),
  }
}

/** Attributes for polling. A poll keeps typed text and focus, and consumes no notice. */
function liveAttributes(address: string, seconds: number): string {
  const request = html` hx-get="${withoutPress(address)}" hx-trigger="every ${seconds}s, look"
  hx-select="#live"`
  return [
    request.toString(),
    ` hx-swap="outerMorph" hx-headers='{"X-Poll":"1"}' hx-status:4xx="swap:none"`,
    ` hx-status:5xx="swap:none" hx-sync="this:drop" data-live`,
  ].join('')
}
