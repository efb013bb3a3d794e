import { createHmac, randomUUID } from 'node:crypto'
import {
  FakeProvider,
  type Delivery,
  type DeliveryOptions,
  type Scenario,
} from '@tarmac/plugin-kit/testing'
import { FakeAccounts, type Asker } from './accounts.js'
import { Refusal, type FakeRequest } from './answers.js'
import { FakeLimits, tooMany } from './limits.js'
import { FakeProjects } from './projects.js'

const SITE = 'acme.atlassian.net'
const CLOUD_ID = '11223344-a1b2-4b33-8c44-def123456789'
const API = '/rest/api/3/'

/** Names of permissions in Jira's answers. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  BROWSE_PROJECTS: 'Browse Projects',
  EDIT_ISSUES: 'Edit Issues',
  RESOLVE_ISSUES: 'Resolve Issues',
  ADMINISTER_PROJECTS: 'Administer Projects',
}

/** The OAuth scope that each route requires. */
const SCOPES = {
  read: 'read:jira-work',
  write: 'write:jira-work',
  manage: 'manage:jira-project',
  user: 'read:jira-user',
}

type Route = (asked: FakeRequest, fake: JiraFake, asker: Asker) => unknown

interface Placed {
  method: string
  template: string
  pattern: RegExp
  scope: keyof typeof SCOPES
  route: Route
}

/** Makes a route below the API; `{}` matches one path segment. */
const at = (method: string, template: string, scope: Placed['scope'], route: Route): Placed => ({
  ...{ method, template, scope, route },
  pattern: new RegExp(`^${template.replaceAll('{}', '([^/]+)')}$`),
})

const ROUTES: readonly Placed[] = [
  at('GET', 'myself', 'user', (_asked, _fake, { account }) => ({
    ...{ accountId: '5b10', accountType: 'atlassian', active: true },
    displayName: account.name,
    self: `https://${SITE}${API}user?accountId=5b10`,
  })),
  at('GET', 'mypermissions', 'read', permissionsOf),
  at('GET', 'search/jql', 'read', (asked, { projects }) => projects.search(asked)),
  at('POST', 'issue/bulkfetch', 'read', (asked, { projects }) => projects.fetch(asked)),
  at('GET', 'issue/{}', 'read', (asked, { projects }) => projects.issue(asked)),
  at('PUT', 'issue/{}', 'write', (asked, { projects }, { account }) =>
    projects.edit(asked, account.permissions)
  ),
  at('GET', 'project/{}', 'read', (asked, { projects }) => projects.shownProject(asked)),
  at('GET', 'project/{}/statuses', 'read', (asked, { projects }) => projects.statuses(asked)),
  at('GET', 'project/{}/version', 'read', (asked, { projects }) => projects.versions(asked)),
  at('POST', 'version', 'manage', (asked, { projects }, { account }) =>
    projects.createVersion(asked, account.permissions)
  ),
  at('PUT', 'version/{}', 'manage', (asked, { projects }, { account }) =>
    projects.updateVersion(asked, account.permissions)
  ),
]

/** The part of Jira Cloud that the plugin uses: one site, `acme.atlassian.net`. */
export class JiraFake extends FakeProvider {
  projects!: FakeProjects
  readonly accounts: FakeAccounts
  readonly limits: FakeLimits
  /** The site of OAuth grants. */
  grantedSite = SITE

  /** @param clock its time in milliseconds; by default, only `advance` moves it */
  constructor(private readonly clock?: () => number) {
    super()
    this.accounts = new FakeAccounts(() => this.now)
    this.limits = new FakeLimits(() => this.now)
    this.seed({})
  }

  protected override get now(): number {
    return this.clock?.() ?? super.now
  }

  seed({ issueTracking }: Scenario): void {
    this.projects = new FakeProjects(issueTracking)
  }

  state(): Scenario {
    return { issueTracking: this.projects.state() }
  }

  protected override tooMany(waitSeconds: number): Response {
    return tooMany('jira-burst-based', waitSeconds, this.now).response()
  }

  protected override isForToken({ url }: Request): boolean {
    return new URL(url).pathname === '/oauth/token'
  }

  protected async respond(request: Request): Promise<Response> {
    if (this.isForToken(request)) return this.accounts.token(request)
    const { pathname } = new URL(request.url)
    const asker = this.accounts.of(request)
    if (pathname === '/oauth/token/accessible-resources') return this.#resources(asker)
    try {
      return await this.#route(request, asker)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return known(error.response(), asker)
    }
  }

  #resources(asker: Asker | null): Response {
    if (!asker?.scopes)
      return Response.json({ code: 401, message: 'Unauthorized' }, { status: 401 })
    const site = { id: CLOUD_ID, name: 'acme', url: `https://${this.grantedSite}` }
    return Response.json([{ ...site, scopes: asker.scopes, avatarUrl: `https://${SITE}/a.png` }])
  }

  async #route(request: Request, asker: Asker | null): Promise<Response> {
    const url = new URL(request.url)
    const below = `/ex/jira/${CLOUD_ID}`
    const isGateway = url.pathname.startsWith(below)
    const path = isGateway ? url.pathname.slice(below.length) : url.pathname
    const place = placeOf(request.method, path)
    if (asker === null && (isGateway || place.template === 'myself')) {
      throw new Refusal(401, ['Client must be authenticated to access this resource.'])
    }
    // The site answers unknown callers as anonymous ones, who see nothing.
    if (asker === null) return known(anonymous(place), asker)
    if (asker.scopes && !asker.scopes.includes(SCOPES[place.scope])) {
      const body = { code: 401, message: 'Unauthorized; scope does not match' }
      return Response.json(body, { status: 401 })
    }
    const params = place.pattern.exec(path.slice(API.length))!.slice(1).map(decodeURIComponent)
    const issue = place.template === 'issue/{}' ? params[0] : null
    this.limits.admit(place.template, request.method, issue)
    const text = await request.text()
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
    if (asker.scopes) this.limits.requirePoints()
    const answer = place.route({ params, query: url.searchParams, body }, this, asker)
    if (asker.scopes) this.limits.spend(objectsIn(answer))
    return known(answer instanceof Response ? answer : Response.json(answer), asker)
  }

  deliverWebhook(event: string, { secret, at: sentAt }: DeliveryOptions): Delivery {
    const rawBody = Buffer.from(JSON.stringify(payloadOf(event, sentAt)))
    const signature = createHmac('sha256', secret).update(rawBody).digest('hex')
    return {
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'x-atlassian-webhook-identifier': randomUUID(),
        'x-hub-signature': `sha256=${signature}`,
      },
      rawBody,
    }
  }
}

function placeOf(method: string, path: string): Placed {
  const found = ROUTES.find(
    (each) =>
      path.startsWith(API) && each.method === method && each.pattern.test(path.slice(API.length))
  )
  if (found) return found
  throw new Refusal(404, [`null for uri: https://${SITE}${path}`])
}

/** Answers a caller whom Jira does not know. */
function anonymous({ template }: Placed): Response {
  if (template === 'search/jql') return Response.json({ issues: [], isLast: true })
  if (template === 'issue/bulkfetch') return Response.json({ issues: [], issueErrors: [] })
  return new Refusal(404, [
    'Issue does not exist or you do not have permission to see it.',
  ]).response()
}

/** Adds the header in which Jira reports whether it accepted the credentials. */
function known(response: Response, asker: Asker | null): Response {
  const reported = new Response(response.body, response)
  reported.headers.set('x-seraph-loginreason', asker ? 'OK' : 'AUTHENTICATED_FAILED')
  return reported
}

/** Counts the objects in an answer, each of which costs a point. */
function objectsIn(answer: unknown): number {
  if (answer instanceof Response) return 0
  const { issues, values } = answer as { issues?: unknown[]; values?: unknown[] }
  return (issues ?? values ?? [answer]).length
}

function permissionsOf({ query }: FakeRequest, _fake: JiraFake, { account }: Asker): unknown {
  const asked = query.get('permissions')?.split(',') ?? []
  if (asked.length === 0 || asked.some((key) => !(key in PERMISSIONS))) {
    throw new Refusal(400, ["The 'permissions' query parameter is required."])
  }
  const permissions = asked.map((key) => [
    key,
    {
      ...{ id: '10', key, name: PERMISSIONS[key], type: 'PROJECT', description: '' },
      havePermission: account.permissions.includes(key),
    },
  ])
  return { permissions: Object.fromEntries(permissions) }
}

function payloadOf(event: string, timestamp: number): Record<string, unknown> {
  const base = { timestamp, webhookEvent: event }
  if (event.startsWith('jira:version')) {
    const version = {
      id: '10007',
      name: '1.2.3',
      archived: false,
      released: true,
      projectId: 10001,
    }
    return { ...base, version: { self: `https://${SITE}${API}version/10007`, ...version } }
  }
  const issue = { id: '10042', key: 'APP-7', self: `https://${SITE}${API}issue/10042` }
  return { ...base, issue_event_type_name: 'issue_updated', issue: { ...issue, fields: {} } }
}
