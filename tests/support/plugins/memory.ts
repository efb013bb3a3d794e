import { definePlugin } from '#plugin-kit/plugin'

/** The number of times each file of the plugin was imported for use. */
export const uses: Record<'lifecycle' | 'chat' | 'onCall', number> = {
  lifecycle: 0,
  chat: 0,
  onCall: 0,
}

/**
 * A provider in memory, for tests alone. Its capabilities have types of known providers, so that
 * the OpenAPI document under test is the published one. A token that begins with `bad` is refused;
 * with `down` the provider is unavailable, and with `hang` it never answers.
 */
export default definePlugin({
  manifest: {
    id: 'memory',
    aliases: ['mem'],
    name: 'Memory',
    version: '1.0.0',
    spi: 1,
    docsUrl: 'https://memory.example/docs',
    hosts: { allow: [], selfHosted: false },
    auth: [{ scheme: 'none' }],
    credentialSchema: {
      type: 'object',
      required: ['token'],
      properties: {
        token: { 'type': 'string', 'minLength': 4, 'maxLength': 200, 'x-secret': true },
        account: { type: 'string', maxLength: 100 },
      },
    },
    connectionSchema: {
      type: 'object',
      properties: {
        region: { type: 'string', enum: ['eu', 'us'] },
        retries: { type: 'integer', minimum: 0, maximum: 9 },
        strict: { type: 'boolean' },
        teams: { type: 'array', items: { type: 'string' }, maxItems: 5 },
      },
    },
    rate: { requests: 100, perSeconds: 1, concurrency: 10, scope: 'credential' },
    capabilities: {
      chat: {
        type: 'slack',
        features: ['findUserByEmail'],
        dataSchema: {
          type: 'object',
          properties: {
            'primaryChannelIds': { type: 'array', items: { type: 'string' }, maxItems: 3 },
            'x-mention': { type: 'string', pattern: '^@' },
          },
        },
      },
      onCall: { type: 'pagerduty', features: [] },
    },
  },
  lifecycle: async () => {
    uses.lifecycle += 1
    return import('./memory_lifecycle.js')
  },
  setup: () => import('./memory_setup.js'),
  capabilities: {
    chat: async () => {
      uses.chat += 1
      return import('./memory_chat.js')
    },
    onCall: async () => {
      uses.onCall += 1
      return import('./memory_on_call.js')
    },
  },
})
