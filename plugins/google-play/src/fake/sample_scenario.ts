import type { Scenario } from '@tarmac/plugin-kit/testing'

const build = (number: string, version: string) => ({
  id: number,
  number,
  version,
  uploadedAt: '2026-11-16T09:00:00.000Z',
  state: 'ready',
})

/** Returns a small app that is live, with the next build on its internal track. */
export const sampleScenario = (): Scenario => ({
  appStore: {
    builds: [build('40', '1.2.3'), build('41', '1.3.0')],
    versions: [
      {
        ...{ id: '1', version: '1.2.3', buildNumber: '40' },
        ...{ state: 'live', fraction: 1, rollout: 'complete' },
      },
    ],
    metadata: [],
    reviews: [
      { id: 'R1', rating: 2, text: 'It crashes', at: '2026-11-19T11:00:00.000Z', reply: null },
    ],
  },
  crashMonitoring: {
    versions: [{ version: '1.2.3', sessions: 10_000, crashedSessions: 50 }],
    issues: [],
  },
})
