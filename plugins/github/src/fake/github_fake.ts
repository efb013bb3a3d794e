import { createHmac, randomUUID } from 'node:crypto'
import {
  FakeProvider,
  type Delivery,
  type DeliveryOptions,
  type Scenario,
} from '@tarmac/plugin-kit/testing'
import { FakeActions, STORAGE } from './actions.js'
import { Refusal, type FakeRequest } from './answers.js'
import { bearerOf, FakeApps, type InstalledApp } from './apps.js'
import { FakeCode } from './code.js'
import { answerAsServer } from './enterprise.js'
import { answerGraphql } from './graphql.js'
import { FakeIssues } from './issues.js'

const API = 'https://api.github.com'

/** The known tokens; the scopes are null for a fine-grained token, which does not reveal them. */
const TOKENS: Readonly<Record<string, { login: string; scopes: string | null }>> = {
  'good-token-4711': { login: 'tarmac-bot', scopes: null },
  'other-token-4712': { login: 'other-bot', scopes: null },
  'read-only-token': { login: 'reader', scopes: 'read:org, public_repo' },
}

type Route = (asked: FakeRequest, fake: GitHubFake) => unknown

interface Placed {
  method: string
  pattern: RegExp
  route: Route
}

/** Makes a route below `/repos/{owner}/{repo}`; `{}` matches one path segment, `{*}` several. */
function at(method: string, path: string, route: Route): Placed {
  const source = path
    .replaceAll(/[.]/g, '\\.')
    .replaceAll('{*}', '(.+)')
    .replaceAll('{}', '([^/]+)')
  return { method, pattern: new RegExp(`^${source}$`), route }
}

const ROUTES: readonly Placed[] = [
  at('GET', 'branches/{*}', (asked, { code }) => code.branch(asked)),
  at('GET', 'commits', (asked, { code }) => code.commits(asked)),
  at('GET', 'commits/{*}', (asked, { code }) => code.commit(asked)),
  at('GET', 'compare/{*}', (asked, { code }) => code.compare(asked)),
  at('GET', 'contents/{*}', (asked, { code }) => code.contents(asked)),
  at('GET', 'git/blobs/{}', (asked, { code }) => code.blob(asked)),
  at('GET', 'git/ref/{*}', (asked, { code }) => code.ref(asked)),
  at('POST', 'git/refs', (asked, { code }) => code.createRef(asked)),
  at('PATCH', 'git/refs/{*}', (asked, { code }) => code.updateRef(asked)),
  at('DELETE', 'git/refs/{*}', (asked, { code }) => code.deleteRef(asked)),
  at('POST', 'git/tags', (asked, { code }) => code.createTag(asked)),
  at('GET', 'git/tags/{}', (asked, { code }) => code.tag(asked)),
  at('POST', 'git/trees', (asked, { code }) => code.createTree(asked)),
  at('GET', 'git/commits/{}', (asked, { code }) => code.gitCommit(asked)),
  at('POST', 'git/commits', (asked, { code }) => code.createCommit(asked)),
  at('POST', 'merges', (asked, { code }) => code.merge(asked)),
  at('POST', 'statuses/{}', (asked, { code }) => code.setStatus(asked)),
  at('GET', 'releases/tags/{*}', (asked, { code }) => code.release(asked)),
  at('POST', 'releases', (asked, { code }) => code.createRelease(asked)),
  at('PATCH', 'releases/{}', (asked, { code }) => code.updateRelease(asked)),
  at('GET', 'pulls', (asked, { code }) => code.listPulls(asked)),
  at('POST', 'pulls', (asked, { code }) => code.openPull(asked)),
  at('PUT', 'pulls/{}/merge', (asked, { code }) => code.mergePull(asked)),
  at('GET', 'hooks', (asked, { code }) => code.listHooks(asked)),
  at('POST', 'hooks', (asked, { code }) => code.createHook(asked)),
  at('PATCH', 'hooks/{}', (asked, { code }) => code.updateHook(asked)),
  at('DELETE', 'hooks/{}', (asked, { code }) => code.deleteHook(asked)),
  at('GET', 'issues', (asked, { issues }) => issues.list(asked)),
  at('GET', 'issues/{}', (asked, { issues }) => issues.issue(asked)),
  at('PATCH', 'issues/{}', (asked, { issues }) => issues.update(asked)),
  at('POST', 'issues/{}/labels', (asked, { issues }) => issues.addLabels(asked)),
  at('GET', 'milestones', (asked, { issues }) => issues.milestones(asked)),
  at('POST', 'milestones', (asked, { issues }) => issues.createMilestone(asked)),
  at('PATCH', 'milestones/{}', (asked, { issues }) => issues.updateMilestone(asked)),
  at('GET', 'actions/workflows', (asked, { actions }) => actions.listWorkflows(asked)),
  at('POST', 'actions/workflows/{}/dispatches', (asked, { actions }) => actions.dispatch(asked)),
  at('GET', 'actions/workflows/{}/runs', (asked, { actions }) =>
    actions.listRuns(asked, asked.params[0])
  ),
  at('GET', 'actions/runs', (asked, { actions }) => actions.listRuns(asked)),
  at('GET', 'actions/runs/{}', (asked, { actions }) => actions.run(asked)),
  at('POST', 'actions/runs/{}/cancel', (asked, { actions }) => actions.cancel(asked)),
  at('GET', 'actions/runs/{}/artifacts', (asked, { actions }) => actions.listArtifacts(asked)),
  at('GET', 'actions/artifacts/{}', (asked, { actions }) => actions.artifact(asked)),
  at('GET', 'actions/artifacts/{}/zip', (asked, { actions }) => actions.download(asked)),
]

/** The part of GitHub that the plugin uses, with one repository, `acme/app`. */
export class GitHubFake extends FakeProvider {
  code!: FakeCode
  actions!: FakeActions
  issues!: FakeIssues
  readonly apps: FakeApps
  /** The origin of the Enterprise Server that it plays; null for github.com. */
  server: string | null = null
  /** The origin of the storage of that server's artifacts; null if it stores them itself. */
  storage: string | null = null
  /** The current name of the repository; its old name is answered with 301. */
  repository = 'acme/app'
  /** Set to refuse every request: because of a suspended installation, or revoked credentials. */
  closed: 'suspended' | 'revoked' | null = null
  /** Missing permissions of the credentials, by the first segment of the paths that need them. */
  lacking: Readonly<Record<string, string>> = {}
  /** The permissions of an installation's tokens; null for a server that states none. */
  permissions: Readonly<Record<string, string>> | null = {
    ...{ contents: 'write', pull_requests: 'write', statuses: 'write', checks: 'read' },
    ...{ actions: 'write', issues: 'write', workflows: 'write', repository_hooks: 'write' },
    metadata: 'read',
  }
  /** When its tokens expire, in GitHub's format; null for never. */
  tokenEndsAt: string | null = null

  /**
   * @param clock its time in milliseconds; by default, only `advance` moves it
   * @param apps the Apps that it knows, with their keys
   */
  constructor(
    private readonly clock?: () => number,
    apps: readonly InstalledApp[] = []
  ) {
    super()
    this.apps = new FakeApps(apps, () => this.now)
    this.seed({})
  }

  protected override get now(): number {
    return this.clock?.() ?? super.now
  }

  seed({ versionControl, ci, issueTracking }: Scenario): void {
    const now = () => new Date(this.now).toISOString()
    this.code = new FakeCode(this.repository, now, versionControl)
    // In a scenario without a repository, workflows run on any branch.
    const tipOf = (branch: string) =>
      versionControl ? (this.code.git.branches.get(branch)?.sha ?? null) : 'a'.repeat(40)
    this.actions = new FakeActions(this.repository, now, tipOf, ci)
    this.issues = new FakeIssues(this.repository, issueTracking)
  }

  state(): Scenario {
    return {
      versionControl: this.code.state(),
      ci: this.actions.state(),
      issueTracking: this.issues.state(),
    }
  }

  protected override tooMany(waitSeconds: number): Response {
    const reset = Math.ceil(this.now / 1000) + waitSeconds
    return Response.json(
      { message: 'API rate limit exceeded for installation ID 1.' },
      {
        status: 403,
        headers: {
          'x-ratelimit-limit': '5000',
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(reset),
        },
      }
    )
  }

  protected override isForToken({ url }: Request): boolean {
    return new URL(url).pathname.endsWith('/access_tokens')
  }

  protected async respond(request: Request): Promise<Response> {
    const { server, storage } = this
    const response =
      server === null
        ? await this.#respond(request)
        : await answerAsServer({ server, storage }, request, (asked) => this.#respond(asked))
    response.headers.set('date', new Date(this.now).toUTCString())
    return response
  }

  async #respond(request: Request): Promise<Response> {
    const { hostname, pathname } = new URL(request.url)
    if (hostname === STORAGE) return this.actions.stored(request)
    try {
      this.#requireOpen()
      if (this.isForToken(request)) return this.apps.giveToken(request, this.permissions)
      const [, code] = /\/app-manifests\/([^/]+)\/conversions$/.exec(pathname) ?? []
      if (code !== undefined) return this.apps.convert(code)
      const who = this.#authenticated(request)
      if (pathname === '/user') return userOf(who.login, who.scopes, this.tokenEndsAt)
      if (pathname === '/installation/repositories') return this.#repositories()
      if (pathname === '/graphql') return await this.#graphql(request, who.login)
      return await this.#route(request, who.login)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return error.response()
    }
  }

  #requireOpen(): void {
    if (this.closed === 'suspended') {
      throw new Refusal(403, 'This installation has been suspended')
    }
    if (this.closed === 'revoked') throw new Refusal(401, 'Bad credentials')
  }

  #authenticated({ headers }: Request): { login: string; scopes: string | null } {
    const token = bearerOf(headers)
    const known = TOKENS[token]
    if (known) return known
    if (!this.apps.knows(token)) throw new Refusal(401, 'Bad credentials')
    return { login: 'tarmac[bot]', scopes: null }
  }

  #repositories(): Response {
    const [login, name] = this.repository.split('/')
    return Response.json({
      total_count: 1,
      repositories: [
        {
          id: 1,
          name,
          full_name: this.repository,
          owner: { login },
          permissions: { admin: false, push: true, pull: true },
        },
      ],
    })
  }

  async #graphql(request: Request, login: string): Promise<Response> {
    const body = (await request.json()) as { query: string; variables: Record<string, unknown> }
    if (body.query.includes('viewer')) return Response.json({ data: { viewer: { login } } })
    const { owner, repo } = body.variables
    const isHere = `${String(owner)}/${String(repo)}` === this.repository
    return answerGraphql(isHere ? this.code : null, body)
  }

  async #route(request: Request, login: string): Promise<Response> {
    const url = new URL(request.url)
    const [, name = '', path = ''] = /^\/repos\/([^/]+\/[^/]+)\/(.+)$/.exec(url.pathname) ?? []
    if (name !== this.repository) {
      // The old name of a renamed repository redirects.
      if (name === 'acme/old-name') return moved(`${API}/repositories/1/${path}`)
      throw new Refusal(404, 'Not Found')
    }
    const found = ROUTES.map((each) => ({ each, match: each.pattern.exec(path) })).find(
      ({ each, match }) => each.method === request.method && match
    )
    if (!found) throw new Refusal(404, 'Not Found')
    const permission = this.lacking[path.split('/')[0]]
    if (permission !== undefined) return notPermitted(permission)
    const text = await request.text()
    const answer = found.each.route(
      {
        params: found.match!.slice(1).map(decodeURIComponent),
        query: url.searchParams,
        body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
        headers: request.headers,
        url,
        login,
      },
      this
    )
    return answer instanceof Response ? answer : Response.json(answer)
  }

  deliverWebhook(event: string, { secret, at: sentAt }: DeliveryOptions): Delivery {
    const rawBody = Buffer.from(JSON.stringify(payloadOf(event, new Date(sentAt).toISOString())))
    const signature = createHmac('sha256', secret).update(rawBody).digest('hex')
    return {
      headers: {
        'content-type': 'application/json',
        'x-github-event': event,
        'x-github-delivery': randomUUID(),
        'x-hub-signature-256': `sha256=${signature}`,
      },
      rawBody,
    }
  }
}

function userOf(login: string, scopes: string | null, endsAt: string | null): Response {
  const headers: Record<string, string> = {
    ...(scopes === null ? {} : { 'x-oauth-scopes': scopes }),
    ...(endsAt === null ? {} : { 'github-authentication-token-expiration': endsAt }),
  }
  return Response.json({ login, id: 1, type: 'User' }, { headers })
}

function notPermitted(permission: string): Response {
  return Response.json(
    { message: 'Resource not accessible by integration', documentation_url: API },
    { status: 403, headers: { 'x-accepted-github-permissions': permission } }
  )
}

function moved(location: string): Response {
  return Response.json(
    { message: 'Moved Permanently', url: location, documentation_url: API },
    { status: 301, headers: { location } }
  )
}

function payloadOf(event: string, time: string): Record<string, unknown> {
  const repository = { full_name: 'acme/app', updated_at: time }
  const payloads: Readonly<Record<string, object>> = {
    push: { ref: 'refs/heads/main', head_commit: { timestamp: time } },
    create: { ref: 'release/1.0.0', ref_type: 'branch' },
    pull_request: { action: 'opened', pull_request: { number: 7, updated_at: time } },
    workflow_run: { action: 'completed', workflow_run: { id: 1, updated_at: time } },
  }
  return { ...payloads[event], repository }
}
