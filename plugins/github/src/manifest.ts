import { SPI_VERSION, type ObjectSchema, type PluginManifest } from '@tarmac/plugin-kit'

/** `acme/app`. */
const REPOSITORY = '^[A-Za-z0-9-]+/[A-Za-z0-9._-]+$'

const versionControlData: ObjectSchema = {
  type: 'object',
  required: ['repoName'],
  properties: {
    repoName: {
      type: 'string',
      minLength: 3,
      maxLength: 140,
      pattern: REPOSITORY,
      title: 'Repository, as owner/name',
    },
  },
}

/** A file of `.github/workflows`, or the number of a workflow. */
const WORKFLOW = '^([0-9]+|[^/]+\\.ya?ml)$'

const ciData: ObjectSchema = {
  type: 'object',
  required: ['workflowId'],
  properties: {
    'workflowId': {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      pattern: WORKFLOW,
      title: 'Workflow of release builds: a file of .github/workflows, or its number',
    },
    'devWorkflowId': {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      pattern: WORKFLOW,
      title: 'Workflow of development builds',
    },
    'x-repository': {
      type: 'string',
      minLength: 3,
      maxLength: 140,
      pattern: REPOSITORY,
      title: 'Repository of the workflows, where the app has its code elsewhere',
    },
  },
}

const issuesData: ObjectSchema = {
  type: 'object',
  required: ['projects'],
  properties: {
    projects: {
      type: 'array',
      minItems: 1,
      maxItems: 20,
      items: { type: 'string', minLength: 3, maxLength: 140, pattern: REPOSITORY },
      title: 'Repositories whose issues count, as owner/name',
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
  id: 'github',
  aliases: ['github-app'],
  name: 'GitHub',
  version: '0.1.0',
  spi: SPI_VERSION,
  docsUrl: 'https://docs.github.com/en/rest',
  hosts: {
    allow: ['api.github.com'],
    // GitHub redirects downloads of artifacts to these.
    downloads: [
      '*.blob.core.windows.net',
      '*.actions.githubusercontent.com',
      'objects.githubusercontent.com',
    ],
    // An Enterprise Server, whose API is below `/api/v3`.
    selfHosted: true,
  },
  auth: [{ scheme: 'githubApp' }, { scheme: 'header', header: 'authorization', prefix: 'Bearer ' }],
  credentialSchema: {
    type: 'object',
    properties: {
      appId: {
        type: 'string',
        pattern: '^[0-9A-Za-z.]{1,40}$',
        title: 'App ID or client ID',
        description: 'As the settings of the App show it.',
      },
      installationId: {
        type: 'string',
        pattern: '^[0-9]{1,20}$',
        title: 'Installation ID',
        description: 'The number at the end of the address of the installed App.',
      },
      privateKey: {
        'type': 'string',
        'minLength': 100,
        'maxLength': 20_000,
        'title': 'Private key',
        'description': 'The .pem file that the settings of the App generate.',
        'x-secret': true,
        'writeOnly': true,
      },
      webhookSecret: {
        'type': 'string',
        'minLength': 8,
        'maxLength': 500,
        'title': 'Webhook secret',
        'description': 'Of the webhook of the App, where it has one.',
        'x-secret': true,
        'writeOnly': true,
      },
      token: {
        'type': 'string',
        'minLength': 8,
        'maxLength': 500,
        'title': 'Token',
        'description': 'A fine-grained personal access token, where there is no App.',
        'x-secret': true,
        'writeOnly': true,
      },
    },
  },
  connectionSchema: {
    type: 'object',
    properties: {
      host: {
        type: 'string',
        minLength: 1,
        maxLength: 200,
        title: 'Host',
        description: 'Of an Enterprise Server; empty for github.com.',
      },
      organization: {
        type: 'string',
        pattern: '^[A-Za-z0-9-]{1,39}$',
        title: 'Organization',
        description: 'Its name on GitHub, where it owns a new App; empty for your own account.',
      },
    },
  },
  // GitHub counts per user or installation, and reports the remaining requests. It does not report
  // the secondary limits: 900 points a minute (a change costs five), 80 changes a minute and 500 an
  // hour. Ignoring them can lead to a ban.
  rate: {
    requests: 5000,
    perSeconds: 3600,
    concurrency: 20,
    scope: 'credential',
    bursts: { requests: 620, perSeconds: 60 },
    changes: [
      { requests: 70, perSeconds: 60 },
      { requests: 450, perSeconds: 3600 },
    ],
    pausesPeople: true,
    pauses: [{ says: 'secondary rate limit', seconds: 60 }],
  },
  capabilities: {
    versionControl: {
      type: 'github-vcs',
      features: [
        'createRelease',
        'mergeBranch',
        'openPullRequest',
        'listOpenPullRequests',
        'setStatus',
        'patchIds',
        'getPullRequest',
        'pullRequestsForCommit',
        'mergePullRequest',
      ],
      dataSchema: versionControlData,
    },
    ci: { type: 'github-ci', features: ['resolvePending', 'cancel'], dataSchema: ciData },
    issueTracking: {
      type: 'github-issues',
      features: ['ensureVersion', 'setVersion', 'addLabels', 'releaseVersion'],
      dataSchema: issuesData,
    },
  },
  webhooks: { verify: 'hmac', events: ['push', 'pull_request', 'create', 'workflow_run'] },
}
