import type { BrowserSetup, PluginContext } from '@tarmac/plugin-kit'
import { refused } from './errors.js'
import { baseUrlOf, digest, serverOf } from './github.js'

/** The permissions of the App; docs/how-to/connect/github.md explains each. */
const PERMISSIONS = {
  contents: 'write',
  pull_requests: 'write',
  statuses: 'write',
  checks: 'read',
  actions: 'write',
  issues: 'write',
  workflows: 'write',
  repository_hooks: 'write',
  metadata: 'read',
} as const

/** The longest name of an App. Names are unique in all of GitHub. */
const MAX_NAME_LENGTH = 34

/** The App that GitHub returns once for a code. */
interface Converted {
  id?: unknown
  pem?: unknown
  html_url?: unknown
}

/**
 * Creates a GitHub App from a manifest and has it installed: two steps in a browser. The App has no
 * webhook of its own, since the plugin creates one in each repository.
 */
const setup: BrowserSetup = {
  begin(ctx, { returnTo, state, serviceUrl }) {
    const { organization } = ctx.connection
    const owner = typeof organization === 'string' && organization !== '' ? organization : null
    const manifest = {
      name: `Tarmac ${owner ?? ''} ${digest(state).slice(0, 6)}`
        .replaceAll(/\s+/g, ' ')
        .slice(0, MAX_NAME_LENGTH),
      url: serviceUrl,
      redirect_url: returnTo,
      setup_url: returnTo,
      public: false,
      default_permissions: PERMISSIONS,
      default_events: [],
    }
    const place = owner === null ? '' : `/organizations/${owner}`
    const path = `${place}/settings/apps/new?state=${encodeURIComponent(state)}`
    return {
      url: `${siteOf(ctx)}${path}`,
      form: { manifest: JSON.stringify(manifest) },
    }
  },

  async proceed(ctx, { code, installation_id: installationId, setup_action: action }, back) {
    const { credentials } = back
    if (installationId !== undefined) {
      return { credentials: { ...credentials, installationId } }
    }
    if (action === 'request') {
      throw refused(
        'forbidden',
        'An owner of the organization has to install the App. Begin again as an owner.',
        'request'
      )
    }
    const { id, pem, html_url: page } = await converted(ctx, code)
    const isWhole = typeof id === 'number' && typeof pem === 'string' && typeof page === 'string'
    if (!isWhole || !page.startsWith(`${siteOf(ctx)}/`)) {
      throw refused('protocol', 'GitHub answered without the key of the App')
    }
    return {
      step: {
        url: `${page}/installations/new?state=${encodeURIComponent(back.state)}`,
        credentials: { ...credentials, appId: String(id), privateKey: pem },
      },
    }
  },
}

/** Returns the site that people use. */
const siteOf = (ctx: PluginContext) => serverOf(ctx) ?? 'https://github.com'

/** Gets the App that GitHub created from the manifest. A code works once. */
async function converted(ctx: PluginContext, code = ''): Promise<Converted> {
  const { body } = await ctx.http.send<Converted>({
    method: 'POST',
    path: `${baseUrlOf(ctx)}/app-manifests/{code}/conversions`,
    params: { code },
    anonymous: true,
  })
  return body
}

export default setup
