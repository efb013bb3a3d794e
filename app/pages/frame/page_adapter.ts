import { hash, randomUUID } from 'node:crypto'
import type { HttpContext } from '@adonisjs/core/http'
import { IANAZone } from 'luxon'
import { matchesTag } from '#foundation/api/execution/entity_tag'
import type { Executor } from '#foundation/api/execution/execute'
import { problemOf } from '#foundation/api/execution/problem_of'
import { publicUrl } from '#foundation/api/http/public_url'
import { requestId } from '#foundation/api/http/request_id'
import { operations } from '#foundation/api/operation/registry'
import type { Clock } from '#foundation/core/clock'
import { refuse, type Problem } from '#foundation/core/problems/problem'
import { askAs, rehearseAs } from '../ask.js'
import { assets } from './assets.js'
import { sendHtml } from './send_html.js'
import { renderTemplate } from './engine.js'
import { GivenTags } from './given_tags.js'
import { addressOf } from '../addresses.js'
import { type AnyPage, type Fields, type Form, type PageCall } from './page.js'
import { frameOf, type FrameParts } from './frame_view.js'
import { problemPage, whoMay } from './problem_page.js'
import { setPageHeaders } from '../session/page_headers.js'
import { signedInOf, type SignedIn } from '../session/signed_in.js'

interface Parts {
  executor: Executor
  clock: Clock
  /** Finds the organization of an app, of those that an account belongs to. */
  organizationOf: (appId: string, accountId: string) => Promise<string | null>
}

/** A request of somebody who is signed in, for a page of one organization. */
interface Admitted {
  http: HttpContext
  call: PageCall
}

/** Sent with polls, so that they take nothing that is shown once. */
const POLL = 'x-poll'

/** The cookie in which script notes the time zone of the browser. */
const ZONE_COOKIE = 'tarmac-zone'

/** The name of the sentence that a form leaves for the page after it. */
const SAID = 'said'

/** Serves pages to people who are signed in: asks the operations, and shows their answers. */
export class PageAdapter {
  readonly #tags = new GivenTags()

  constructor(private readonly parts: Parts) {}

  /** Serves a page. */
  async serve(page: AnyPage, http: HttpContext): Promise<void> {
    const signedIn = signedInOf(http)!
    try {
      const admitted = await this.#admit(http, signedIn)
      if (this.#stands(admitted)) return http.response.status(304).send(null)
      await this.#show(page, admitted, 200)
    } catch (error) {
      await this.#showProblem(http, signedIn, error)
    }
  }

  /** Carries out what a form asks, and leads to the page that shows what came of it. */
  async submit(form: Form, http: HttpContext): Promise<void> {
    const { request, response } = http
    const signedIn = signedInOf(http)!
    const params = request.params() as Record<string, string>
    const shownParams = form.shownOn.params?.(params) ?? params
    const shown = addressOf(form.shownOn.page.path, shownParams)
    const { _tag: tag, _key: key, ...fields } = fieldsOf(http)
    try {
      const admitted = await this.#admit(http, signedIn)
      const { zone } = admitted.call.reader
      try {
        const { body: answer } = await admitted.call.ask(form.operation, {
          ...form.request({ params, fields, zone }),
          ifMatch: typeof tag === 'string' && tag !== '' ? tag : undefined,
          idempotencyKey: typeof key === 'string' && key !== '' ? key : null,
        })
        const done = form.done?.({ params, fields, zone, answer }) ?? {}
        if (form.shows) {
          const call = { ...admitted.call, answer }
          return await this.#show(form.shows, { ...admitted, call }, 200)
        }
        if (done.said) http.session.flash(SAID, done.said)
        response
          .redirect()
          .status(303)
          .toPath(done.to ?? shown)
      } catch (error) {
        const problem = problemOf(error)
        if (problem.status >= 500) this.#log(http, problem)
        const refused = { action: request.url(), problem, fields }
        const call = { ...admitted.call, params: shownParams, refused }
        await this.#show(form.shownOn.page, { ...admitted, call }, problem.status)
      }
    } catch (error) {
      await this.#showProblem(http, signedIn, error)
    }
  }

  async #admit(http: HttpContext, signedIn: SignedIn): Promise<Admitted> {
    const { executor, clock, organizationOf } = this.parts
    const params = http.request.params() as Record<string, string>
    const orgId = params.orgId ?? (await organizationOf(params.appId, signedIn.account.id))
    const principal = orgId ? await signedIn.principalOf(orgId) : null
    if (!principal) throw refuse('not_found')
    if (!http.request.header(POLL)) await signedIn.remember(orgId!)
    const { account } = signedIn
    const call: PageCall = {
      params,
      query: http.request.qs() as Record<string, string>,
      ask: askAs(executor, principal, publicUrl(http)),
      rehearse: rehearseAs(executor, principal, publicUrl(http)),
      refused: null,
      baseUrl: publicUrl(http),
      reader: {
        account: { ...account, name: account.name ?? account.email },
        principal,
        organizations: await signedIn.organizations(),
        zone: account.timeZone ?? zoneOf(http) ?? 'UTC',
        locale: localeOf(http),
        theme: account.theme === 'system' ? null : account.theme,
        now: clock.now(),
        may: (id) => operations.has(id) && executor.mayAsk(operations.get(id), principal),
      },
    }
    return { http, call }
  }

  /** Returns whether the page that the browser keeps is still what it would get. */
  #stands({ http, call }: Admitted): boolean {
    const given = http.request.header('if-none-match')
    if (given === undefined) return false
    const tag = this.#tags.find(questionOf(http, call), numberOf(call), call.reader.now)
    if (tag === undefined || !matchesTag(given, tag, true)) return false
    http.response.header('etag', tag)
    return true
  }

  async #show(page: AnyPage, { http, call }: Admitted, status: number): Promise<void> {
    const answers = await page.read(call)
    const view = page.view(answers, call)
    const said = saidTo(http)
    const frame: FrameParts = {
      address: http.request.url(true),
      view,
      call,
      said,
      csrfToken: http.request.csrfToken,
      key: randomUUID(),
      who: call.refused ? await whoMay(call, call.refused.problem) : null,
    }
    setPageHeaders(http, { secret: view.isSecret === true })
    const isTagged = status === 200 && said === null && !view.isSecret && !call.refused
    const tag = isTagged ? tagOf(view, call) : null
    if (tag !== null) {
      this.#tags.keep(questionOf(http, call), numberOf(call), call.reader.now, tag)
      http.response.header('etag', tag)
      const given = http.request.header('if-none-match')
      if (given && matchesTag(given, tag, true)) return http.response.status(304).send(null)
    }
    const state = { view, frame: await frameOf(frame) }
    http.response.status(status)
    await sendHtml(http, renderTemplate(page.template, state), { isSecret: view.isSecret })
  }

  async #showProblem(http: HttpContext, signedIn: SignedIn, error: unknown): Promise<void> {
    const problem = problemOf(error)
    if (problem.status >= 500) this.#log(http, problem)
    const id = requestId(http)
    const html = await problemPage(problem, {
      signedIn,
      requestId: id,
      call: await this.#admit(http, signedIn).then(
        ({ call }) => call,
        () => null
      ),
    })
    setPageHeaders(http, { secret: true })
    http.response.status(problem.status)
    await sendHtml(http, html)
  }

  #log(http: HttpContext, { extras: { cause } }: Problem) {
    if (cause !== undefined) {
      http.logger.error({ err: cause, requestId: requestId(http) }, 'a page failed')
    }
  }
}

/** Takes the sentence that the last form left; a poll leaves it for the page. */
function saidTo({ request, session }: HttpContext): string | null {
  const said = session.flashMessages.get(SAID, null) as string | null
  if (said === null || !request.header(POLL)) return said
  session.reflash()
  return null
}

/** The time zone that the script of an earlier page has noted; null for none, or none there is. */
function zoneOf({ request }: HttpContext): string | null {
  const zone: unknown = request.plainCookie(ZONE_COOKIE, { encoded: false })
  return typeof zone === 'string' && IANAZone.isValidZone(zone) ? zone : null
}

/** The first language of the browser that times can be told in; it may name any, and `*`. */
const localeOf = ({ request }: HttpContext): string => request.languages().find(isLocale) ?? 'en'

function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}

const questionOf = ({ request }: HttpContext, { reader }: PageCall) =>
  `${reader.account.id} ${reader.principal.organization.id} ${reader.locale} ${request.url(true)}`

const numberOf = ({ reader }: PageCall) => reader.principal.organization.changes

/** What a reader sees beside the view: who they are, how they read, and what is served with it. */
function tagOf(view: object, { reader }: PageCall): string {
  const { account, organizations, theme, zone, locale, principal } = reader
  const about = [account, organizations, theme, zone, locale, principal.organization.name]
  const text = JSON.stringify([view, about, assets().version])
  return `W/"${hash('sha1', text, 'base64url')}"`
}

function fieldsOf({ request }: HttpContext): Fields {
  const sent = request.body() as Record<string, string | string[]>
  return Object.fromEntries(Object.entries(sent).filter(([name]) => name !== '_csrf'))
}
