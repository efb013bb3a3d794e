/**
 * GitHub's secondary limits: points in a minute, changes in a minute and an hour, and concurrent
 * requests.
 */
const POINTS_A_MINUTE = 900
const CONTENT_A_MINUTE = 80
const CONTENT_AN_HOUR = 500
const AT_ONCE = 100
/** GitHub's primary limit: requests in an hour. */
const REQUESTS_PER_HOUR = 5000

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** GitHub's limits for one user or installation, as its documentation describes them. */
export class FakeLimits {
  /** Times of requests that a secondary limit refused, in milliseconds. */
  readonly refused: number[] = []
  /** Number of requests in later steps that ignored GitHub's request to wait. */
  impatient = 0
  /** Counted by the test that advances time: requests of one step are concurrent. */
  step = 0
  /** The most requests in one window of the primary limit. */
  busiestHour = 0
  total = 0
  readonly #minute: { at: number; points: number; isContent: boolean }[] = []
  readonly #content: number[] = []
  #hour = { began: 0, requests: 0 }
  #atOnce = 0
  #waitUntil = 0
  #refusedIn = 0

  /** @param pointsAMinute fewer if others share the key */
  constructor(
    private readonly now: () => number,
    private readonly pointsAMinute = POINTS_A_MINUTE
  ) {}

  /** Answers a request, or refuses it because of a limit. */
  async hold(request: Request, answer: () => Promise<Response>): Promise<Response> {
    const now = this.now()
    this.total += 1
    if (now < this.#waitUntil && this.step > this.#refusedIn) this.impatient += 1
    const isQuery = new URL(request.url).pathname.endsWith('/graphql')
    const isRead = isQuery || ['GET', 'HEAD', 'OPTIONS'].includes(request.method)
    while (this.#minute[0] && this.#minute[0].at <= now - MINUTE_MS) this.#minute.shift()
    this.#minute.push({ at: now, points: isRead ? 1 : 5, isContent: !isRead })
    const points = this.#minute.reduce((sum, each) => sum + each.points, 0)
    const content = this.#minute.filter((each) => each.isContent).length
    if (!isRead) this.#content.push(now)
    while (this.#content[0] <= now - HOUR_MS) this.#content.shift()
    const isTooMuch = this.#content.length > CONTENT_AN_HOUR
    if (
      isTooMuch ||
      points > this.pointsAMinute ||
      content > CONTENT_A_MINUTE ||
      this.#atOnce >= AT_ONCE
    ) {
      return this.#tooFast(now)
    }
    if (now >= this.#hour.began + HOUR_MS) this.#hour = { began: now, requests: 0 }
    this.#hour.requests += 1
    this.busiestHour = Math.max(this.busiestHour, this.#hour.requests)
    if (this.#hour.requests > REQUESTS_PER_HOUR) return this.#counted(this.#usedUp())
    this.#atOnce += 1
    try {
      return this.#counted(await answer())
    } finally {
      this.#atOnce -= 1
    }
  }

  #tooFast(now: number): Response {
    this.refused.push(now)
    this.#waitUntil = now + MINUTE_MS
    this.#refusedIn = this.step
    return Response.json(
      { message: 'You have exceeded a secondary rate limit. Please wait a few minutes.' },
      { status: 403, headers: { 'retry-after': '60' } }
    )
  }

  #usedUp(): Response {
    return Response.json(
      { message: 'API rate limit exceeded for installation ID 1.' },
      { status: 403 }
    )
  }

  #counted(response: Response): Response {
    const { began, requests } = this.#hour
    const counted = new Response(response.body, response)
    counted.headers.set('x-ratelimit-limit', String(REQUESTS_PER_HOUR))
    counted.headers.set('x-ratelimit-remaining', String(Math.max(0, REQUESTS_PER_HOUR - requests)))
    counted.headers.set('x-ratelimit-reset', String(Math.ceil((began + HOUR_MS) / 1000)))
    return counted
  }
}
