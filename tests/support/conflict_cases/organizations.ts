import type { Case } from './case.js'

/** Conflicts about groups and webhook endpoints. */
export const ORGANIZATION_CONFLICTS: Case[] = [
  {
    code: 'default_group',
    what: 'changing a default group',
    async cause({ admin, world }) {
      const { body } = await admin.get(`/org/${world.organizationId}/group`)
      const { id } = body.find((group: { isDefault: boolean }) => group.isDefault)
      return admin.delete(`/org/${world.organizationId}/group/${id}`)
    },
    currentStatus: 'default',
    allowedActions: [],
  },
  {
    code: 'endpoint_disabled',
    what: 'recovering a disabled endpoint',
    async cause({ admin, world }) {
      const path = `/org/${world.organizationId}/webhookEndpoint`
      const { body } = await admin.post(path, { url: 'http://127.0.0.1:9/', events: ['*'] })
      await admin.patch(`${path}/${body.id}`, { enabled: false })
      return admin.post(`${path}/${body.id}/recover`, { since: '2026-01-01T00:00:00Z' })
    },
    currentStatus: 'disabled',
    allowedActions: ['enable', 'redeliver'],
  },
]
