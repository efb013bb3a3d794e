import { SPI_VERSION, type PluginManifest, type TextSchema } from '@tarmac/plugin-kit'

/** Scopes of the bot; docs/how-to/connect/slack.md explains each. */
export const SCOPES = [
  'chat:write',
  'channels:read',
  'channels:history',
  'channels:join',
  'channels:manage',
  'groups:read',
  'groups:history',
  'users:read',
  'users:read.email',
] as const

/** The host of the Web API, and the one for replies to pressed buttons. */
export const API_HOST = 'slack.com'
export const REPLY_HOST = 'hooks.slack.com'

const secret = (title: string, description: string): TextSchema => ({
  'type': 'string',
  'minLength': 8,
  'maxLength': 500,
  title,
  description,
  'x-secret': true,
  'writeOnly': true,
})

/** Plain data: the service reads it at every start. */
export const manifest: PluginManifest = {
  id: 'slack',
  aliases: ['slack-app'],
  name: 'Slack',
  version: '0.1.0',
  spi: SPI_VERSION,
  docsUrl: 'https://docs.slack.dev',
  hosts: { allow: [API_HOST, REPLY_HOST], selfHosted: false },
  auth: [{ scheme: 'header', header: 'authorization', prefix: 'Bearer ' }],
  credentialSchema: {
    type: 'object',
    properties: {
      token: secret('Bot token', 'It begins with xoxb-, and is shown once the app is installed.'),
      signingSecret: secret(
        'Signing secret',
        'Basic Information of the app shows it. Without it buttons are links to pages.'
      ),
      clientId: {
        type: 'string',
        pattern: '^[0-9.]{5,60}$',
        title: 'Client ID',
        description: 'Digits with a dot, to connect in a browser. Basic Information shows it.',
      },
      clientSecret: secret('Client secret', 'To connect in a browser. Basic Information shows it.'),
    },
  },
  connectionSchema: { type: 'object', properties: {} },
  // Slack counts per method and workspace, with limits from 20 calls a minute, and reports when to
  // retry. It asks for at most one message a second per channel; the plugin sends one a second in
  // total.
  rate: {
    requests: 100,
    perSeconds: 60,
    concurrency: 4,
    scope: 'credential',
    changes: [
      { requests: 1, perSeconds: 1 },
      { requests: 45, perSeconds: 60 },
    ],
  },
  capabilities: {
    chat: {
      type: 'slack',
      features: ['ensureChannel', 'update', 'findUserByEmail'],
      dataSchema: {
        type: 'object',
        required: ['primaryChannelIds'],
        properties: {
          primaryChannelIds: {
            type: 'array',
            minItems: 1,
            maxItems: 10,
            items: { type: 'string', pattern: '^[CG][A-Z0-9]{2,20}$' },
            title: 'Channels, by the ids that Slack shows below "View channel details"',
          },
        },
      },
    },
  },
}
