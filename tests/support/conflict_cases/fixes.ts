import { VERSION, type Case } from './case.js'

/** Conflicts about fix requests: deciding on a closed one, and asking twice for the same fix. */
export const FIX_CONFLICTS: Case[] = [
  {
    code: 'fix_request_closed',
    what: 'approving a rejected fix request',
    async cause({ admin, path }) {
      await admin.put(`${path(VERSION)}/kickoff`)
      const { body } = await admin.post(`${path(VERSION)}/fixRequest`, { title: 'It crashes' })
      const request = `${path(VERSION)}/fixRequest/${body.id}`
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
      await admin.put(`${path(VERSION)}/kickoff`)
      const { body } = await admin.post(`/app/${app}/triageIssue`, { title: 'It crashes' })
      const fix = () =>
        admin.post(`/app/${app}/triageIssue/${body.id}/requestFix`, {
          releaseId: `${app}:${VERSION}`,
        })
      await fix()
      return fix()
    },
    currentStatus: 'fixRequested',
    allowedActions: ['update'],
  },
]
