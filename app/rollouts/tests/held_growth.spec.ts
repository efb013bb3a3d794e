import { test } from '@japa/runner'
import { HOUR } from '#foundation/core/durations'
import { refusal } from '#stores/tests/memory_store'
import { passMinutes, tidy } from '#stores/tests/support'
import { guarded } from './guarded.js'
import { asked, began, rollingOut } from './support.js'

/*
 * A rung that waits for a review is checked again just before the store is called for it.
 */

const ladder = (...shares: number[]) => ({
  policy: {
    ladder: [
      { percentage: 10, hours: 24 },
      ...shares.map((percentage) => ({ percentage, hours: 24 })),
      { percentage: 100, hours: 0 },
    ],
  },
})

/**
 * Returns a rollout that a policy decided to raise to 50 %, which waits for the review of 1.5.0.
 */
async function waitingRung() {
  const given = await rollingOut('google')
  const { admin, appId, store, work, release } = given
  const turns = async (number: number) => {
    for (let turn = 0; turn < number; turn++) await work()
  }
  const policy = (input: object) => admin.put(`/app/${appId}/rolloutPolicy`, input)
  await admin.post(`/app/${appId}/release`, { version: '1.5.0' })
  store.become('inReview', { version: '1.5.0', buildNumbers: ['4800'] })
  await policy(ladder(50))
  await turns(1)
  await began(appId, 30)
  await turns(3)
  const planOf = async () => (await release()).storePlans[0].rollout
  const reviewed = async () => {
    store.become('rejected', { version: '1.5.0' })
    await turns(4)
  }
  return { ...given, turns, policy, planOf, reviewed }
}

/** Returns office hours that are not now, nor begin within a few hours. */
const closedNow = () =>
  new Date(Date.now()).getUTCHours() < 12
    ? { from: '20:00', to: '21:00' }
    : { from: '06:00', to: '07:00' }

type Waiting = Awaited<ReturnType<typeof waitingRung>>

const pause = ({ admin, appId, path }: Waiting, paused: boolean) =>
  admin.put(`/app/${appId}/automations/pause`, { releaseId: path.split('/').at(-1), paused })

const CHANGES: [what: string, change: (given: Waiting) => Promise<{ status: number }>][] = [
  ['automations are paused', (given) => pause(given, true)],
  ['the policy is removed', ({ policy }) => policy({ policy: null })],
  ['the policy has another rung next', ({ policy }) => policy(ladder(20, 50))],
  [
    'office hours are over',
    ({ policy }) => policy({ policy: { ...ladder(50).policy, officeHours: closedNow() } }),
  ],
  [
    'a freeze is on',
    ({ admin, appId }) =>
      admin.put(`/app/${appId}/lifecycleFreezes`, {
        freezes: [
          {
            name: 'Holidays',
            startAt: '2020-01-01T00:00:00.000Z',
            endAt: '2199-01-01T00:00:00.000Z',
            phases: ['release'],
          },
        ],
      }),
  ],
]

test.group('A rung of a policy that waits for a review', (group) => {
  group.each.teardown(tidy)

  test('is set once the review is over', async ({ assert }) => {
    const given = await waitingRung()
    assert.containSubset(await given.planOf(), {
      action: 'set',
      percentage: 50,
      status: 'underWay',
    })
    assert.isEmpty(asked(given))
    await given.reviewed()
    assert.deepEqual(asked(given), ['setRollout 0.5'])
  })

  for (const [what, change] of CHANGES) {
    test(`is not set if meanwhile ${what}`, async ({ assert }) => {
      const given = await waitingRung()
      const { status } = await change(given)
      assert.equal(status, 200)
      await given.reviewed()
      assert.notInclude(asked(given), 'setRollout 0.5')
      const { body } = await given.admin.get(`${given.path}/timelineEvents?type=store.failed`)
      assert.match(body.data[0].title, /^The rollout of 1\.4\.0 is not set to 50 %: /)
    })
  }

  test('is set after the pause of automations', async ({ assert }) => {
    const given = await waitingRung()
    await pause(given, true)
    await given.reviewed()
    assert.isEmpty(asked(given))
    await pause(given, false)
    await given.turns(4)
    assert.deepEqual(asked(given), ['setRollout 0.5'])
  })
})

/** Counts of 1.4.0, as good as 1.3.0: in many sessions, and in few. */
const GOOD = { sessions: 80_000, crashed: 160 }
const FEW = { sessions: 100, crashed: 0 }

const whyHeld = async ({ admin, path }: Pick<Waiting, 'admin' | 'path'>): Promise<string[]> => {
  const { body } = await admin.get(`${path}/timelineEvents?type=store.failed`)
  return body.data.map(({ title }: { title: string }) => title)
}

test.group('A rung that a guard allowed, and that waits for a review', (group) => {
  group.each.teardown(tidy)

  test('is set only while the numbers allow it', async ({ assert }) => {
    const given = await guarded()
    const { admin, appId, store, monitor, turns, release } = given
    await admin.post(`/app/${appId}/release`, { version: '1.5.0' })
    store.become('inReview', { version: '1.5.0', buildNumbers: ['4800'] })
    monitor.versions.set('1.4.0', GOOD)
    await turns(1)
    await began(appId, 30)
    await turns(4)
    const { rollout } = (await release()).storePlans[0]
    assert.containSubset(rollout, { action: 'set', percentage: 50, status: 'underWay' })
    monitor.versions.set('1.4.0', FEW)
    await turns(2)
    store.become('rejected', { version: '1.5.0' })
    await turns(4)
    assert.isEmpty(asked(given))
    const [held] = await whyHeld(given)
    assert.match(held, /^The rollout of 1\.4\.0 is not set to 50 %: there is not enough data/)
    monitor.versions.set('1.4.0', GOOD)
    await turns(6)
    assert.deepEqual(asked(given), ['setRollout 0.5'])
  })
})

type Guarded = Awaited<ReturnType<typeof guarded>>

/** Reasons for which a phased release is paused: their begin and end, and their message. */
const PAUSES: [
  what: string,
  change: (given: Guarded, isOn: boolean) => unknown,
  message: RegExp,
][] = [
  [
    'the day is quiet',
    ({ admin, appId }, isOn) => {
      const inThreeDays = new Date(Date.now() + 3 * 24 * HOUR).getUTCDay() || 7
      const weekdays = isOn ? [inThreeDays] : [1, 2, 3, 4, 5, 6, 7]
      return admin.put(`/app/${appId}/rolloutPolicy`, { policy: { weekdays } })
    },
    /its policy lets it grow later$/,
  ],
  [
    'the numbers allow no other day',
    ({ monitor }, isOn) => monitor.versions.set('1.4.0', isOn ? FEW : GOOD),
    /there is not enough data to let the version reach more users$/,
  ],
]

test.group('A phased release that a policy resumes', (group) => {
  group.each.teardown(tidy)

  for (const [what, change, message] of PAUSES) {
    test(`stays paused if ${what} again before the store is called`, async ({ assert }) => {
      const given = await guarded('apple')
      const { store, turns } = given
      await change(given, true)
      // A pause before a day that the numbers do not justify is made shortly before that day.
      passMinutes(18 * 60)
      await turns(3)
      assert.deepEqual(asked(given), ['setRollout pause'])
      store.failures.push(refusal('unavailable', 'The store is down'))
      await change(given, false)
      for (let turn = 0; turn < 4 && store.failures.length > 0; turn++) await turns(1)
      const decided = async () => (await given.release()).storePlans[0].rollout
      assert.containSubset(await decided(), { action: 'resume', status: 'underWay' })
      await change(given, true)
      await turns(4)
      // The rollout may be checked before the store is called: then a pause replaces the resume.
      const plan = await decided()
      if (plan) assert.containSubset(plan, { action: 'pause', by: { type: 'automation' } })
      else {
        const [held] = await whyHeld(given)
        assert.match(held, /^The rollout of 1\.4\.0 is not resumed: /)
        assert.match(held, message)
      }
      assert.deepEqual(asked(given), ['setRollout pause'])
      await change(given, false)
      await turns(4)
      assert.deepEqual(asked(given), ['setRollout pause', 'setRollout resume'])
    })
  }
})
