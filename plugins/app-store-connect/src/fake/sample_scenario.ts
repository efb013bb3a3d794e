import type { Scenario } from '@tarmac/plugin-kit/testing'

const build = (id: string, number: string, version: string, uploadedAt: string) => ({
  id,
  number,
  version,
  uploadedAt,
  state: 'ready',
})

/** Returns an app with one version that all users have, and a build of the next. */
export function sampleScenario(): Scenario {
  const builds = [
    build('build-40', '40', '1.2.3', '2026-11-02T09:00:00.000Z'),
    build('build-41', '41', '1.3.0', '2026-11-19T09:00:00.000Z'),
  ]
  return {
    appStore: {
      builds,
      versions: [
        {
          id: 'version-1',
          version: '1.2.3',
          buildNumber: '40',
          state: 'live',
          fraction: 1,
          rollout: 'complete',
        },
      ],
      metadata: [{ versionId: 'version-1', locale: 'en-US', whatsNew: 'The basket' }],
      reviews: [
        { id: 'review-1', rating: 5, text: 'Great', at: '2026-11-18T10:00:00.000Z', reply: null },
        { id: 'review-2', rating: 1, text: 'Slow', at: '2026-11-19T11:00:00.000Z', reply: null },
      ],
    },
    betaTesting: {
      groups: [
        { id: 'employees', name: 'Employees', internal: true },
        { id: 'everybody', name: 'Everybody', internal: false },
      ],
      builds,
      distributed: [],
      notes: [],
    },
  }
}
