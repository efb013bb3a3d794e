import { V, type Case } from './case.js'

/** Conflicts about decisions on fixes. */
export const OF_FIXES: Case[] = [
  {
    code: 'fix_request_closed',
    what: 'approving a rejected fix request',
    async cause({ admin, path }) {
      await admin.put(`${path(V)}/kickoff`)
      const { body } = await admin.post(`${path(V)}/fixRequest`, { title: 'It crashes' })
      const request = `${path(V)}/fixRequest/${body.id}`
      await admin.put(`${request}/reject`)
      return admin.put(`${request}/approve`)
    },
    currentStatus: 'rejected',
    allowedActions: [],
  },
  {
    code: 'fix_requested',
    what: 'requesting a fix twice',
    async cause({ admin, app, path }) {
      await admin.put(`${path(V)}/kickoff`)
      const { body } = await admin.post(`/app/${app}/triageIssue`, { title: 'It crashes' })
      const fix = () =>
        admin.post(`/app/${app}/triageIssue/${body.id}/requestFix`, { releaseId: `${app}:${V}` })
      await fix()
      return fix()
    },
    currentStatus: 'fixRequested',
    allowedActions: ['update'],
  },
]
