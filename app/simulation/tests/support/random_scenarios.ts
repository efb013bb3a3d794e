import fc from 'fast-check'

/*
 * Random scenario files: slow and failing providers, and troubles within a week.
 */

const share = (most: number) => fc.integer({ min: 0, max: most })
const hours = (most: number) => fc.integer({ min: 1, max: most }).map((each) => `${each}h`)

const OF = [
  ...['versionControl', 'ci', 'appStore', 'googlePlay', 'chat', 'issues', 'tests'],
  ...['crashes', 'analytics', 'flags', 'onCall', 'translations'],
]
const trouble = fc.record(
  {
    what: fc.constantFrom('outage', 'revoked', 'limited'),
    of: fc.constantFrom(...OF),
    at: hours(96),
    lasting: hours(30),
  },
  { requiredKeys: ['what', 'at', 'lasting'] }
)
const crashes = fc.record({
  what: fc.constant('crashes'),
  version: fc.constantFrom('1.0.0', '1.1.0'),
  fromShare: fc.constantFrom(1, 5),
  sessions: share(30),
})
const drop = fc.record({
  what: fc.constant('drop'),
  event: fc.constant('checkout_done'),
  left: share(100),
})
const inConsole = (store: string, actions: readonly string[]) =>
  fc.record({
    what: fc.constant('console'),
    store: fc.constant(store),
    deed: fc.constantFrom(...actions),
    at: hours(120),
  })
const moment = fc.oneof(
  trouble,
  crashes,
  drop,
  inConsole('appStore', [
    ...['cancelsReview', 'releases', 'pauses', 'resumes', 'completes', 'removesFromSale'],
    ...['returnsToSale', 'givesToTesters', 'declaresCompliance'],
  ]),
  inConsole('googlePlay', [
    ...['halts', 'completes', 'sends', 'publishes', 'givesToTesters', 'opensEdit'],
  ])
)

/** A scenario file, and whether the app is in Google Play. */
export const randomScenario = fc.record({
  isGoogle: fc.boolean(),
  scenario: fc.record({
    name: fc.constant('By chance'),
    seed: fc.nat().map((each) => `seed ${each}`),
    ci: fc.record({ failing: share(60), machines: fc.integer({ min: 1, max: 3 }) }),
    appStore: fc.record({
      stuck: share(20),
      invalid: share(20),
      undeclared: share(30),
      rejected: share(40),
      metadataRejected: share(20),
      waiting: hours(48),
      canceling: hours(2),
      appearing: fc.integer({ min: 0, max: 30 }).map((each) => `${each}m`),
    }),
    versionControl: fc.record({ failingChecks: share(50), changesRequested: share(50) }),
    tests: fc.record({ failed: share(20), blocked: share(10), byHand: share(100) }),
    googlePlay: fc.record({ rejected: share(40), sentByHand: fc.boolean() }),
    moments: fc.array(moment, { maxLength: 4 }),
  }),
})
