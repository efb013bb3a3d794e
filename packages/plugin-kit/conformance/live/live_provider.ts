import { isGraphqlQuery } from '../../graphql_query.js'
import { isRead } from '../../answer_error.js'
import type { Exchange, ProviderFake } from '../../fake/fake_provider.js'
import type { AuthScheme } from '../../manifest.js'
import type { Plugin } from '../../plugin.js'
import type { ConformanceOptions } from '../options.js'
import { ProviderError } from '../../provider_error.js'

/**
 * A real provider in place of a fake. Lets reads and token requests through; anything that could
 * make a change is refused before it leaves the machine.
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
    const isKnown = this.alsoReads({ method, path: new URL(url).pathname })
    if (!isRead(method) && !isKnown && !isGraphqlQuery(body) && !this.#isForToken(url)) {
      throw new ProviderError('unsupported', `${method} ${url} is no read`, {
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
    if (!this.#isForToken(url)) this.#exchanges.push(exchange)
    return response
  }

  #isForToken(url: string): boolean {
    const { pathname } = new URL(url)
    const paths = this.plugin.manifest.auth.flatMap(pathOfTokens)
    return pathname.endsWith('/access_tokens') || paths.includes(pathname)
  }

  requests(): readonly Exchange[] {
    return this.#exchanges
  }

  /** A real account is not seeded, changed or made to fail. */
  seed(): void {}
  state() {
    return {}
  }
  failNext(): void {}
  setRateLimit(): void {}
  advance(): void {}
}

function pathOfTokens(scheme: AuthScheme): string[] {
  if (scheme.scheme === 'twoStep') return [scheme.tokenPath]
  if (scheme.scheme === 'oauth2') return [new URL(scheme.tokenUrl).pathname]
  return scheme.scheme === 'googleServiceAccount' ? ['/token'] : []
}
