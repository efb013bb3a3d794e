import {
  isProviderError,
  type Lifecycle,
  type Permits,
  type PluginContext,
} from '@tarmac/plugin-kit'
import { describeError, refused } from './errors.js'
import { GitHub } from './github.js'

/** GitHub's name of the permission that every change needs. */
const CONTENTS = 'Contents: read and write'

const lifecycle: Lifecycle = {
  async check(ctx) {
    const isApp = typeof ctx.secret('appId') === 'string'
    return isApp ? checkInstallation(ctx) : checkToken(ctx)
  },
  describeError,
}

/** Checks an installation, by its repositories and their permissions. */
async function checkInstallation(ctx: PluginContext) {
  const { data } = await new GitHub(ctx, null).request('GET /installation/repositories', {
    per_page: 100,
  } as never)
  const { repositories } = data
  const [first] = repositories
  if (!first) {
    throw refused(
      'forbidden',
      'The App is installed, and no repository is selected for it.',
      'no_repository'
    )
  }
  const permits = await ctx.http.permits()
  const count = data.total_count
  const what = count === 1 ? first.full_name : `${count} repositories`
  return {
    account: `${first.owner.login} (App, ${what})`,
    missingPermissions:
      permits === null ? await lackingByReads(ctx, repositories) : lackingIn(permits),
  }
}

/**
 * The permissions that every connection needs, by their name in GitHub's API: the access, and the name on
 * GitHub's pages.
 */
const NEEDED = {
  contents: ['write', CONTENTS],
  pull_requests: ['write', 'Pull requests: read and write'],
  statuses: ['write', 'Commit statuses: read and write'],
  checks: ['read', 'Checks: read-only'],
  actions: ['write', 'Actions: read and write'],
  issues: ['write', 'Issues: read and write'],
} as const

/** Returns the permissions that the token of an App lacks. */
function lackingIn(permits: Permits): string[] {
  return Object.entries(NEEDED)
    .filter(([name, [access]]) => {
      const granted = ['write', 'admin', ...(access === 'read' ? ['read'] : [])]
      return !granted.includes(permits[name])
    })
    .map(([, [, label]]) => label)
}

/** By GitHub's name of a permission, a read that needs it. */
const READS = {
  'Pull requests: read and write': 'GET /repos/{owner}/{repo}/pulls',
  'Actions: read and write': 'GET /repos/{owner}/{repo}/actions/workflows',
  'Issues: read and write': 'GET /repos/{owner}/{repo}/issues',
} as const

/** Error codes that concern one resource, not the connection. */
const ABOUT_ONE: readonly string[] = ['forbidden', 'notFound', 'unsupported']

/**
 * Returns the permissions that an App lacks, as far as reads of one repository show: for a server
 * that does not say what a token permits.
 */
async function lackingByReads(
  ctx: PluginContext,
  repositories: readonly { full_name: string; permissions?: { push?: boolean } }[]
): Promise<string[]> {
  const github = new GitHub(ctx, repositories[0].full_name)
  const mayPush = repositories.every(({ permissions }) => permissions?.push !== false)
  const lacking: string[] = mayPush ? [] : [CONTENTS]
  for (const [permission, route] of Object.entries(READS)) {
    const read = github.request(route, { per_page: 1 } as never)
    // Other errors, such as for a repository without issues, do not mean a missing permission.
    const isForbidden = await read.then(
      () => false,
      (error: unknown) => {
        if (!isProviderError(error) || !ABOUT_ONE.includes(error.code)) throw error
        return error.code === 'forbidden'
      }
    )
    if (isForbidden) lacking.push(permission)
  }
  return lacking
}

/**
 * Checks a token, whose owner GitHub reveals. A classic token also has scopes; the permissions of a
 * fine-grained one are unknown until they are used.
 */
async function checkToken(ctx: PluginContext) {
  const { data, headers } = await new GitHub(ctx, null).request('GET /user')
  const scopes = headers['x-oauth-scopes']
  const isClassic = typeof scopes === 'string' && scopes !== ''
  const has = isClassic ? scopes.split(',').map((each) => each.trim()) : []
  const missing = isClassic ? ['repo', 'workflow'].filter((each) => !has.includes(each)) : []
  const { login } = data as { login: string }
  const endsAt = endIn(headers['github-authentication-token-expiration'])
  return {
    account: isClassic ? login : `${login} (permissions are not known until first used)`,
    missingPermissions: missing,
    ...(endsAt === undefined ? {} : { endsAt }),
  }
}

/**
 * Reads when a token expires from a header such as `2026-12-24 09:00:00 UTC` or `2026-12-24
 * 09:00:00 +0000`.
 */
function endIn(header: unknown): string | undefined {
  const [day, time, zone = 'UTC'] = String(header ?? '').split(' ')
  const offset = zone === 'UTC' ? 'Z' : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  const at = Date.parse(`${day}T${time}${offset}`)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

export default lifecycle
