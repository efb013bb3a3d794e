import { exampleRuleInput } from '#organizations/keyless/examples'
import { json, type Write } from './write.js'

const trustRule = (app: string) => ({
  ...exampleRuleInput,
  appId: app.split('/').at(-1),
  groupIds: [],
})

/** Writes to groups, keys, people, webhook endpoints and calendar feeds. */
export const OF_ORGANIZATIONS: Record<string, Write[]> = {
  createGroup: [
    {
      send: ({ org }) => ['POST', `${org}/group`, json({ name: 'Two', userActions: [] })],
      audit: ['group.created'],
    },
  ],
  updateGroup: [
    {
      send: ({ org, group }) => ['PUT', `${org}/group/${group}`, json({ name: 'Crew two' })],
      audit: ['group.updated'],
    },
  ],
  updateUserGroups: [
    {
      send: ({ org, group }) => [
        'PUT',
        `${org}/users/groups`,
        json({ users: [{ email: 'ada@acme.example', groupIds: [group] }] }),
      ],
      audit: ['user.groupsChanged'],
    },
  ],
  deleteGroup: [
    { send: ({ org, group }) => ['DELETE', `${org}/group/${group}`], audit: ['group.deleted'] },
  ],
  createApiKey: [
    {
      send: ({ org, group }) => [
        'POST',
        `${org}/apiKey`,
        json({ name: 'Release CI', groupIds: [group] }),
      ],
      audit: ['key.created'],
    },
  ],
  rotateApiKey: [
    { send: ({ key }) => ['POST', `${key}/rotate`], audit: ['key.created', 'key.rotated'] },
  ],
  revokeApiKey: [{ send: ({ key }) => ['PUT', `${key}/revoke`], audit: ['key.revoked'] }],
  createTrustRule: [
    {
      send: ({ org, app }) => ['POST', `${org}/trustRule`, json(trustRule(app))],
      audit: ['trustRule.created'],
    },
  ],
  updateTrustRule: [
    {
      send: ({ trustRule: rule, app }) => ['PUT', rule, json(trustRule(app))],
      audit: ['trustRule.updated'],
    },
  ],
  deleteTrustRule: [
    { send: ({ trustRule: rule }) => ['DELETE', rule], audit: ['trustRule.deleted'] },
  ],
  createUser: [
    {
      send: ({ org }) => ['POST', `${org}/user`, json({ email: 'grace@acme.example' })],
      audit: ['user.created'],
    },
  ],
  updateUser: [
    {
      send: ({ user, group }) => ['PATCH', user, json({ name: 'Ada', groupIds: [group] })],
      audit: ['user.updated'],
    },
  ],
  deactivateUser: [
    { send: ({ user }) => ['PUT', `${user}/deactivate`], audit: ['user.deactivated'] },
  ],
  activateUser: [
    { send: ({ user }) => ['PUT', `${user}/deactivate`], audit: ['user.deactivated'] },
    { send: ({ user }) => ['PUT', `${user}/activate`], audit: ['user.activated'] },
  ],
  createSignInLink: [
    { send: ({ user }) => ['POST', `${user}/signInLink`], audit: ['link.created'] },
  ],
  createWebhookEndpoint: [
    {
      send: ({ org }) => ['POST', `${org}/webhookEndpoint`, json({ url: 'https://a.example/' })],
      audit: ['webhookEndpoint.created'],
    },
  ],
  updateWebhookEndpoint: [
    {
      send: ({ hook }) => ['PATCH', hook, json({ description: 'Of the crew' })],
      audit: ['webhookEndpoint.updated'],
    },
  ],
  rotateWebhookSecret: [
    {
      send: ({ hook }) => ['POST', `${hook}/rotateSecret`, json({})],
      audit: ['webhookEndpoint.secretRotated'],
    },
  ],
  deleteWebhookEndpoint: [
    { send: ({ hook }) => ['DELETE', hook], audit: ['webhookEndpoint.deleted'] },
  ],
  pingWebhookEndpoint: [
    { send: ({ hook }) => ['POST', `${hook}/ping`, json({})], none: 'is in the delivery log' },
  ],
  redeliverWebhook: [
    {
      send: ({ hook, delivery }) => ['POST', `${hook}/delivery/${delivery}/redeliver`],
      none: 'is in the delivery log',
    },
  ],
  recoverWebhooks: [
    {
      send: ({ hook }) => ['POST', `${hook}/recover`, json({ since: '2026-01-01T00:00:00Z' })],
      none: 'is a recovery that can be read',
    },
  ],
  createCalendarFeed: [
    {
      send: ({ org, id }) => ['POST', `${org}/calendarFeed`, json({ appId: id.split(':')[0] })],
      audit: ['calendarFeed.created'],
    },
  ],
  revokeCalendarFeed: [
    { send: ({ calendar }) => ['DELETE', calendar], audit: ['calendarFeed.revoked'] },
  ],
}
