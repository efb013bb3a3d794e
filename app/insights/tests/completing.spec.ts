import { test } from '@japa/runner'
import type { AppPlatform } from '#apps/vocabulary'
import type { FixtureStep } from '#tests/support/app_fixture'
import {
  makeTrain,
  recordFacts,
  recordStepFacts,
  reported,
  type Train,
} from '#releases/tests/helpers/release_world'

/*
 * People complete a release by hand where no signal arrives. What was begun decides whether users
 * have the release. In every case `releasedAt`, `release.released`, the live version, the phase and
 * the metrics agree.
 */

const EARLIER = '2026-01-02T03:04:05.000Z'
const steps = (...types: FixtureStep['type'][]): FixtureStep[] => types.map((type) => ({ type }))
const REVIEWED = steps('kickoff', 'submission', 'storeReview', 'takeoff', 'rollout')

const kickOff = (train: Train) => train.admin.put(`${train.path('1.0.0')}/kickoff`)
const dates = (facts: object) => (train: Train) =>
  recordFacts(train, '1.0.0', async (_scope, release) => {
    release.merge(facts)
  })
const submitted = { selectedBuild: true, invalidBinary: false, submitted: true }
const review = (state: string) => async (train: Train) => {
  await recordStepFacts(train, '1.0.0', 'submission', submitted)
  await recordStepFacts(train, '1.0.0', 'storeReview', { state })
}

interface Case {
  says: string
  steps?: FixtureStep[]
  begun: ((train: Train) => Promise<unknown>)[]
  /** True when users then have the release. `since` is the start, if known. */
  isReleased: boolean
  since?: string
  phase: string
}

const CASES: Case[] = [
  { says: 'nobody began it', begun: [], isReleased: false, phase: 'upcoming' },
  { says: 'kicked off', begun: [kickOff], isReleased: true, phase: 'released' },
  {
    says: 'submitted, where no kickoff is recorded',
    begun: [dates({ submittedAt: EARLIER })],
    isReleased: true,
    phase: 'released',
  },
  {
    says: 'approved, where no kickoff is recorded',
    begun: [dates({ submittedAt: EARLIER, approvedAt: EARLIER })],
    isReleased: true,
    phase: 'released',
  },
  {
    says: 'waiting for its review',
    steps: REVIEWED,
    begun: [kickOff, review('waiting')],
    isReleased: true,
    phase: 'released',
  },
  {
    says: 'approved by its store',
    steps: REVIEWED,
    begun: [kickOff, review('approved')],
    isReleased: true,
    phase: 'released',
  },
  {
    says: 'rejected by its store',
    steps: REVIEWED,
    begun: [kickOff, review('rejected')],
    isReleased: false,
    phase: 'rejected',
  },
  {
    says: 'rolling out to users already',
    steps: REVIEWED,
    begun: [
      kickOff,
      (train) =>
        recordStepFacts(train, '1.0.0', 'rollout', {
          state: 'active',
          percentage: 5,
          nextStage: null,
        }),
      dates({ releasedAt: EARLIER }),
    ],
    isReleased: true,
    since: EARLIER,
    phase: 'released',
  },
]

/** Collects what each place reports about the release. */
async function saidOf({ world, app, admin, detail, timeline }: Train) {
  const { body } = await admin.get(`/org/${world.organizationId}/metrics`)
  const { value } = body.metrics.find(({ key }: { key: string }) => key === 'releasesCompleted')
  const { releasedAt, completedAt, phase, status } = await detail('1.0.0')
  return {
    status,
    phase,
    releasedAt,
    completedAt,
    liveVersion: (await admin.get(`/app/${app}`)).body.liveVersion,
    counted: value,
    sent: (await reported(world)).filter(({ type }) => type === 'release.released').length,
    entries: (await timeline('1.0.0', '?type=release.released')).length,
  }
}

test.group('A release that is completed by hand', () => {
  for (const platform of ['ios', 'android', 'react-native-ota'] as AppPlatform[]) {
    for (const { says, begun, isReleased, since, phase, ...given } of CASES) {
      test(`${platform}, ${says}: ${isReleased ? 'users have it' : 'users never had it'}`, async ({
        assert,
      }) => {
        const train = await makeTrain(['1.0.0', '1.1.0'], { platform, steps: given.steps })
        for (const begin of begun) await begin(train)
        const { status, text } = await train.admin.put(`${train.path('1.0.0')}/complete`)
        assert.equal(status, 200, text)
        const said = await saidOf(train)
        const isFirst = isReleased && since === undefined
        assert.deepEqual(
          { ...said, completedAt: null, releasedAt: null },
          {
            status: 'completed',
            phase,
            releasedAt: null,
            completedAt: null,
            liveVersion: isReleased ? '1.0.0' : null,
            // A release that reached users long ago is not within the last 90 days.
            counted: isFirst ? 1 : null,
            sent: isFirst && platform !== 'android' ? 1 : 0,
            entries: isFirst ? 1 : 0,
          }
        )
        assert.equal(said.releasedAt, isReleased ? (since ?? said.completedAt) : null)
        await train.admin.put(`${train.path('1.0.0')}/complete`)
        assert.deepEqual(await saidOf(train), said)
        assert.deepEqual((await train.statuses())['1.1.0'], 'active')
      })
    }
  }

  test('one that is live by the facts of its store agrees likewise', async ({ assert }) => {
    const train = await makeTrain(['1.0.0'], { steps: steps('kickoff', 'takeoff') })
    await kickOff(train)
    await recordStepFacts(train, '1.0.0', 'takeoff', {
      pending: false,
      released: true,
      notBefore: null,
    })
    const said = await saidOf(train)
    assert.containsSubset(said, {
      status: 'completed',
      phase: 'released',
      liveVersion: '1.0.0',
      counted: 1,
      sent: 1,
    })
    assert.equal(said.releasedAt, said.completedAt)
  })

  test('a hotfix starts from the version that users have, not from what was closed', async ({
    assert,
  }) => {
    const train = await makeTrain(['1.0.0', '1.1.0'])
    await kickOff(train)
    for (const version of ['1.0.0', '1.1.0']) {
      await train.admin.put(`${train.path(version)}/complete`)
    }
    const hotfix = { version: '1.2.0', releaseType: 'hotfix' }
    const { body } = await train.admin.post(`/app/${train.app}/release`, hotfix)
    assert.equal(body.baseTag.name, '1.0.0')
  })
})
