import { isGraphqlQuery } from '../../graphql_query.js'
import { isRead } from '../../answer_error.js'
import type { Exchange, ProviderFake } from '../../fake/fake_provider.js'
import type { AuthScheme } from '../../manifest.js'
import type { Plugin } from '../../plugin.js'
import type { ConformanceOptions } from '../options.js'
import { ProviderError } from '../../provider_error.js'

/**
 * Puts a real provider in the place of a fake. It lets reads and token requests through, and
 * refuses anything that could make a change before it leaves the machine.
 */
export class LiveProvider implements ProviderFake {
  readonly #exchanges: Exchange[] = []

  constructor(
    private readonly plugin: Plugin,
    private readonly fetch: typeof globalThis.fetch,
    private readonly alsoReads: NonNullable<ConformanceOptions['alsoReads']> = () => false
  ) {}

  async answer(request: Request): Promise<Response> {
    const { method, url, headers } = request
    const body = await request.clone().text()
    const isDeclaredRead = this.alsoReads({ method, path: new URL(url).pathname })
    if (!isRead(method) && !isDeclaredRead && !isGraphqlQuery(body) && !this.#isTokenRequest(url)) {
      throw new ProviderError('unsupported', `${method} ${url} is not a read`, {
        outcome: 'notApplied',
      })
    }
    const exchange: Exchange = {
      ...{ method, url, body, response: null },
      headers: Object.fromEntries(headers),
    }
    const response = await this.fetch(request, { redirect: 'manual' })
    const text = await response.clone().text()
    const { status } = response
    exchange.response = { status, headers: Object.fromEntries(response.headers), body: text }
    if (!this.#isTokenRequest(url)) this.#exchanges.push(exchange)
    return response
  }

  #isTokenRequest(url: string): boolean {
    const { pathname } = new URL(url)
    const paths = this.plugin.manifest.auth.flatMap(tokenPaths)
    return pathname.endsWith('/access_tokens') || paths.includes(pathname)
  }

  requests(): readonly Exchange[] {
    return this.#exchanges
  }

  /** A real account cannot be seeded, changed or made to fail. */
  seed(): void {}
  state() {
    return {}
  }
  failNext(): void {}
  setRateLimit(): void {}
  advance(): void {}
}

function tokenPaths(scheme: AuthScheme): string[] {
  if (scheme.scheme === 'twoStep') return [scheme.tokenPath]
  if (scheme.scheme === 'oauth2') return [new URL(scheme.tokenUrl).pathname]
  return scheme.scheme === 'googleServiceAccount' ? ['/token'] : []
}
