import { inProcessHosts } from '#integrations/port/in_process'
import { WORLD_HOST } from '../../provider/shared/world_manifest.js'

/** Random answers of a store, with their shares of all calls. */
const TROUBLES = [
  { share: 0.08, status: 409, isApplied: false },
  { share: 0.08, status: 503, isApplied: false },
  { share: 0.08, status: 500, isApplied: true },
] as const

/** Probability that somebody makes the same change in the store's console first. */
const CONSOLE_FIRST = 0.1

/**
 * Refusals after which the plugin makes the edit again, so that they do not count: another edit
 * deleted it, or it was wrong about who sends changes for review.
 */
const MADE_ANEW = ['editDeleted', 'notSentAutomatically', 'sentAutomatically']

/** Probability that a read fails. */
const READS_LOST = 0.03

/**
 * Stores of simulated worlds that fail by chance, and record what they refuse by their own rules.
 */
export class RefusingStores {
  /** Method, path, body and reason of each refused change. */
  readonly refused: string[] = []
  /** Number of each kind of trouble. */
  readonly troubles = { 409: 0, 500: 0, 503: 0, console: 0 }
  isOn = true

  readonly #host = inProcessHosts.all.find(({ host }) => host === WORLD_HOST)!
  readonly #answer = this.#host.answer.bind(this.#host)

  constructor(private readonly random: () => number) {
    this.#host.answer = (request) => this.#answered(request)
  }

  /** Restores the usual answers of the stores. */
  end(): void {
    this.#host.answer = this.#answer
  }

  async #answered(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (!/^\/v1\/(apple|google)\//.test(pathname)) return this.#answer(request)
    const body = await request.clone().text()
    const trouble = this.isOn ? this.#trouble(request.method) : null
    const fails = () => {
      this.troubles[trouble!.status] += 1
      return Response.json({ message: 'It came to nothing' }, { status: trouble!.status })
    }
    if (trouble && !trouble.isApplied) return fails()
    if (this.isOn && request.method !== 'GET' && this.random() < CONSOLE_FIRST) {
      await this.#answer(inConsole(request, pathname))
      this.troubles.console += 1
    }
    const response = await this.#answer(request)
    if (request.method === 'GET') return response
    const { status } = response
    if (status >= 400 && status < 500) {
      const { code = String(status) } = (await response.clone().json()) as { code?: string }
      // Each edit of Google Play has an id of its own.
      const path = pathname.replace(/\/edits\/[^/]+/, '/edits/*')
      if (!MADE_ANEW.includes(code)) this.refused.push(`${request.method} ${path} ${body}: ${code}`)
    }
    return trouble && status < 400 ? fails() : response
  }

  #trouble(method: string) {
    let left = this.random()
    if (method === 'GET') return left < READS_LOST ? TROUBLES[1] : null
    for (const trouble of TROUBLES) {
      left -= trouble.share
      if (left < 0) return trouble
    }
    return null
  }
}

/**
 * Returns the request of somebody else: the same one in the App Store; in Google Play, one that
 * opens another edit, which deletes the open one.
 */
function inConsole(request: Request, pathname: string): Request {
  if (pathname.startsWith('/v1/apple/')) return request.clone()
  const url = new URL(request.url)
  url.pathname = `${pathname.split('/').slice(0, 4).join('/')}/edits`
  return new Request(url, { method: 'POST', headers: request.headers, body: '{}' })
}
