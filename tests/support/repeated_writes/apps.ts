import { ICON, yaml } from '../requests.js'
import type { Repeatable } from './repeatable.js'
import { put, type Write } from './write.js'

/** Writes to apps and their settings. */
export const ofApps = ({ app, appId, rehearsal }: Repeatable): Record<string, Write[]> => ({
  stopRehearsal: [{ method: 'POST', path: `${rehearsal}/stop` }],
  changeAppFromConfiguration: [
    {
      method: 'PATCH',
      path: `${app}/app/config`,
      options: yaml(
        'name: Other\nappGroup: Shops\nappSettings: {versionFiles: [a.properties, b.properties]}\n' +
          'tagSettings: {release: {pattern: "v{version}"}}\nappUsers: [new@acme.example]\n' +
          'appStoreReleaseSettings: {releaseMethod: automatic}\n' +
          'buildDistro: {buckets: {Nightly: {type: custom}}}'
      ),
      tagged: app,
    },
  ],
  setScheduleCadence: [
    put(
      `${app}/scheduleCadence`,
      { startDate: '2026-11-02', targets: [{ kickoff: { dayOffset: 0, time: '10:00' } }] },
      `${app}/scheduleCadence`
    ),
  ],
  setRolloutPolicy: [
    put(
      `${app}/rolloutPolicy`,
      { policy: { ladder: [{ percentage: 100, hours: 0 }] } },
      `${app}/rolloutPolicy`
    ),
  ],
  updateLifecycleFreezes: [
    put(
      `${app}/lifecycleFreezes`,
      {
        freezes: [
          {
            name: 'Holidays',
            startAt: '2999-12-21T00:00:00+01:00',
            endAt: '2999-12-28T00:00:00Z',
            phases: ['release', 'kickoff'],
          },
        ],
      },
      `${app}/lifecycleFreezes`
    ),
  ],
  setAutomation: [
    put(`${app}/automations`, { type: 'kickoffOnTargetDate', enabled: true }),
    put(`${app}/automations`, {
      type: 'kickoffOnTargetDate',
      enabled: false,
      releaseId: `${appId}:1.3.0`,
    }),
  ],
  setAutomationPause: [
    put(`${app}/automations/pause`, { paused: true, resumeAt: '2999-01-01T00:00:00Z' }),
    put(`${app}/automations/pause`, { paused: true, releaseId: `${appId}:1.3.0` }),
  ],
  setNotification: [
    put(`${app}/notifications`, { type: 'release.kickoffReminder', leadTimeMinutes: 60 }),
  ],
  updateFixRequestFormFieldsSettings: [
    put(
      `${app}/fixRequestFormFieldsSettings`,
      {
        requiredApprovals: 2,
        fourEyes: false,
        fields: [{ id: 'risk', label: 'Risk', type: 'select', options: ['low', 'high'] }],
      },
      `${app}/fixRequestFormFieldsSettings`
    ),
  ],
  uploadAppIcon: [{ method: 'POST', path: `${app}/icon`, options: ICON, tagged: app }],
})
