import { test } from '@japa/runner'
import { planOfFile } from '../rehearsal/plan_of_file.js'
import { planOf, rehearsed } from './support/rehearsed.js'
import { LONG } from '#tests/support/effort'

/*
 * Weekly trains overlap if a rollout takes longer than a week: one version is offered to a fifth of
 * the users of Google Play while the next one is in review there.
 */

const METRIC = { name: 'crash-free', source: 'crashMonitoring', measure: 'crashFreeSessions' }
const GUARD = { whenUnsure: 'grow', metrics: [METRIC] }
const STEPS = ['kickoff', 'releaseCandidate', 'submission', 'storeReview', 'takeoff', 'rollout']

/**
 * Returns an app whose trains leave on Mondays, and whose rollouts stay at 20 % for nearly a week.
 */
const appWith = (guard: object | null) =>
  JSON.stringify({
    'name': 'Acme Shop',
    'platform': 'android',
    'integrations': {
      store: { type: 'sim-google', provider: 'Play', data: { bundleId: 'com.acme.shop' } },
      ci: { type: 'sim-ci', provider: 'CI', data: { workflowId: 'release' } },
      ...(guard && { crashes: { type: 'sim-crashes', provider: 'Crashes' } }),
    },
    'appUsers': ['ada@acme.example'],
    'appStoreReleaseSettings': {
      ...{ releaseMethod: 'manual', phasedReleaseEnabled: true },
      rollout: {
        ladder: [
          { percentage: 20, hours: 160 },
          { percentage: 100, hours: 0 },
        ],
        guard,
      },
    },
    'stepGroups': STEPS.map((archetype) => ({
      steps: [{ name: archetype, archetype, releaseTypes: { standard: { required: true } } }],
    })),
    'x-scheduleCadence': {
      startDate: '2026-01-05',
      draftWeeksAhead: 1,
      targets: {
        kickoff: { dayOffset: 0, time: '09:00' },
        submit: { dayOffset: 1, time: '09:00' },
        release: { dayOffset: 2, time: '09:00' },
      },
    },
  })

/** @param crashes of a version, since the world began */
const scenario = (version: string, at: string) => `name: Weekly trains
seed: weekly trains
ci: { failing: 0 }
googlePlay: { rejected: 0, review: 30h }
moments: [{ what: crashes, sessions: 8, version: ${version}, at: ${at} }]
`

/**
 * The stopped version with the next one, and the length of the rehearsal, by the cause of the stop.
 */
const STOPS = {
  'the guard, by what it measures': {
    ...{ guard: GUARD, version: '1.1.0', next: '1.2.0', crashes: '15d4h', days: 17 },
    begins: /^The rollout of 1\.1\.0 is being stopped at 20 %: crash-free: unhealthy/,
  },
  'the red button that a person presses': {
    ...{ guard: null, version: '1.0.0', next: '1.1.0', crashes: '7d22h', days: 11 },
    begins: /^The red button of 1\.0\.0 was pressed: Crashes rise/,
  },
} as const

test.group('A train that is stopped while the next one is in review', (group) => {
  group.each.timeout(400_000)

  for (const [how, { guard, version, next, crashes, days, begins }] of Object.entries(STOPS)) {
    test(`by ${how}: is stopped at once, and that review begins again`, async ({ assert }) => {
      const { reported, came } = await rehearsed({
        ...(await planOf('happy-train')),
        ...planOfFile(appWith(guard)),
        ...{ scenario: scenario(version, crashes), days },
      })
      const texts = reported.map(({ text }) => text)
      const place = (like: RegExp) => texts.findIndex((text) => like.test(text))
      const again = new RegExp(
        `^Google Play reviews ${next} from the beginning: the rollout of ${version} was stopped`
      )
      const order = [
        place(new RegExp(`^The rollout of ${version} is inProgress at 20 %`)),
        place(new RegExp(`^${next} in the store: DRAFT → IN_REVIEW`)),
        place(begins),
        place(new RegExp(`^The rollout of ${version} is halted at 20 %`)),
        place(again),
        place(new RegExp(`^${next} in the store: IN_REVIEW → APPROVED_NOT_PUBLISHED`)),
      ]
      assert.notInclude(order, -1, texts.join('\n'))
      assert.lengthOf(
        texts.filter((text) => again.test(text)),
        1
      )
      assert.deepEqual(
        order,
        order.toSorted((one, other) => one - other)
      )
      // The store is called at once, and only once, and nothing is reported as done outside.
      const [begun, halted] = [reported[order[2]].at, reported[order[3]].at]
      assert.isAtMost(Date.parse(halted) - Date.parse(begun), 10 * 60_000)
      assert.isEmpty(texts.filter((text) => text.includes('outside of Tarmac')))
      assert.deepEqual(came.audit.refusedTwice, [])
      assert.isTrue(came.asked.every(({ refused }) => refused === 0))
    }).tags(guard ? [LONG] : [])
  }
})
