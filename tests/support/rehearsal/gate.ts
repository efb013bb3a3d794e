import { FakeReset, type FakeProvider } from '@tarmac/plugin-kit/testing'

/**
 * Stands before a fake: takes it away, has it refuse too many requests, and writes down what is
 * changed in it. A request that changes nothing leaves no trace, whatever it asks for.
 */
export class Gate {
  /** Requests after which the fake had another content, in order. */
  readonly changes: string[] = []
  /** Requests that were refused because there were too many, and times that this was so. */
  refused = 0
  limits = 0
  /** Requests that were under way when it went away, and those that found nobody. */
  lost = 0
  unheard = 0
  restarts = 0
  #isAway = false
  #isLeaving = false
  #isLimited = false

  /**
   * @param nameOf what a request that changes something is for
   * @param contentOf what counts as the content
   */
  constructor(
    readonly fake: FakeProvider,
    private readonly nameOf: (request: Request, body: string) => string,
    private readonly contentOf: () => unknown = () => fake.state()
  ) {
    const answer = fake.answer.bind(fake)
    // One after the other, so that each change has one request.
    fake.answer = (request) => {
      const answered = this.#last.then(() => this.#answer(request, answer))
      this.#last = answered.catch(() => {})
      return answered
    }
  }

  #last: Promise<unknown> = Promise.resolve()

  async #answer(request: Request, answer: (request: Request) => Promise<Response>) {
    if (this.#isAway) {
      this.unheard += 1
      throw new FakeReset()
    }
    const isRead = request.method === 'GET'
    const body = isRead ? '' : await request.clone().text()
    const before = isRead ? '' : this.content()
    const response = await answer(request)
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

  /** Refuses everything from here on, as too much. */
  limit(): void {
    this.#isLimited = true
    this.limits += 1
    this.fake.setRateLimit(0)
  }

  /** It is closed while the next change is under way: that is carried out, and not answered. */
  close(): void {
    this.#isLeaving = true
  }

  /** It is there again, with what it had, and takes requests. */
  open(): void {
    if (this.#isAway) this.restarts += 1
    this.#isAway = false
    this.#isLeaving = false
    this.#isLimited = false
    this.fake.setRateLimit(Infinity)
  }
}
