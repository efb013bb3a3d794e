import { SPI_VERSION, type ObjectSchema, type PluginManifest } from '@tarmac/plugin-kit'

const issuesData: ObjectSchema = {
  type: 'object',
  required: ['projects'],
  properties: {
    projects: {
      type: 'array',
      minItems: 1,
      maxItems: 20,
      items: { type: 'string', minLength: 2, maxLength: 80, pattern: '^[A-Z][A-Z0-9_]+$' },
      title: 'Keys of the projects whose issues are used',
    },
    additionalDoneStatuses: {
      type: 'array',
      maxItems: 50,
      items: { type: 'string', minLength: 1, maxLength: 100 },
      title: 'Further statuses that count as done',
    },
  },
}

/** Plain data: the service reads it at every start. */
export const manifest: PluginManifest = {
  id: 'jira',
  aliases: ['jira-cloud'],
  name: 'Jira',
  version: '0.1.0',
  spi: SPI_VERSION,
  docsUrl: 'https://developer.atlassian.com/cloud/jira/platform/rest/v3/',
  hosts: {
    // OAuth and scoped tokens use the gateway, other API tokens the site itself.
    allow: ['api.atlassian.com', '*.atlassian.net'],
    selfHosted: false,
  },
  auth: [
    { scheme: 'basic' },
    {
      scheme: 'oauth2',
      authorizeUrl: 'https://auth.atlassian.com/authorize',
      tokenUrl: 'https://auth.atlassian.com/oauth/token',
      scopes: [
        'read:jira-work',
        'write:jira-work',
        'manage:jira-project',
        'read:jira-user',
        'offline_access',
      ],
      pkce: false,
      rotatingRefresh: true,
      extraAuthorizeParams: { audience: 'api.atlassian.com', prompt: 'consent' },
    },
  ],
  credentialSchema: {
    type: 'object',
    properties: {
      username: {
        type: 'string',
        minLength: 3,
        maxLength: 320,
        title: 'E-mail address',
        description: 'E-mail address of the Atlassian account that the service acts as.',
      },
      password: {
        'type': 'string',
        'minLength': 8,
        'maxLength': 1000,
        'title': 'API token',
        'description': 'API token of the account, created at id.atlassian.com.',
        'x-secret': true,
        'writeOnly': true,
      },
      clientId: {
        type: 'string',
        minLength: 8,
        maxLength: 200,
        title: 'Client ID',
        description: 'Client ID of the OAuth 2.0 integration, as its settings show it.',
      },
      clientSecret: {
        'type': 'string',
        'minLength': 8,
        'maxLength': 1000,
        'title': 'Client secret',
        'description': 'Client secret of the OAuth 2.0 integration.',
        'x-secret': true,
        'writeOnly': true,
      },
      refreshToken: {
        'type': 'string',
        'minLength': 8,
        'maxLength': 8000,
        'title': 'Refresh token',
        'description': 'Obtained by giving consent in a browser.',
        'x-secret': true,
        'writeOnly': true,
      },
    },
  },
  connectionSchema: {
    type: 'object',
    required: ['site'],
    properties: {
      site: {
        type: 'string',
        minLength: 1,
        maxLength: 80,
        pattern: '^[a-z0-9][a-z0-9-]*(\\.atlassian\\.net)?$',
        title: 'Site',
        description: 'As in acme.atlassian.net.',
      },
      cloudId: {
        type: 'string',
        pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
        title: 'Cloud ID',
        description:
          'Cloud ID of the site, as /_edge/tenant_info shows it. Needed only for an API token with scopes.',
      },
    },
  },
  // Jira counts each second by endpoint, method and site, and refuses excess requests. OAuth also
  // has 65,000 points an hour: a request costs one, and each returned issue one more.
  rate: {
    requests: 10_000,
    perSeconds: 3600,
    concurrency: 10,
    scope: 'credential',
    bursts: { requests: 400, perSeconds: 10 },
    changes: [{ requests: 200, perSeconds: 10 }],
  },
  capabilities: {
    issueTracking: {
      type: 'jira',
      features: ['ensureVersion', 'setVersion', 'addLabels', 'releaseVersion'],
      dataSchema: issuesData,
    },
  },
  webhooks: {
    verify: 'hmac',
    events: [
      'jira:issue_created',
      'jira:issue_updated',
      'jira:issue_deleted',
      'jira:version_created',
      'jira:version_updated',
      'jira:version_released',
      'jira:version_unreleased',
      'jira:version_deleted',
    ],
  },
}
