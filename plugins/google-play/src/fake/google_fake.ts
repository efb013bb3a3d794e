import { randomUUID } from 'node:crypto'
import { FakeProvider, type Scenario } from '@tarmac/plugin-kit/testing'
import { PlayEdits, type ApiRelease } from './play_edits.js'
import { PlayReports } from './play_reports.js'
import { PlayReviews } from './play_reviews.js'
import { metadataOf, storeOf, testedOf, versionsOf } from './play_scenario.js'
import { lifecycleOf, type PlayStore, type StoreRelease } from './play_store.js'
import { Refusal, REFUSALS } from './refusals.js'

const TOKENS = 'oauth2.googleapis.com'
const REPORTS = 'playdeveloperreporting.googleapis.com'

/** Service accounts: what each may do. */
const ACCOUNTS: Readonly<Record<string, 'releases' | 'reads' | 'nothing'>> = {
  'tarmac@acme.iam.gserviceaccount.com': 'releases',
  'other@acme.iam.gserviceaccount.com': 'releases',
  'reader@acme.iam.gserviceaccount.com': 'reads',
  'stranger@acme.iam.gserviceaccount.com': 'nothing',
}

/** Lifetime of a token, and tolerated clock difference, in milliseconds. */
const TOKEN_MS = 3_600_000
const SKEW_MS = 300_000

interface FakeRequest {
  params: string[]
  query: URLSearchParams
  body: Record<string, unknown>
  account: string
}

type Route = (request: FakeRequest, fake: GooglePlayFake) => unknown

interface RouteEntry {
  method: string
  pattern: RegExp
  route: Route
}

/** Creates a route below the package; `{}` matches one path segment. */
const at = (method: string, path: string, route: Route): RouteEntry => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('{}', '([^/:]+)')}$`),
  route,
})

const ROUTES: readonly RouteEntry[] = [
  at('POST', 'edits', ({ account }, { edits }) => edits.insert(account)),
  at('DELETE', 'edits/{}', ({ params: [id] }, { edits }) => edits.delete(id)),
  at('GET', 'edits/{}/tracks', ({ params: [id] }, { edits }) => edits.tracks(id)),
  at('GET', 'edits/{}/tracks/(.+)', ({ params: [id, track] }, { edits }) => edits.track(id, track)),
  at('PUT', 'edits/{}/tracks/(.+)', ({ params: [id, track], body }, { edits }) =>
    edits.putTrack(id, track, body as { releases?: ApiRelease[] })
  ),
  at('GET', 'edits/{}/bundles', ({ params: [id] }, { edits }) => edits.bundles(id)),
  at('GET', 'edits/{}/apks', ({ params: [id] }, { edits }) => edits.apks(id)),
  at('GET', 'edits/{}/listings', ({ params: [id] }, { edits }) => edits.listings(id)),
  at('PUT', 'edits/{}/listings/{}', ({ params: [id, language], body }, { edits }) =>
    edits.putListing(id, language, body as Record<string, string>)
  ),
  at('PATCH', 'edits/{}/listings/{}', ({ params: [id, language], body }, { edits }) =>
    edits.patchListing(id, language, body as Record<string, string>)
  ),
  at('POST', 'edits/{}:commit', ({ params: [id], query }, { edits }) => edits.commit(id, query)),
  at('GET', 'tracks/(.+)/releases', ({ params: [track] }, fake) => fake.summaries(track)),
  at('GET', 'reviews', ({ query }, { reviews }) => reviews.list(query)),
  at('GET', 'reviews/{}', ({ params: [id] }, { reviews }) => reviews.get(id)),
  at('POST', 'reviews/{}:reply', ({ params: [id], body }, { reviews }) => reviews.reply(id, body)),
]

const REPORT_ROUTES: readonly RouteEntry[] = [
  at('GET', ':fetchReleaseFilterOptions', (_request, { reports }) => reports.options()),
  at('GET', '/crashRateMetricSet', (_request, { reports }) => reports.metricSet()),
  at('POST', '/crashRateMetricSet:query', ({ body }, { reports }) => reports.query(body)),
  at('GET', '/errorIssues:search', ({ query }, { reports }) => reports.search(query)),
]

/** The part of Google Play that the plugin uses: one app, `com.acme.app`, and its reports. */
export class GooglePlayFake extends FakeProvider {
  readonly packageName = 'com.acme.app'
  store!: PlayStore
  edits!: PlayEdits
  reviews!: PlayReviews
  reports!: PlayReports
  /** The app was removed from the account. */
  isRemoved = false
  isApiDisabled = false
  /** Service accounts whose keys were deleted. */
  readonly revoked = new Set<string>()
  /** The lag of lists, in milliseconds. */
  lagMs = 0
  /** Runs before a commit, to simulate a concurrent change. */
  beforeCommit: (() => void) | null = null
  readonly #refusals: { path: RegExp; refusal: Refusal }[] = []
  readonly #tokens = new Map<string, { account: string; until: number }>()
  #shown: { at: number; releases: StoreRelease[] }[] = []

  /** @param clock its time in milliseconds; by default, only `advance` moves it */
  constructor(private readonly clock?: () => number) {
    super()
    this.seed({})
  }

  protected override get now(): number {
    return this.clock?.() ?? super.now
  }

  seed(scenario: Scenario): void {
    const now = () => this.now
    this.store = storeOf(scenario)
    this.edits = new PlayEdits(this.store, now)
    this.reviews = new PlayReviews(now, scenario.appStore?.reviews)
    this.reports = new PlayReports(this.packageName, now, scenario.crashMonitoring)
    this.#shown = []
    this.#scenario = scenario
    this.#show()
  }

  #scenario: Scenario = {}

  state(): Scenario {
    const { appStore, betaTesting, crashMonitoring } = this.#scenario
    return {
      appStore: {
        builds: appStore?.builds ?? [],
        versions: versionsOf(this.store),
        metadata: metadataOf(this.store),
        reviews: this.reviews.state(),
      },
      betaTesting: {
        groups: betaTesting?.groups ?? [],
        builds: betaTesting?.builds ?? [],
        ...testedOf(this.store),
      },
      ...(crashMonitoring ? { crashMonitoring } : {}),
    }
  }

  /** Simulates a change in the console, which ends every edit. */
  inConsole(change: (store: PlayStore) => void): void {
    change(this.store)
    this.edits.endAll()
    this.#show()
  }

  /** Simulates the end of reviews, which does not end edits. */
  decide(verdict: 'approved' | 'rejected'): void {
    this.store.decide(verdict)
    this.#show()
  }

  /** Refuses the next request whose path matches. */
  refuseNext(path: RegExp, refusal: Refusal): void {
    this.#refusals.push({ path, refusal })
  }

  /** Returns the releases of a track, as lists show them with their lag. */
  summaries(track: string): object {
    if (!this.store.tracks.includes(track)) throw REFUSALS.trackUnknown(track)
    const asOf = this.now - this.lagMs
    const shown = this.#shown.findLast((each) => each.at <= asOf) ?? this.#shown[0]
    const then = Object.assign(Object.create(this.store) as PlayStore, { releases: shown.releases })
    const releases = then.on(track).flatMap((each) => summariesOf(each))
    return releases.length > 0 ? { releases: releases.slice(0, MAX_SUMMARIES) } : {}
  }

  #show(): void {
    this.#shown.push({ at: this.now, releases: structuredClone(this.store.releases) })
  }

  protected override tooMany(waitSeconds: number): Response {
    const message = "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute'."
    const details = [
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', 'reason': 'RATE_LIMIT_EXCEEDED' },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', 'retryDelay': `${waitSeconds}s` },
    ]
    const error = { code: 429, message, status: 'RESOURCE_EXHAUSTED', details }
    return Response.json({ error }, { status: 429 })
  }

  protected override isForToken({ url }: Request): boolean {
    return new URL(url).hostname === TOKENS
  }

  protected async respond(request: Request): Promise<Response> {
    try {
      if (this.isForToken(request)) return await this.#giveToken(request)
      const answer = await this.#route(request)
      this.#show()
      return answer === undefined ? new Response(null, { status: 204 }) : Response.json(answer)
    } catch (error) {
      if (error instanceof Refusal) return error.response()
      throw error
    }
  }

  async #giveToken(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text())
    const [, payload = ''] = form.get('assertion')?.split('.') ?? []
    const { iss = '', scope = '', iat = 0, exp = 0 } = claimsIn(payload)
    const headers = { date: new Date(this.now).toUTCString() }
    const refused = (description: string) =>
      Response.json(
        { error: 'invalid_grant', error_description: description },
        { status: 400, headers }
      )
    if (!Object.hasOwn(ACCOUNTS, iss) || this.revoked.has(iss)) {
      return refused('Invalid JWT Signature.')
    }
    if (Math.abs(iat * 1000 - this.now) > SKEW_MS || exp - iat > 3600) {
      return refused('Invalid JWT: Token must be a short-lived token and in a reasonable timeframe')
    }
    if (!scope.includes('auth/androidpublisher')) return refused('Invalid scope.')
    const token = `ya29.${randomUUID()}`
    this.#tokens.set(token, { account: iss, until: this.now + TOKEN_MS })
    return Response.json({ access_token: token, expires_in: 3600, token_type: 'Bearer' })
  }

  #authenticated({ headers }: Request): string {
    const token = headers.get('authorization')?.replace('Bearer ', '') ?? ''
    const issued = this.#tokens.get(token)
    if (!issued || issued.until < this.now || this.revoked.has(issued.account)) {
      throw REFUSALS.unauthenticated()
    }
    return issued.account
  }

  async #route(request: Request): Promise<unknown> {
    const url = new URL(request.url)
    const account = this.#authenticated(request)
    if (this.isApiDisabled) throw REFUSALS.apiDisabled()
    const isReport = url.hostname === REPORTS
    if (isReport && url.pathname === '/v1beta1/apps:search') return this.#apps(account)
    const prefix = isReport ? /^\/v1beta1\/apps\/([^/:]+)/ : PACKAGE
    const [whole = '', name = ''] = prefix.exec(url.pathname) ?? []
    const isKnown = name === this.packageName && ACCOUNTS[account] !== 'nothing' && !this.isRemoved
    if (!isKnown) throw REFUSALS.packageUnknown(name)
    const path = url.pathname.slice(whole.length)
    const planted = this.#refusals.findIndex((each) => each.path.test(path))
    if (planted !== -1) throw this.#refusals.splice(planted, 1)[0].refusal
    const isChange = request.method !== 'GET' && !isReport
    if (isChange && ACCOUNTS[account] !== 'releases') throw REFUSALS.noPermission()
    if (path.endsWith(':commit')) this.beforeCommit?.()
    for (const { method, pattern, route } of isReport ? REPORT_ROUTES : ROUTES) {
      const match = pattern.exec(path)
      if (!match || method !== request.method) continue
      const text = await request.text()
      const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
      const params = match.slice(1).map(decodeURIComponent)
      return route({ params, query: url.searchParams, body, account }, this)
    }
    throw new Refusal(404, 'Not Found', { status: 'NOT_FOUND' })
  }

  #apps(account: string): object {
    const { packageName } = this
    if (ACCOUNTS[account] === 'nothing' || this.isRemoved) return {}
    return { apps: [{ name: `apps/${packageName}`, displayName: 'Acme', packageName }] }
  }
}

const PACKAGE = /^\/androidpublisher\/v3\/applications\/([^/]+)\//

const MAX_SUMMARIES = 20

function summariesOf(release: StoreRelease): object[] {
  const { track, name, versionCodes, unsent } = release
  const written = (word: string) => ({
    ...(name === null ? {} : { releaseName: name }),
    track,
    activeArtifacts: versionCodes.map((versionCode) => ({ versionCode })),
    releaseLifecycleState: `RELEASE_LIFECYCLE_STATE_${word}`,
  })
  const own = written(lifecycleOf(release))
  return unsent ? [own, written('NOT_SENT_FOR_REVIEW')] : [own]
}

interface Claims {
  iss?: string
  scope?: string
  iat?: number
  exp?: number
}

function claimsIn(payload: string): Claims {
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Claims
  } catch {
    return {}
  }
}
