import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { rollingPair, type PairWorld } from '#stores/tests/pairs/support'
import { tidy } from '#stores/tests/support'
import { runCommand } from '#tests/support/console'
import { ReleaseRedButton } from '../commands/release_red_button.js'

const stopsOf = ({ stores }: PairWorld) => ({
  apple: stores.apple.changes.filter((each) => each.startsWith('setRollout')),
  google: stores.google.changes.filter((each) => each.startsWith('setRollout')),
})

test.group('The red button of one of a pair', (group) => {
  group.each.teardown(tidy)

  test('names the other one, which goes on', async ({ assert }) => {
    const given = await rollingPair()
    const { admin, pathOf, idOf, work } = given
    const { status, body } = await admin.put(`${pathOf('apple')}/redButton`)
    assert.equal(status, 200)
    const [reported] = body.warnings.filter(({ code }: { code: string }) => code === 'pair_goes_on')
    assert.include(reported.message, `${idOf('google')}, which goes out with it, is not stopped.`)
    await work(3)
    assert.deepEqual(stopsOf(given), { apple: ['setRollout pause'], google: [] })
  })

  test('stops both once on request, in the name of the person who pressed it', async ({
    assert,
  }) => {
    const given = await rollingPair()
    const { admin, pathOf, idOf, apps, work, titles } = given
    for (let press = 0; press < 2; press++) {
      const { body } = await admin.put(`${pathOf('apple')}/redButton`, {
        reason: 'It crashes',
        pair: true,
      })
      const [reported] = body.warnings.filter(
        ({ code }: { code: string }) => code === 'pair_stopped'
      )
      assert.include(reported.message, idOf('google'))
      await work(3)
    }
    assert.deepEqual(stopsOf(given), { apple: ['setRollout pause'], google: ['setRollout halt'] })
    assert.deepEqual(await titles('google', 'redButton.pressed'), [
      'The red button of 1.4.0 was pressed: It crashes',
    ])
    const { body: rollout } = await admin.get(`${pathOf('google')}/rollout`)
    assert.equal(rollout.stores[0].stopped.by.name, 'admin')
    const { body: issues } = await admin.get(`/app/${apps.google}/triageIssue`)
    assert.lengthOf(issues.data, 1)
  })

  test('stops only its own release without access to the other app, and says that the other one goes on', async ({
    assert,
  }) => {
    const given = await rollingPair()
    const { world, pathOf, apps, work } = given
    const key = await world.keyed({ groups: ['Release Pilots'], appIds: [apps.apple] })
    const { status, body } = await key.put(`${pathOf('apple')}/redButton`, { pair: true })
    assert.equal(status, 200)
    assert.include(JSON.stringify(body.warnings), 'pair_goes_on')
    assert.notInclude(JSON.stringify(body.warnings), apps.google)
    await work(3)
    assert.deepEqual(stopsOf(given), { apple: ['setRollout pause'], google: [] })
  })

  test('says that the other one cannot be stopped, and presses nothing there', async ({
    assert,
  }) => {
    const given = await rollingPair()
    const { admin, pathOf, stores, work, titles, idOf } = given
    stores.apple.rollout({ state: 'complete', day: 7 })
    await work()
    const { status, body } = await admin.put(`${pathOf('google')}/redButton`, { pair: true })
    assert.equal(status, 200)
    const codes = body.warnings.map(({ code }: { code: string }) => code)
    assert.notInclude(codes, 'pair_stopped')
    const [reported] = body.warnings.filter(({ code }: { code: string }) => code === 'pair_goes_on')
    assert.include(reported.message, `${idOf('apple')}, which goes out with it, is not stopped.`)
    assert.match(reported.message, /is out to all users/)
    assert.notInclude(reported.message, 'pair=true')
    await work(3)
    assert.deepEqual(stopsOf(given), { apple: [], google: ['setRollout halt'] })
    assert.deepEqual(await titles('apple', 'redButton.pressed'), [])
  })

  test('stops the other one when it is pressed for both on a completed rollout', async ({
    assert,
  }) => {
    const given = await rollingPair()
    const { admin, pathOf, stores, work, idOf } = given
    stores.apple.rollout({ state: 'complete', day: 7 })
    await work(2)
    const alone = await admin.put(`${pathOf('apple')}/redButton`)
    assert.equal(alone.status, 409)
    const way = 'Press its red button, or the one for both'
    const lead = `${idOf('google')}, which goes out with it, is not stopped.`
    assert.include(alone.body.detail, `${lead} ${way} (\`pair: true\`).`)
    const console = await runCommand(ReleaseRedButton, [idOf('apple')])
    assert.equal(console.code, 1)
    assert.include(console.stderr, `${lead} ${way} (\`--pair\`).`)
    const { status, body } = await admin.put(`${pathOf('apple')}/redButton`, { pair: true })
    assert.equal(status, 200)
    const codes = body.warnings.map(({ code }: { code: string }) => code)
    assert.deepEqual(codes, [alone.body.code, 'pair_stopped'])
    await work(3)
    assert.deepEqual(stopsOf(given), { apple: [], google: ['setRollout halt'] })
  })

  test('reports in both timelines that a stop of both failed on one side', async ({ assert }) => {
    const given = await rollingPair()
    const { admin, pathOf, stores, work, titles, apps } = given
    await admin.put(`${pathOf('google')}/redButton`, { pair: true })
    const pressed = () => db.from('jobs').where({ kind: 'rollout.pressOther' })
    const [entry] = await pressed()
    await pressed().delete()
    stores.apple.rollout({ state: 'complete', day: 7 })
    await work(2)
    await db.table('jobs').insert(entry)
    await work(3)
    const [own] = await titles('apple', 'store.failed')
    assert.match(own, /^1\.4\.0 is not stopped, though the red button of both was pressed: /)
    const reported = await titles('google', 'store.failed')
    assert.include(reported.join(), 'Not all of the iOS release of its pair is stopped')
    assert.notInclude(reported.join(), apps.apple)
  })

  test('names the other one in the console, and stops both with --pair', async ({ assert }) => {
    const given = await rollingPair()
    const { idOf, work } = given
    const one = await runCommand(ReleaseRedButton, [idOf('apple')])
    assert.equal(one.code, 0)
    assert.include(one.stdout, `${idOf('google')}, which goes out with it, is not stopped.`)
    assert.include(one.stdout, 'or the one for both (`--pair`).')
    await work(3)
    assert.deepEqual(stopsOf(given), { apple: ['setRollout pause'], google: [] })
    const both = await runCommand(ReleaseRedButton, [idOf('apple'), '--pair'])
    assert.equal(both.code, 0)
    await work(3)
    assert.deepEqual(stopsOf(given), { apple: ['setRollout pause'], google: ['setRollout halt'] })
  })

  test('422 for a value that is not a boolean, and nothing is stopped', async ({ assert }) => {
    const given = await rollingPair()
    const { admin, pathOf, work } = given
    const { status } = await admin.put(`${pathOf('apple')}/redButton`, { pair: 'yes' })
    assert.equal(status, 422)
    await work(2)
    assert.deepEqual(stopsOf(given), { apple: [], google: [] })
  })
})
