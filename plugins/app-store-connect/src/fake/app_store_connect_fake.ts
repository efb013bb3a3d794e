import {
  FakeProvider,
  type Delivery,
  type DeliveryOptions,
  type Scenario,
} from '@tarmac/plugin-kit/testing'
import { JsonApiRequest, notFound, Refusal } from './json_api.js'
import { STORAGE, storePart } from './attachments.js'
import { delivery } from './hooks.js'
import { keyOf, type FakeKey } from './keys.js'
import { ROUTES, type Served } from './routes.js'
import { scenarioOf, worldOf } from './scenarios.js'
import { approve, settle, type FakeVersion, type Moving, type World } from './world.js'

/** Requests that a key may make in an hour. */
const REQUESTS_PER_HOUR = 3500
const HOUR_MS = 3_600_000

/** A copy of the state at a time, because reads lag behind. */
interface Snapshot {
  at: number
  world: Moving
}

/** The part of App Store Connect that the plugin uses: one account with one app. */
export class AppStoreConnectFake extends FakeProvider implements Served {
  world!: World
  /** Set to refuse every request for this reason. */
  closed: 'agreement' | null = null
  /** Most changes within a second. Apple documents no such limit, but teams report one. */
  burst = Infinity
  readonly keys = new Map<string, FakeKey>()
  #snapshots: Snapshot[] = []
  #requestTimes: number[] = []
  #changed: number[] = []

  /**
   * @param keys the keys of the account, by their ids
   * @param clock its time in milliseconds; by default, only `advance` moves it
   */
  constructor(
    keys: Readonly<Record<string, FakeKey>> = {},
    private readonly clock?: () => number
  ) {
    super()
    for (const [id, key] of Object.entries(keys)) this.keys.set(id, key)
    this.seed({})
  }

  override get now(): number {
    return this.clock?.() ?? super.now
  }

  seed(scenario: Scenario): void {
    this.world = worldOf(scenario, this.now)
    this.#snapshots = []
    this.#remember(-Infinity)
  }

  state(): Scenario {
    settle(this.world, this.now)
    return scenarioOf(this.world, this.now)
  }

  shown(): FakeVersion[] {
    const { lagMs } = this.world.settings
    const { versions } = lagMs === 0 ? this.world : this.#before(this.now - lagMs)
    return versions.filter(({ shownAt }) => shownAt <= this.now)
  }

  /** Returns the state at a time, including transitions that had happened by then. */
  #before(at: number): Moving {
    const known = this.#snapshots.filter((each) => each.at <= at).at(-1)!
    const world = structuredClone(known.world)
    settle(world, at)
    return world
  }

  /** Plays Apple's decision on a version in review. */
  decide(versionId: string, verdict: 'approved' | 'rejected'): void {
    const isApproved = verdict === 'approved'
    const version = this.world.versions.find(({ id }) => id === versionId)
    const submission = this.world.submissions.find(
      (each) => each.versionId === versionId && each.state !== 'COMPLETE'
    )
    if (!version || !submission) throw new Error('It is in no review')
    submission.state = isApproved ? 'COMPLETE' : 'UNRESOLVED_ISSUES'
    if (isApproved) approve(this.world, version, this.now)
    else version.state = 'REJECTED'
    this.#remember(this.now)
  }

  /** Plays a change in the console of App Store Connect, which reads show with the usual lag. */
  inConsole(change: (world: World) => void): void {
    settle(this.world, this.now)
    change(this.world)
    this.#remember(this.now)
  }

  deliverWebhook(event: string, options: DeliveryOptions): Delivery {
    return delivery(event, options)
  }

  #remember(at: number): void {
    const { versions, submissions, builds } = this.world
    this.#snapshots.push({ at, world: structuredClone({ versions, submissions, builds }) })
  }

  protected override tooMany(): Response {
    return this.#headed(tooFast().response(), 0)
  }

  protected async respond(request: Request): Promise<Response> {
    settle(this.world, this.now)
    const { hostname, pathname } = new URL(request.url)
    if (hostname === STORAGE || pathname.startsWith('/parts/')) {
      return storePart(this.world, request)
    }
    this.#requestTimes = this.#requestTimes.filter((at) => at > this.now - HOUR_MS)
    if (this.#requestTimes.length >= REQUESTS_PER_HOUR) return this.tooMany()
    this.#requestTimes.push(this.now)
    if (request.method !== 'GET') {
      this.#changed = [...this.#changed.filter((at) => at > this.now - 1000), this.now]
      if (this.#changed.length > this.burst) return tooFast().response()
    }
    return this.#headed(await this.#answer(request), REQUESTS_PER_HOUR - this.#requestTimes.length)
  }

  async #answer(request: Request): Promise<Response> {
    try {
      const key = keyOf(request, this.keys, this.now)
      if (this.closed === 'agreement') throw noAgreement()
      const isReview = new URL(request.url).pathname.startsWith('/v1/reviewSubmissions')
      if (key.isReadOnly && (request.method !== 'GET' || isReview)) throw notAllowed()
      return await this.#route(request)
    } catch (error) {
      if (error instanceof Refusal) return error.response()
      throw error
    }
  }

  async #route(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const found = ROUTES.map((each) => ({ each, match: each.pattern.exec(url.pathname) })).find(
      ({ each, match }) => each.method === request.method && match
    )
    if (!found) throw noPath(url.pathname)
    const text = await request.text()
    const params = found.match!.slice(1).map(decodeURIComponent)
    const parsed = new JsonApiRequest(params, url, text === '' ? {} : (JSON.parse(text) as object))
    if (!this.world.isThere && url.pathname !== '/v1/apps') {
      throw notFound('apps', this.world.appId)
    }
    const answer = found.each.route(this, parsed)
    parsed.requireFiltersRead()
    if (request.method !== 'GET') this.#remember(this.now)
    if (answer === null) return new Response(null, { status: 204 })
    return Response.json(answer, { status: found.each.status })
  }

  #headed(response: Response, left: number): Response {
    const headed = new Response(response.body, response)
    headed.headers.set('x-rate-limit', `user-hour-lim:${REQUESTS_PER_HOUR};user-hour-rem:${left};`)
    headed.headers.set('date', new Date(this.now).toUTCString())
    return headed
  }
}

const tooFast = () =>
  new Refusal(429, {
    code: 'RATE_LIMIT_EXCEEDED',
    title: 'The request rate limit has been reached.',
    detail: "We've received too many requests for this API. Please wait and try again.",
  })

const noAgreement = () =>
  new Refusal(403, {
    code: 'FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED',
    title: 'A required agreement is missing or has expired.',
    detail: 'This request requires an in-effect agreement that has not been signed or has expired.',
  })

const notAllowed = () =>
  new Refusal(403, {
    code: 'FORBIDDEN_ERROR',
    title: 'This request is forbidden for security reasons',
    detail: 'The API key in use does not allow this request',
  })

const noPath = (path: string) =>
  new Refusal(404, {
    code: 'PATH_ERROR',
    title: 'The URL path is not valid',
    detail: `The relationship or resource at '${path}' does not exist`,
  })
