import { hash, randomUUID } from 'node:crypto'
import type { HttpContext } from '@adonisjs/core/http'
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
import { shownAt, type AnyPage, type Form, type PageCall, type PageView } from './page.js'
import { localeOf, zoneOf } from './locale.js'
import { frameOf, type FrameParts } from './frame_view.js'
import { problemPage, whoMay } from './problem_page.js'
import { typedIn } from './typed_form.js'
import { seeOther } from '../session/forms.js'
import { dropForm, findForm, sealedAccount } from '../session/kept_form.js'
import { setPageHeaders } from '../session/page_headers.js'
import { isPoll } from '../session/polls.js'
import { signedInOf, type SignedIn } from '../session/signed_in.js'

interface Dependencies {
  executor: Executor
  clock: Clock
  /** Finds the organization of an app, of those that an account belongs to. */
  organizationOf: (appId: string, accountId: string) => Promise<string | null>
}

/** A request of somebody who is signed in, for a page of one organization. */
interface Admitted {
  http: HttpContext
  signedIn: SignedIn
  /** The key of the page's entity tag: session, organization, settings of the reader, address. */
  tagKey: string
  call: PageCall
}

/** A page that polls at this interval, in seconds, or slower changes only with stored data. */
const STEADY_SECONDS = 5

/** The name of the sentence that a form leaves for the page after it. */
const SAID = 'said'

/** Serves pages to people who are signed in: asks the operations, and shows their answers. */
export class PageAdapter {
  readonly #tags = new GivenTags()

  constructor(private readonly dependencies: Dependencies) {}

  /** Serves a page. */
  async serve(page: AnyPage, http: HttpContext): Promise<void> {
    const signedIn = signedInOf(http)!
    try {
      const admitted = await this.#admit(http, signedIn)
      if (page.isOnce && http.request.method() === 'HEAD') return http.response.send('')
      const keptForm = await keptFormOf(admitted)
      if (keptForm) {
        const call = { ...admitted.call, refused: { ...keptForm, problem: signedOutMeanwhile() } }
        const to = { status: 200, address: http.request.url(true) }
        await this.#show(page, { ...admitted, call }, to)
        return await dropForm(http)
      }
      if (this.#isUnchanged(admitted)) return http.response.status(304).send(null)
      await this.#show(page, admitted, { status: 200, address: http.request.url(true) })
    } catch (error) {
      await this.#showProblem(http, signedIn, error)
    }
  }

  /** Redirects from an address of older clients to the page that shows the same today. */
  async redirectOld(
    pageFor: (query: PageCall['query']) => string,
    http: HttpContext
  ): Promise<void> {
    const signedIn = signedInOf(http)!
    try {
      const { call } = await this.#admit(http, signedIn)
      const { appId } = call.params
      const { body } = await call.ask<{ id: string }>('getApp', { params: { appId } })
      const { bucketId = '', buildId: buildDistroBuildId = '' } = call.query
      const params = { appId: body.id, bucketId, buildDistroBuildId }
      seeOther(http, addressOf(pageFor(call.query), params))
    } catch (error) {
      await this.#showProblem(http, signedIn, error)
    }
  }

  /** Runs the operation of a form, and redirects to the page that shows the result. */
  async submit(form: Form, http: HttpContext): Promise<void> {
    const { request, response } = http
    const signedIn = signedInOf(http)!
    const params = request.params() as Record<string, string>
    const { typed, key } = typedIn(http)
    const { fields, tag } = typed
    const { params: shownParams, address: shown } = shownAt(form, params, fields)
    let isDone = false
    try {
      const admitted = await this.#admit(http, signedIn)
      const { ask, reader, browser } = admitted.call
      const { zone, now } = reader
      let answer: unknown
      try {
        const { requires } = form
        if (requires) await ask(requires.operation, { params: requires.params(params) })
        const { body } = await ask(form.operation, {
          // People act on the state that the page showed. A form without a tag acts on any state,
          // also if the organization requires If-Match.
          ifMatch: tag ?? anyStateIfRequired(admitted.call),
          ...(await form.request({ params, fields, zone, ask, now, browser })),
          idempotencyKey: key,
        })
        answer = body
      } catch (error) {
        const problem = problemOf(error)
        if (problem.status >= 500) this.#log(http, problem)
        const refused = { ...typed, problem }
        const call = { ...admitted.call, params: shownParams, refused }
        const again = { status: problem.status, address: shown }
        return await this.#show(form.shownOn.page, { ...admitted, call }, again)
      }
      isDone = true
      const done = form.done?.({ params, fields, zone, answer }) ?? {}
      if (form.shows) {
        const call = { ...admitted.call, params: shownParams, answer, typed }
        const to = { status: 200, address: shown }
        return await this.#show(form.shows, { ...admitted, call }, to)
      }
      if (done.said) http.session.flash(SAID, done.said)
      response
        .redirect()
        .status(303)
        .toPath(done.to ?? shown)
    } catch (error) {
      await this.#showProblem(http, signedIn, error, isDone)
    }
  }

  async #admit(http: HttpContext, signedIn: SignedIn): Promise<Admitted> {
    const { executor, clock, organizationOf } = this.dependencies
    const params = http.request.params() as Record<string, string>
    const orgId = params.orgId ?? (await organizationOf(params.appId, signedIn.account.id))
    const principal = orgId ? await signedIn.principalOf(orgId) : null
    if (!principal) throw refuse('not_found')
    if (!isPoll(http)) await signedIn.remember(orgId!)
    const { account, signInId } = signedIn
    const baseUrl = publicUrl(http)
    const call: PageCall = {
      params,
      query: textsOf(http.request.qs()),
      ask: askAs(executor, principal, baseUrl),
      rehearse: rehearseAs(executor, principal, baseUrl),
      refused: null,
      baseUrl,
      browser: signInId,
      reader: {
        account: { ...account, name: account.name ?? account.email },
        principal,
        zone: zoneOf(http.request, account),
        locale: localeOf(http.request),
        theme: account.theme === 'system' ? null : account.theme,
        now: clock.now(),
        may: (id) => operations.has(id) && executor.mayAsk(operations.get(id), principal),
      },
    }
    return { http, call, signedIn, tagKey: tagKeyOf(http, call, signInId) }
  }

  /** Returns whether the browser has the current page, and answers with its tag then. */
  #isUnchanged(admitted: Admitted): boolean {
    const { http } = admitted
    const ifNoneMatch = http.request.header('if-none-match')
    if (ifNoneMatch === undefined || hasSaid(http)) return false
    const tag = this.#lastSent(admitted)?.tag
    if (tag === undefined || !matchesTag(ifNoneMatch, tag, true)) return false
    http.response.header('etag', tag)
    return true
  }

  #lastSent({ call, tagKey }: Admitted) {
    return this.#tags.find(tagKey, changesOf(call), call.reader.now)
  }

  /** Returns the view of a page. A poll or a HEAD request gets the last one while nothing changes. */
  async #viewOf(page: AnyPage, admitted: Admitted): Promise<PageView> {
    const { http, call } = admitted
    const isBrief = isPoll(http) || http.request.method() === 'HEAD'
    const lastView = isBrief ? this.#lastSent(admitted)?.view : null
    return lastView ?? page.view(await page.read(call), call)
  }

  /** @param address the address of the page, even if a form was sent to another one */
  async #show(
    page: AnyPage,
    admitted: Admitted,
    { status: usual, address }: { status: number; address: string }
  ): Promise<void> {
    const { http, call, signedIn, tagKey } = admitted
    const view = await this.#viewOf(page, admitted)
    if (view.leadsOn) {
      http.session.flash(SAID, view.leadsOn.said)
      return seeOther(http, view.leadsOn.to)
    }
    const status = usual === 200 ? (view.httpStatus ?? usual) : usual
    const said = takeSaid(http)
    const parts: FrameParts = {
      address,
      view,
      call,
      organizations: await signedIn.organizations(),
      said,
      csrfToken: http.request.csrfToken,
      by: sealedAccount(signedIn.account.id),
      key: randomUUID(),
      isPoll: isPoll(http),
      who: call.refused ? await whoMay(call, call.refused.problem) : null,
    }
    const formAction = view.leadsTo === undefined ? [] : [view.leadsTo]
    setPageHeaders(http, { secret: view.isSecret === true, formAction })
    const frame = await frameOf(parts)
    const isOfForm = said !== null || call.refused !== null || call.typed !== undefined
    const isTagged = status === 200 && !isOfForm && !view.isSecret
    const tag = isTagged ? tagOf(view, frame, signedIn.signInId) : null
    if (tag !== null) {
      // A page that polls faster shows the seconds since a store was asked, which always change.
      const isSteady = view.pollSeconds === null || view.pollSeconds >= STEADY_SECONDS
      if (isSteady && this.#lastSent(admitted)?.tag !== tag) {
        this.#tags.keep(tagKey, changesOf(call), call.reader.now, tag, view)
      }
      http.response.header('etag', tag)
      const ifNoneMatch = http.request.header('if-none-match')
      if (ifNoneMatch && matchesTag(ifNoneMatch, tag, true)) {
        return http.response.status(304).send(null)
      }
    }
    http.response.status(status)
    await sendHtml(http, renderTemplate(page.template, { view, frame }), {
      // A page that only leads to a secret does not hold it yet.
      isSecret: view.isSecret === true && call.answer !== undefined,
    })
  }

  /** @param isDone whether a form was carried out before the page failed */
  async #showProblem(
    http: HttpContext,
    signedIn: SignedIn,
    error: unknown,
    isDone = false
  ): Promise<void> {
    const problem = problemOf(error)
    if (problem.status >= 500) this.#log(http, problem)
    const id = requestId(http)
    const html = await problemPage(problem, {
      signedIn,
      isDone,
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

/** Returns whether the last form left a sentence for this page. A poll leaves it for the next page. */
const hasSaid = (http: HttpContext): boolean =>
  !isPoll(http) && http.session.flashMessages.get(SAID, null) !== null

/** Takes the sentence that the last form left. */
const takeSaid = (http: HttpContext): string | null =>
  hasSaid(http) ? (http.session.flashMessages.get(SAID, null) as string) : null

/** Finds the form that was sent from this page after its session had ended. Polls ignore it. */
async function keptFormOf({ http, signedIn }: Admitted) {
  const isShown = http.request.method() === 'GET' && !isPoll(http)
  return isShown ? findForm(http, signedIn.account.id) : null
}

const signedOutMeanwhile = () =>
  refuse('form_stale', {
    detail: 'You were signed out. What you typed is below, except secrets; send it again.',
  })

const tagKeyOf = ({ request }: HttpContext, { reader }: PageCall, signInId: string) => {
  const { principal, locale, zone, theme } = reader
  return `${signInId} ${principal.organization.id} ${locale} ${zone} ${theme} ${request.url(true)}`
}

const changesOf = ({ reader }: PageCall) => reader.principal.organization.changes

/** Returns `*`, which any state matches, if the organization requires If-Match on every write. */
const anyStateIfRequired = ({ reader }: PageCall) =>
  reader.principal.organization.requireIfMatch ? '*' : undefined

/**
 * Returns the entity tag of a page. It changes with what the page shows, with the session that its
 * forms belong to, and with the assets. Tokens differ in each answer, so they do not count.
 */
function tagOf(view: object, frame: Record<string, unknown>, signInId: string): string {
  const { hidden, hiddenKey, ...shown } = frame
  void [hidden, hiddenKey]
  const text = JSON.stringify([view, shown, signInId, assets().version])
  return `W/"${hash('sha1', text, 'base64url')}"`
}

/** Returns the query parameters that are given once; pages take no repeated ones. */
const textsOf = (query: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(query).filter((each): each is [string, string] => typeof each[1] === 'string')
  )
