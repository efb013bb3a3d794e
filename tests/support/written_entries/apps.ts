import { ICON, yaml } from '../requests.js'
import { json, type Write } from './write.js'

/** Writes to apps and their settings. */
export const OF_APPS: Record<string, Write[]> = {
  createAppFromConfiguration: [
    {
      send: ({ org }) => ['POST', `${org}/app/config`, yaml('name: New\nplatform: ios')],
      app: ['app.created'],
      audit: ['app.created'],
    },
  ],
  changeAppFromConfiguration: [
    {
      send: ({ app }) => ['PATCH', `${app}/app/config`, yaml('name: Other')],
      app: ['app.configurationChanged'],
      audit: ['app.changed'],
    },
    {
      send: ({ app }) => [
        'PATCH',
        `${app}/app/config`,
        yaml(
          'stepGroups: [{steps: [{archetype: kickoff, releaseTypes: {standard: {required: true}}}]}]'
        ),
      ],
      release: ['app.configurationChanged', 'checklistItem.removed'],
      app: ['app.configurationChanged'],
      audit: ['app.changed'],
    },
  ],
  addDestinationFromConfiguration: [
    {
      send: ({ app }) => [
        'POST',
        `${app}/destination/config`,
        yaml(
          'name: Second\nstepGroups: [{steps: [{name: Beta, archetype: betaTesting, releaseTypes: {standard: {required: true}}}]}]'
        ),
      ],
      release: ['app.configurationChanged'],
      app: ['app.destinationAdded'],
      audit: ['destination.added'],
    },
  ],
  deleteAppByConfiguration: [
    {
      send: ({ app }) => ['DELETE', `${app}/app/config?force=true`],
      audit: ['app.deleted'],
    },
  ],
  uploadAppIcon: [{ send: ({ app }) => ['POST', `${app}/icon`, ICON], app: ['app.iconChanged'] }],
  setScheduleCadence: [
    {
      send: ({ app }) => [
        'PUT',
        `${app}/scheduleCadence`,
        json({
          startDate: '2026-11-02',
          targets: [{ kickoff: { dayOffset: 0, time: '10:00' } }],
        }),
      ],
      app: ['app.scheduleCadenceChanged'],
    },
  ],
  setRolloutPolicy: [
    {
      send: ({ app }) => [
        'PUT',
        `${app}/rolloutPolicy`,
        json({ policy: { ladder: [{ percentage: 100, hours: 0 }] } }),
      ],
      app: ['app.rolloutPolicyChanged'],
    },
  ],
  updateLifecycleFreezes: [
    {
      send: ({ app }) => [
        'PUT',
        `${app}/lifecycleFreezes`,
        json({
          freezes: [
            {
              name: 'Holidays',
              startAt: '2026-12-21T00:00:00Z',
              endAt: '2027-01-04T00:00:00Z',
              phases: ['kickoff'],
            },
          ],
        }),
      ],
      app: ['app.lifecycleFreezesChanged'],
    },
  ],
  setAutomation: [
    {
      send: ({ app }) => [
        'PUT',
        `${app}/automations`,
        json({ type: 'kickoffOnTargetDate', enabled: true }),
      ],
      app: ['app.automationChanged'],
    },
    {
      send: ({ app, id }) => [
        'PUT',
        `${app}/automations`,
        json({ type: 'kickoffOnTargetDate', enabled: false, releaseId: id }),
      ],
      release: ['release.updated'],
    },
  ],
  setAutomationPause: [
    {
      send: ({ app }) => ['PUT', `${app}/automations/pause`, json({ paused: true })],
      app: ['app.automationsPaused'],
    },
    {
      send: ({ app, id }) => [
        'PUT',
        `${app}/automations/pause`,
        json({ paused: true, releaseId: id }),
      ],
      release: ['release.updated'],
    },
  ],
  setNotification: [
    {
      send: ({ app }) => [
        'PUT',
        `${app}/notifications`,
        json({ type: 'release.kickoffReminder', leadTimeMinutes: 60 }),
      ],
      app: ['app.reminderChanged'],
    },
  ],
  updateFixRequestFormFieldsSettings: [
    {
      send: ({ app }) => [
        'PUT',
        `${app}/fixRequestFormFieldsSettings`,
        json({ requiredApprovals: 2 }),
      ],
      app: ['app.fixRequestFormChanged'],
    },
  ],
  postCustomEvents: [
    {
      send: ({ analytics }) => [
        'POST',
        `${analytics}/events`,
        json({ name: 'crashes', value: 1, version: '1.0.0' }),
      ],
      none: 'numbers come in all the time, and are kept as what they are',
    },
  ],
}
