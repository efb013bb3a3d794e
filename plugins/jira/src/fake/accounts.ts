import { randomUUID } from 'node:crypto'

/** A person or bot with an account at Atlassian. */
export interface Account {
  email: string
  name: string
  /** The keys of the permissions that it has in every project it sees. */
  permissions: string[]
}

const ALL = ['BROWSE_PROJECTS', 'EDIT_ISSUES', 'RESOLVE_ISSUES', 'ADMINISTER_PROJECTS']
const SCOPES = ['read:jira-work', 'write:jira-work', 'manage:jira-project', 'read:jira-user']

/** Lifetime of an access token, in seconds. */
const LIFETIME_SECONDS = 3600

/** Accounts by their API tokens. */
const TOKENS: Readonly<Record<string, Account>> = {
  'good-api-token-4711': { email: 'bot@acme.example', name: 'Release Bot', permissions: ALL },
  'other-api-token-4712': { email: 'two@acme.example', name: 'Second Bot', permissions: ALL },
  'read-only-api-token': {
    ...{ email: 'reader@acme.example', name: 'Reader', permissions: ['BROWSE_PROJECTS'] },
  },
}

/** OAuth grants by their first refresh tokens. */
const GRANTS: Readonly<Record<string, { clientId: string; email: string }>> = {
  'good-refresh-token-4711': { clientId: 'good-client-4711', email: 'bot@acme.example' },
  'other-refresh-token-4712': { clientId: 'other-client-4712', email: 'two@acme.example' },
}

/** The requester: an account, by an API token or by OAuth. */
export interface Asker {
  account: Account
  scopes: readonly string[] | null
}

/** The accounts of a site, with their tokens. */
export class FakeAccounts {
  /** The accounts whose keys were revoked, by the owner or an administrator. */
  areRevoked = false
  /** Scopes of the grants of OAuth. */
  scopes: readonly string[] = SCOPES
  readonly #grants = new Map(Object.entries(GRANTS))
  readonly #access = new Map<string, { email: string; until: number }>()

  constructor(private readonly now: () => number) {}

  /** Issues a new pair for a code or a refresh token, each of which works once. */
  async token(request: Request): Promise<Response> {
    const given = new URLSearchParams(await request.text())
    const isCode = given.get('grant_type') === 'authorization_code'
    const token = given.get(isCode ? 'code' : 'refresh_token') ?? ''
    const grant = this.#grants.get(token)
    const isIts = grant?.clientId === given.get('client_id') && given.has('client_secret')
    if (this.areRevoked || !grant || !isIts) {
      return Response.json(
        { error: 'invalid_grant', error_description: 'Unknown or invalid refresh token.' },
        { status: 403 }
      )
    }
    this.#grants.delete(token)
    return Response.json(this.#pairOf(grant))
  }

  #pairOf(grant: { clientId: string; email: string }) {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`]
    this.#grants.set(refresh, grant)
    const until = this.now() + LIFETIME_SECONDS * 1000
    this.#access.set(access, { email: grant.email, until })
    return {
      access_token: access,
      refresh_token: refresh,
      expires_in: LIFETIME_SECONDS,
      token_type: 'Bearer',
      scope: [...this.scopes, 'offline_access'].join(' '),
    }
  }

  /** Plays a person who consents. Returns the code that their browser gets. */
  agree(clientId: string): string {
    const code = `code-${randomUUID()}`
    this.#grants.set(code, { clientId, email: 'bot@acme.example' })
    return code
  }

  /** Returns the account of a request; null if it is anonymous. */
  of({ headers }: Request): Asker | null {
    if (this.areRevoked) return null
    const [scheme, value = ''] = (headers.get('authorization') ?? '').split(' ')
    if (scheme === 'Bearer') {
      const given = this.#access.get(value)
      const account = Object.values(TOKENS).find(({ email }) => email === given?.email)
      return given && account && given.until >= this.now() ? { account, scopes: this.scopes } : null
    }
    const [email, ...rest] = Buffer.from(value, 'base64').toString('utf8').split(':')
    const account = Object.hasOwn(TOKENS, rest.join(':')) ? TOKENS[rest.join(':')] : null
    return account?.email === email ? { account, scopes: null } : null
  }
}
