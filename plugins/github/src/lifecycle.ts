import { isProviderError, type Lifecycle, type PluginContext } from '@tarmac/plugin-kit'
import { describeError, refused } from './errors.js'
import { GitHub } from './github.js'

/** The permission that everything but reading needs, as GitHub names it. */
const CONTENTS = 'Contents: read and write'

const lifecycle: Lifecycle = {
  async check(ctx) {
    const isApp = typeof ctx.secret('appId') === 'string'
    return isApp ? checkInstallation(ctx) : checkToken(ctx)
  },
  describeError,
}

/** An installation sees its repositories, and what it may do with each. */
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
  const mayPush = repositories.every(({ permissions }) => permissions?.push !== false)
  const lacking = await lackingIn(new GitHub(ctx, first.full_name))
  const count = data.total_count
  const what = count === 1 ? first.full_name : `${count} repositories`
  return {
    account: `${first.owner.login} (App, ${what})`,
    missingPermissions: [...(mayPush ? [] : [CONTENTS]), ...lacking],
  }
}

/** A read of a repository for each permission, as GitHub names it. */
const READS = {
  'Pull requests: read and write': 'GET /repos/{owner}/{repo}/pulls',
  'Actions: read and write': 'GET /repos/{owner}/{repo}/actions/workflows',
  'Issues: read and write': 'GET /repos/{owner}/{repo}/issues',
} as const

/** Errors about what is read, and not about the connection. */
const ABOUT_ONE: readonly string[] = ['forbidden', 'notFound', 'unsupported']

/** The permissions that an App lacks, as far as a read of one of its repositories shows them. */
async function lackingIn(github: GitHub): Promise<string[]> {
  const lacking: string[] = []
  for (const [permission, route] of Object.entries(READS)) {
    const read = github.request(route, { per_page: 1 } as never)
    // A repository without issues, for instance, lacks no permission.
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
 * A token states its owner. A classic one states its scopes too; the permissions of a fine-grained
 * one are unknown before they are used.
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

/** When a token ends, of a header such as `2026-12-24 09:00:00 UTC` or `2026-12-24 09:00:00 +0000`. */
function endIn(header: unknown): string | undefined {
  const [day, time, zone = 'UTC'] = String(header ?? '').split(' ')
  const offset = zone === 'UTC' ? 'Z' : zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  const at = Date.parse(`${day}T${time}${offset}`)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

export default lifecycle
