import { VERSION, type Case } from './case.js'

/** Conflicts about automations. */
export const AUTOMATION_CONFLICTS: Case[] = [
  {
    code: 'automation_inactive',
    what: 'switching on for a hotfix what is not for it',
    async cause({ admin, app, path }) {
      await admin.put(`${path(VERSION)}/kickoff`)
      await admin.put(`${path(VERSION)}/complete`)
      const hotfix = { version: '1.0.1', releaseType: 'hotfix', baseTag: { name: 'v1.0.0' } }
      await admin.post(`/app/${app}/release`, hotfix)
      const releaseId = `${app}:1.0.1`
      const set = { type: 'kickoffOnTargetDate', enabled: true, releaseId }
      return admin.put(`/app/${app}/automations`, set)
    },
    currentStatus: 'inactive',
    allowedActions: [],
  },
  {
    code: 'automation_dependency',
    what: 'switching off what another automation needs',
    async cause({ admin, app }) {
      const set = (type: string, enabled: boolean) =>
        admin.put(`/app/${app}/automations`, { type, enabled })
      await set('kickoffOnTargetDate', true)
      await set('submitOnTargetDate', true)
      return set('kickoffOnTargetDate', false)
    },
    currentStatus: 'enabled',
    allowedActions: [],
  },
  {
    code: 'automation_dependency',
    what: 'switching on what the app has no code for',
    cause: ({ admin, app }) =>
      admin.put(`/app/${app}/automations`, { type: 'tagOnRelease', enabled: true }),
    currentStatus: 'inactive',
    allowedActions: [],
  },
]
