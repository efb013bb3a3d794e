import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { MINUTE, Stage } from '#foundation/jobs/tests/support/stage'
import { later } from '#foundation/core/clock'
import { stores as ofStores } from '#stores/module'
import { pairWorld } from '#stores/tests/pairs/support'
import { passToNight, tidy } from '#stores/tests/support'
import type { StoreType } from '#stores/vocabulary'
import { HOUR, PLANNED_WORK, pass } from './support.js'

const BOTH = ['apple', 'google'] as const

/**
 * Makes a pair with automations on its target dates; `approved` names the stores that have
 * approved.
 */
async function automated(approved: readonly StoreType[] = BOTH) {
  passToNight()
  const stage = await Stage.set(...PLANNED_WORK, ...ofStores.work!)
  const given = await pairWorld()
  const { admin, apps, stores, pathOf, join } = given
  await join()
  const wait = (minutes = 20) => pass(stage, minutes * MINUTE, 10 * MINUTE)
  for (const type of BOTH) {
    stores[type].clock = stage.clock
    stores[type].upload('4711')
    // Each automation needs the one before it.
    for (const each of ['kickoff', 'submit', 'release']) {
      await admin.put(`/app/${apps[type]}/automations`, {
        type: `${each}OnTargetDate`,
        enabled: true,
      })
    }
  }
  await wait()
  for (const type of BOTH) await admin.put(`${pathOf(type)}/submit`, {})
  await wait()
  for (const type of approved) stores[type].become('pendingRelease')
  await wait()
  const now = stage.clock.now()
  const entries = async (type: StoreType, ...types: string[]) => {
    const { body } = await admin.get(`${pathOf(type)}/timelineEvents?limit=200`)
    return body.data.filter((entry: { type: string }) => types.includes(entry.type))
  }
  return {
    ...{ ...given, stage, wait, entries },
    dated: async (type: StoreType, hours: number) => {
      const { status } = await admin.put(pathOf(type), {
        targetReleaseAt: later(now, hours * HOUR),
      })
      if (status !== 200) throw new Error('It is not dated')
    },
    freeze: (type: StoreType, from: number, to: number) =>
      admin.put(`/app/${apps[type]}/lifecycleFreezes`, {
        freezes: [
          {
            ...{ name: 'Holidays', phases: ['release'] },
            ...{ startAt: later(now, from * HOUR), endAt: later(now, to * HOUR) },
          },
        ],
      }),
    /** Returns the result of a release's automation. */
    ran: async (type: StoreType) =>
      (await entries(type, 'automation.ran', 'automation.failed'))
        .filter(({ data }: any) => data.automation === 'releaseOnTargetDate')
        .map(({ data }: any) => [data.result, data.reason].join(' ').trim()),
  }
}

test.group('The date of two releases', (group) => {
  group.each.teardown(tidy)

  test('the date of iOS takes both off; that of Android does nothing', async ({ assert }) => {
    const { dated, wait, asked, why, stores, ran, entries } = await automated()
    await dated('apple', 4)
    await dated('google', 1)
    const { next } = await why('google')
    const at = /It goes out with the iOS release of its pair on the target date/
    assert.match(JSON.stringify(next), at)
    await wait(3 * 60)
    assert.deepEqual(await asked(), { apple: false, google: false })
    await wait(2 * 60)
    assert.deepEqual(await asked(), { apple: false, google: true })
    stores.google.publish()
    await wait(60)
    assert.isTrue((await asked()).apple)
    for (const type of BOTH) {
      const [entry] = await entries(type, 'store.asked')
      assert.equal(entry.actor.name, 'releaseOnTargetDate')
    }
    await wait(9 * 60)
    assert.deepEqual([await ran('apple'), await ran('google')], [['succeeded'], []])
  })

  test('a ready release waits on its date for the other one, then both go out', async ({
    assert,
  }) => {
    const { dated, wait, asked, stores, ran } = await automated(['apple'])
    await dated('apple', 1)
    await wait(180)
    assert.deepEqual(await asked(), { apple: false, google: false })
    assert.deepEqual(await ran('apple'), [])
    stores.google.become('pendingRelease')
    await wait(60)
    assert.deepEqual(await asked(), { apple: false, google: true })
    stores.google.publish()
    await wait(60)
    assert.isTrue((await asked()).apple)
    assert.deepEqual(await ran('apple'), ['succeeded'])
  })

  test('a freeze that begins while one waits for the other holds both back until it ends', async ({
    assert,
  }) => {
    const { dated, wait, asked, stores, freeze } = await automated(['apple'])
    await dated('apple', 1)
    await wait(90)
    await freeze('apple', 1, 6)
    stores.google.become('pendingRelease')
    await wait(60)
    assert.deepEqual(await asked(), { apple: false, google: false })
    await wait(5 * 60)
    assert.deepEqual(await asked(), { apple: false, google: true })
  })

  test('a ready release waits for the other, then for the freeze, then for the other again', async ({
    assert,
  }) => {
    const { dated, wait, stores, freeze, apps } = await automated(['apple'])
    const held = async () => {
      const { held_by: hold } = await db.from('releases').where('app_id', apps.apple).first()
      return (typeof hold === 'string' ? JSON.parse(hold) : hold).code
    }
    await freeze('apple', 0, 9)
    await dated('apple', 1)
    assert.equal(await held(), 'pair_waits')
    await wait(90)
    assert.equal(await held(), 'pair_waits')
    stores.google.become('pendingRelease')
    await wait(20)
    assert.equal(await held(), 'automation_held')
    stores.google.become('rejected')
    await wait(20)
    assert.equal(await held(), 'pair_waits')
  })

  test('a pair that a person took off already has nothing left to do on the date', async ({
    assert,
  }) => {
    const { dated, wait, takeOff, ran, asked } = await automated(['apple'])
    await dated('apple', 1)
    assert.equal((await takeOff('apple')).status, 200)
    await wait(120)
    assert.deepEqual(await ran('apple'), ['succeeded'])
    assert.deepEqual(await asked(), { apple: false, google: false })
  })

  test('a person who takes the pair off replaces the automation, and no freeze holds it', async ({
    assert,
  }) => {
    const { dated, wait, asked, stores, freeze, takeOff, ran, release } = await automated(['apple'])
    await dated('apple', 1)
    await wait(90)
    assert.equal((await release('apple')).pair.takenOff.by.name, 'releaseOnTargetDate')
    await freeze('apple', 1, 6)
    assert.equal((await takeOff('apple')).status, 200)
    assert.equal((await release('apple')).pair.takenOff.by.name, 'admin')
    stores.google.become('pendingRelease')
    await wait(60)
    assert.deepEqual(await asked(), { apple: false, google: true })
    assert.deepEqual(await ran('apple'), ['succeeded'])
  })

  test('a freeze of the other app ends the automation, which says so', async ({ assert }) => {
    const { dated, wait, asked, freeze, ran, titles } = await automated()
    await freeze('google', 0, 6)
    await dated('apple', 1)
    await wait(8 * 60)
    assert.deepEqual(await asked(), { apple: false, google: false })
    assert.deepEqual(await ran('apple'), ['failed blocked'])
    assert.match((await titles('google', 'pair.ended')).join(), /a freeze of the other app is on/)
  })

  test('the automation fails once if the pair is parted while it waits', async ({ assert }) => {
    for (const from of BOTH) {
      const { dated, wait, asked, stores, admin, pathOf, ran } = await automated(['apple'])
      await dated('apple', 1)
      await wait(120)
      await admin.delete(`${pathOf(from)}/pair`)
      stores.google.become('pendingRelease')
      await wait(120)
      assert.deepEqual(await asked(), { apple: false, google: false })
      assert.deepEqual(await ran('apple'), ['failed blocked'])
    }
  })
})
