import { FakeReset, type FakeProvider } from '@tarmac/plugin-kit/testing'

/**
 * Intercepts the requests to a fake: simulates outages and rate limits, and records each request
 * that changes the content of the fake.
 */
export class Gate {
  /** The requests that changed the content of the fake, in order. */
  readonly changes: string[] = []
  /** Number of requests refused by a rate limit, and number of calls of `limit`. */
  refused = 0
  limits = 0
  /** Number of changes whose answer was lost, and of requests during an outage. */
  lost = 0
  unheard = 0
  restarts = 0
  #isAway = false
  #isLeaving = false
  #isLimited = false

  /**
   * @param nameOf the text by which `changes` lists a request
   * @param contentOf the content, whose difference shows a change
   */
  constructor(
    readonly fake: FakeProvider,
    private readonly nameOf: (request: Request, body: string) => string,
    private readonly contentOf: () => unknown = () => fake.state()
  ) {
    const respond = fake.answer.bind(fake)
    // Requests run one after the other, so that each change belongs to one of them.
    fake.answer = (request) => {
      const answered = this.#last.then(() => this.#answer(request, respond))
      this.#last = answered.catch(() => {})
      return answered
    }
  }

  #last: Promise<unknown> = Promise.resolve()

  async #answer(request: Request, respond: (request: Request) => Promise<Response>) {
    if (this.#isAway) {
      this.unheard += 1
      throw new FakeReset()
    }
    const isRead = request.method === 'GET'
    const body = isRead ? '' : await request.clone().text()
    const before = isRead ? '' : this.content()
    const response = await respond(request)
    if (this.#isLimited && [403, 429].includes(response.status)) this.refused += 1
    if (isRead || this.content() === before) return response
    this.changes.push(this.nameOf(request, body))
    if (!this.#isLeaving) return response
    this.#isLeaving = false
    this.#isAway = true
    this.lost += 1
    throw new FakeReset()
  }

  content = () => JSON.stringify(this.contentOf())

  /** Exceeds the rate limit for all further requests. */
  limit(): void {
    this.#isLimited = true
    this.limits += 1
    this.fake.setRateLimit(0)
  }

  /** Starts an outage at the next change, which is carried out but not answered. */
  close(): void {
    this.#isLeaving = true
  }

  /** Ends the outage and the rate limit; the fake still has its content. */
  open(): void {
    if (this.#isAway) this.restarts += 1
    this.#isAway = false
    this.#isLeaving = false
    this.#isLimited = false
    this.fake.setRateLimit(Infinity)
  }
}
