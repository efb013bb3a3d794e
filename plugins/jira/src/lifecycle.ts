import type { Lifecycle } from '@tarmac/plugin-kit'
import { describeError } from './errors.js'
import { Jira, siteOf } from './jira.js'
import { manifest } from './manifest.js'

/** English names of permissions by their keys, because Jira's answers are localized. */
const PERMISSIONS = {
  BROWSE_PROJECTS: 'Browse Projects',
  EDIT_ISSUES: 'Edit Issues',
  RESOLVE_ISSUES: 'Resolve Issues',
  ADMINISTER_PROJECTS: 'Administer Projects',
} as const

type Reported = Partial<Record<string, { name?: string; havePermission?: boolean }>>

const lifecycle: Lifecycle = {
  /** Without a project, Jira reports for each permission whether the account has it in any. */
  async check(ctx) {
    const jira = new Jira(ctx)
    const { body: me } = await jira.send<{ displayName: string }>({
      method: 'GET',
      path: '/myself',
    })
    const { body } = await jira.send<{ permissions: Reported }>({
      method: 'GET',
      path: '/mypermissions',
      query: { permissions: Object.keys(PERMISSIONS).join(',') },
    })
    const lacking = Object.entries(PERMISSIONS).flatMap(([key, name]) => {
      const reported = body.permissions[key]
      return reported?.havePermission === true ? [] : [reported?.name ?? name]
    })
    return {
      account: `${me.displayName} (${siteOf(ctx)})`,
      missingPermissions: [...(await lackingScopes(jira)), ...lacking],
    }
  },
  describeError,
}

async function lackingScopes(jira: Jira): Promise<string[]> {
  const granted = await jira.grantedScopes()
  const scheme = manifest.auth.find((each) => each.scheme === 'oauth2')
  if (granted === null || !scheme) return []
  // `offline_access` is not a scope of the site.
  const wanted = scheme.scopes.filter((scope) => scope !== 'offline_access')
  return wanted.filter((scope) => !granted.includes(scope)).map((scope) => `scope ${scope}`)
}

export default lifecycle
