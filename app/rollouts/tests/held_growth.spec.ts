import { test } from '@japa/runner'
import { tidy } from '#stores/tests/support'
import { asked, began, rollingOut } from './support.js'

/*
 * A rung of a policy that waits for a review is judged again just before the store is asked for it.
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

/** A policy wants 1.4.0 at 50 %, which waits for the review of 1.5.0. */
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

type Waiting = Awaited<ReturnType<typeof waitingRung>>

const pause = ({ admin, appId, path }: Waiting, paused: boolean) =>
  admin.put(`/app/${appId}/automations/pause`, { releaseId: path.split('/').at(-1), paused })

const CHANGES: [what: string, change: (given: Waiting) => Promise<{ status: number }>][] = [
  ['automations are paused', (given) => pause(given, true)],
  ['the policy is removed', ({ policy }) => policy({ policy: null })],
  ['the policy has another rung next', ({ policy }) => policy(ladder(20, 50))],
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

  test('is asked for once the review is over', async ({ assert }) => {
    const given = await waitingRung()
    assert.containSubset(await given.planOf(), { action: 'set', percentage: 50, is: 'underWay' })
    assert.isEmpty(asked(given))
    await given.reviewed()
    assert.deepEqual(asked(given), ['setRollout 0.5'])
  })

  for (const [what, change] of CHANGES) {
    test(`is not asked for where meanwhile ${what}`, async ({ assert }) => {
      const given = await waitingRung()
      const { status } = await change(given)
      assert.equal(status, 200)
      await given.reviewed()
      assert.notInclude(asked(given), 'setRollout 0.5')
      const { body } = await given.admin.get(`${given.path}/timelineEvents?type=store.failed`)
      assert.match(body.data[0].title, /^The rollout of 1\.4\.0 is not set to 50 %: /)
    })
  }

  test('goes on by itself after the pause', async ({ assert }) => {
    const given = await waitingRung()
    await pause(given, true)
    await given.reviewed()
    assert.isEmpty(asked(given))
    await pause(given, false)
    await given.turns(4)
    assert.deepEqual(asked(given), ['setRollout 0.5'])
  })
})
