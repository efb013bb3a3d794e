import {
  refused,
  type HttpRequest,
  type HttpResponse,
  type PluginContext,
  type ProviderError,
} from '@tarmac/plugin-kit'

const GATEWAY = 'https://api.atlassian.com'
const API = '/rest/api/3'

/** A site that an OAuth grant gives access to. */
interface Resource {
  id: string
  url: string
  scopes: string[]
}

/** The API of one site. */
export class Jira {
  #base: string | null = null
  #grant: Resource | null = null

  constructor(private readonly ctx: PluginContext) {}

  /** @param request its path is relative to the API */
  async send<Body>(request: HttpRequest): Promise<HttpResponse<Body>> {
    this.#base ??= await this.#baseOf()
    return this.ctx.http.send<Body>({ ...request, path: `${this.#base}${API}${request.path}` })
  }

  /**
   * Returns the scopes of an OAuth grant; null for an API token, whose scopes Jira does not reveal.
   * @throws ProviderError `forbidden` if the grant is for other sites
   */
  async grantedScopes(): Promise<readonly string[] | null> {
    return hasToken(this.ctx) ? null : (await this.#granted()).scopes
  }

  async #baseOf(): Promise<string> {
    const { cloudId } = this.ctx.connection
    if (typeof cloudId === 'string' && cloudId !== '') return `${GATEWAY}/ex/jira/${cloudId}`
    if (hasToken(this.ctx)) return `https://${siteOf(this.ctx)}`
    return `${GATEWAY}/ex/jira/${(await this.#granted()).id}`
  }

  async #granted(): Promise<Resource> {
    this.#grant ??= await grantFor(this.ctx)
    return this.#grant
  }
}

/** Returns the host of a connection's site: `acme.atlassian.net`. */
export function siteOf({ connection: { site } }: PluginContext): string {
  const named = String(site)
  return named.includes('.') ? named : `${named}.atlassian.net`
}

/** Returns whether the connection has an API token that is used at the site itself. */
const hasToken = (ctx: PluginContext) =>
  ctx.secret('username') !== undefined && ctx.secret('password') !== undefined

async function grantFor(ctx: PluginContext): Promise<Resource> {
  const { body } = await ctx.http.send<Resource[]>({
    method: 'GET',
    path: `${GATEWAY}/oauth/token/accessible-resources`,
  })
  const found = body.find(({ url }) => url.toLowerCase() === `https://${siteOf(ctx)}`)
  if (found) return found
  const others = body.map(({ url }) => new URL(url).hostname).join(', ')
  throw refused('forbidden', {
    message: `The grant is not for ${siteOf(ctx)}${others === '' ? '' : `, but for ${others}`}.`,
    reason: 'site',
    action:
      'Whoever may change integrations gives consent again in a browser, and selects the site.',
  })
}

export const isNotFound = ({ code }: ProviderError) => code === 'notFound'
