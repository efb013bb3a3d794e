import { ProviderError, type BrowserSetup, type PluginContext } from '@tarmac/plugin-kit'
import { API_HOST, SCOPES } from './manifest.js'
import { demanded } from './slack.js'

/** The page on which Slack creates an app from a manifest. */
const NEW_APP = 'https://api.slack.com/apps?new_app=1&manifest_json='

/** Returns the manifest of the app that an organization creates in its own workspace. */
const manifestOf = (returnTo: string) => ({
  display_information: {
    name: 'Tarmac',
    description: 'Releases of mobile apps: what happens, and what waits for whom',
  },
  features: { bot_user: { display_name: 'Tarmac', always_online: true } },
  oauth_config: { redirect_urls: [returnTo], scopes: { bot: SCOPES } },
  settings: {
    org_deploy_enabled: false,
    socket_mode_enabled: false,
    token_rotation_enabled: false,
  },
})

/** The part of Slack's answer to a code that is read. */
interface Granted {
  access_token?: string
  token_type?: string
  team?: { id?: string; name?: string } | null
}

/**
 * Installs the app into a workspace, in a browser. A person creates the app from a manifest before,
 * because Slack does not redirect back from that page.
 */
const setup: BrowserSetup = {
  preparation: ({ returnTo }) => ({
    text: 'Slack makes an app of your own, in your workspace: open the address, choose the workspace, Next, Create. Basic Information then shows the client ID, the client secret and the signing secret.',
    url: addressOf(returnTo),
    gives: ['clientId', 'clientSecret'],
  }),

  begin(ctx, { returnTo, state }) {
    const clientId = ctx.secret('clientId')
    if (typeof clientId !== 'string' || typeof ctx.secret('clientSecret') !== 'string') {
      throw withoutApp(returnTo)
    }
    const query = new URLSearchParams({
      ...{ client_id: clientId, scope: SCOPES.join(','), redirect_uri: returnTo, state },
    })
    return { url: `https://${API_HOST}/oauth/v2/authorize?${query}` }
  },

  async proceed(ctx, { code = '' }, { returnTo, credentials }) {
    const { access_token: token, token_type: type } = await granted(ctx, code, returnTo)
    if (type !== undefined && type !== 'bot') {
      throw new ProviderError('protocol', 'Slack answered with a token that is no bot’s', {
        outcome: 'unknown',
      })
    }
    return { credentials: { ...credentials, token: demanded(token, 'a token') } }
  },
}

const addressOf = (returnTo: string) =>
  NEW_APP + encodeURIComponent(JSON.stringify(manifestOf(returnTo)))

const withoutApp = (returnTo: string) => {
  const reason = 'Slack has no app of yours yet, or its client ID and secret are not given.'
  return new ProviderError(
    'invalid',
    `${reason} Open the address below and make the app. Then begin again with clientId, clientSecret and signingSecret as credentials: its Basic Information shows them.\n${addressOf(returnTo)}`,
    { outcome: 'notApplied', reason }
  )
}

/** A code works once. */
async function granted(ctx: PluginContext, code: string, returnTo: string): Promise<Granted> {
  const { body } = await ctx.http.send<Granted>({
    method: 'POST',
    path: `https://${API_HOST}/api/oauth.v2.access`,
    form: {
      ...{ code, redirect_uri: returnTo },
      client_id: String(ctx.secret('clientId')),
      client_secret: String(ctx.secret('clientSecret')),
    },
    anonymous: true,
  })
  return body
}

export default setup
