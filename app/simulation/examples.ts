import type { SimulatedWorldEntity } from './entities.js'

/** The world in which Acme rehearses its release. */
export const exampleWorld: SimulatedWorldEntity = {
  seed: 'monday',
  scenario: 'A rejection',
  now: '2026-11-18T09:00:00.000Z',
  ci: {
    runs: [
      {
        id: '1',
        workflowId: 'release',
        branch: 'release/4.2.0',
        state: 'succeeded',
        endsAt: '2026-11-17T10:26:00.000Z',
      },
    ],
  },
  appStores: [
    {
      bundleId: 'com.acme.shop',
      builds: [{ id: 'ci-1', version: '4.2.0', number: '1', state: 'VALID' }],
      versions: [
        {
          version: '4.2.0',
          state: 'REJECTED',
          phasedRelease: { state: 'INACTIVE', percentage: 0 },
        },
      ],
    },
  ],
  plays: [],
  chat: {
    posts: [
      {
        channel: 'releases',
        text: 'The App Store rejected 4.2.0',
        at: '2026-11-18T08:45:00.000Z',
      },
    ],
  },
  done: [],
  waiting: [{ kind: 'planning.submitReminder', count: 1, at: '2026-11-18T08:30:00.000Z' }],
}

export const EXAMPLE_SCENARIO = `name: A rejection
seed: monday
appStore:
  waiting: 8h
  verdicts: [rejected, approved]
moments:
  - what: outage
    of: appStore
    at: 3d
    lasting: 2h
`
