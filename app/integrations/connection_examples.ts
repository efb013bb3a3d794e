import type {
  BegunAuthorization,
  CallbackSecret,
  ConnectionDetails,
  ConnectionEntity,
  ProviderCallEntity,
  ProviderChannels,
  ProviderPluginDetails,
  ProviderPluginEntity,
} from './connection_entities.js'

/** The session of a browser. */
export const EXAMPLE_BROWSER = 'sgn_4fJq0VbM2wXy7TtZr9Kd'

export const exampleConnection: ConnectionEntity = {
  id: 'github:111222333',
  alias: 'Acme on GitHub',
  plugin: { id: 'github', name: 'GitHub', isRunning: true, takesWebhooks: true },
  types: ['github-vcs', 'github-ci', 'github-issues'],
  status: 'connected',
  account: 'acme (App, acme/ios)',
  missingPermissions: ['Issues: read and write'],
  checkFailure: null,
  failure: null,
  settings: { organization: 'acme' },
  checkedAt: '2026-11-16T09:00:00.000Z',
  endsAt: null,
  ending: null,
  uses: [
    {
      integrationId: 'int_8wQe3RtY5uIo1PaSd6Fg',
      appId: 'acme-ios',
      alias: 'Code',
      type: 'github-vcs',
    },
  ],
  createdAt: '2026-01-12T09:10:00.000Z',
  updatedAt: '2026-01-12T09:10:00.000Z',
}

export const exampleConnectionDetails: ConnectionDetails = {
  ...exampleConnection,
  credentials: {
    names: ['appId', 'installationId', 'privateKey'],
    version: 1,
    fingerprint: '9c1f4b7e2a8d',
  },
  callback: {
    url: 'https://tarmac.acme.example/connection/github:111222333/callback',
    path: '/connection/github:111222333/callback',
    hasSecret: true,
    madeAt: '2026-11-16T03:00:00.000Z',
    failure: null,
    receivedAt: '2026-11-16T08:59:00.000Z',
  },
  budget: { left: 4210, of: 5000, perSeconds: 3600 },
  closedHosts: [],
}

/** With a token, as most plugins take one. */
export const exampleNewConnection = {
  alias: 'Acme on GitHub',
  credentials: { token: 'example-token-4711' },
}

export const examplePlugin: ProviderPluginEntity = {
  id: 'github',
  name: 'GitHub',
  version: '0.1.0',
  kinds: ['versionControl', 'ci', 'issueTracking'],
  ways: ['browser', 'credentials'],
}

export const examplePluginDetails: ProviderPluginDetails = {
  ...examplePlugin,
  docsUrl: 'https://docs.github.com/en/rest',
  schemes: ['githubApp', 'header'],
  credentialSchema: { type: 'object', required: ['token'] },
  connectionSchema: { type: 'object' },
  capabilities: [{ kind: 'versionControl', type: 'github-vcs', platforms: null, dataSchema: null }],
  browser: {
    redirectUri: 'https://tarmac.acme.example/integrations/oauth/callback',
    preparation: null,
  },
}

export const exampleBegun: BegunAuthorization = {
  name: 'GitHub',
  url: 'https://github.com/settings/apps/new?state=q8sZc3VbM2wXy7TtZrVzoY',
  form: { manifest: '{"name":"Tarmac"}' },
  redirectUri: 'https://tarmac.acme.example/integrations/oauth/callback',
  expiresAt: '2026-11-16T09:10:00.000Z',
}

export const exampleCallbackSecret: CallbackSecret = {
  url: 'https://tarmac.acme.example/connection/github:111222333/callback',
  secret: 'whsec_Y2Fubm90IGJlIGd1ZXNzZWQ',
}

export const exampleChannels: ProviderChannels = {
  channels: [{ id: 'C0123456789', name: 'releases' }],
  hasMore: false,
}

export const exampleCall: ProviderCallEntity = {
  calledAt: '2026-11-16T09:00:00.000Z',
  method: 'GET',
  host: 'api.github.com',
  path: '/installation/repositories',
  status: 200,
  milliseconds: 212,
  attempt: 1,
  code: null,
}
