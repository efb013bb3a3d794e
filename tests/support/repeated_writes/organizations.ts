import type { Repeatable } from './repeatable.js'
import { put, type Write } from './write.js'

/** Writes to groups, keys, people and webhook endpoints. */
export function ofOrganizations(given: Repeatable): Record<string, Write[]> {
  const { org, email, user, key, group, hook, appId } = given
  const endpoint = {
    url: 'https://acme.example/hook',
    description: 'Of the crew',
    events: ['release.created'],
    appIds: [appId],
    platforms: ['ios'],
    headers: { 'X-Crew': 'one' },
    timeoutSeconds: 10,
    maxPerSecond: 5,
    asymmetric: true,
  }
  return {
    updateUserGroups: [put(`${org}/users/groups`, { users: [{ email, groupIds: [group] }] })],
    updateGroup: [
      put(
        `${org}/group/${group}`,
        { name: 'Crew one', userActions: ['EditRelease', 'SelectBuild'], userEmails: [email] },
        `${org}/group/${group}`
      ),
    ],
    updateUser: [
      {
        method: 'PATCH',
        path: user,
        options: { json: { name: 'Ada', groupIds: [group], admin: true } },
        tagged: user,
      },
    ],
    deactivateUser: [put(`${user}/deactivate`, undefined, user)],
    activateUser: [put(`${user}/activate`, undefined, user)],
    endSignIn: [{ method: 'POST', path: `${user}/signIn/end` }],
    revokeApiKey: [put(`${key}/revoke`)],
    updateWebhookEndpoint: [endpoint, { headers: null }, { enabled: false }, { enabled: true }].map(
      (json) => ({
        method: 'PATCH' as const,
        path: `${org}/webhookEndpoint/${hook}`,
        options: { json },
        tagged: `${org}/webhookEndpoint/${hook}`,
      })
    ),
  }
}
