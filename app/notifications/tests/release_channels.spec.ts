import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { inviteUsers, storeAppUsers } from '#apps/store_app_users'
import { makeUser } from '#tests/support/app_fixture'
import { HOUR, setTalk } from './support/chat.js'

const TYPE = 'createChatChannel'

async function setChannels(versions: readonly string[] = ['1.0.0']) {
  const given = await setTalk(versions)
  const { admin, at, path, pass, timeline, talk } = given
  return {
    ...given,
    automate: (more: object = {}) =>
      admin.put(at('automations'), { type: TYPE, enabled: true, ...more }),
    kickOff: async (version: string) => {
      const { status, text } = await admin.put(`${path(version)}/kickoff`)
      if (status !== 200) throw new Error(text)
      await pass()
    },
    runs: async (version: string) =>
      (await timeline(version)).filter(
        ({ type, data }) => type.startsWith('automation.') && data.automation === TYPE
      ),
    channels: () => talk.posts.map(({ channel }) => channel),
  }
}

test.group('The chat channel of a release', (group) => {
  group.each.teardown(async () => void (await loadTestPlugins()))

  test('is created once, at the kickoff, with the pilot and the users of the app', async ({
    assert,
  }) => {
    const { world, app, admin, path, automate, kickOff, talk, runs, pass } = await setChannels()
    await makeUser(world, 'ada@acme.example')
    const users = ['bob@acme.example', 'cem@elsewhere.example']
    await world.write(async (scope) => storeAppUsers(scope, app, await inviteUsers(scope, users)))
    await admin.put(path('1.0.0'), { releasePilotId: 'ada@acme.example' })
    const on = await automate()
    assert.deepEqual([on.status, on.body.status, on.body.scheduled], [200, 'enabled', false])
    await pass()
    assert.equal(talk.made.size, 0)
    await kickOff('1.0.0')
    assert.deepEqual(Object.fromEntries(talk.made), {
      [`${app}-1-0-0`]: { id: 'R1', members: ['U-ada', 'U-bob'] },
    })
    const [run, ...others] = await runs('1.0.0')
    assert.deepEqual(others, [])
    assert.containsSubset(run, { type: 'automation.ran', actor: { name: TYPE } })
    assert.containsSubset(run.data, { channelId: 'R1', channelName: `${app}-1-0-0` })
    const { calls } = talk
    await automate({ enabled: false })
    await automate()
    await pass(HOUR)
    assert.equal(talk.calls, calls)
  })

  test('is notified of events of the release, in addition to the usual channels', async ({
    assert,
  }) => {
    const given = await setChannels(['1.0.0', '1.1.0'])
    const { automate, kickOff, happen, talk, set, pass, channels, install } = given
    await automate()
    await kickOff('1.0.0')
    talk.posts.length = 0
    await happen('1.0.0', 'one')
    await happen('1.1.0', 'two')
    await pass(HOUR)
    assert.sameMembers(channels(), ['C1', 'C1', 'R1'])
    await set({ type: 'release.regressionStatusUpdated', channelOverride: 'QA' })
    talk.posts.length = 0
    await happen('1.0.0', 'three')
    await pass(HOUR)
    assert.sameMembers(channels(), ['QA', 'R1'])
    // A chat of another connection has no such channel.
    await install([])
    await install()
    talk.posts.length = 0
    await happen('1.0.0', 'four')
    await pass(HOUR)
    assert.sameMembers(channels(), ['QA'])
  })

  test('is created once even if an answer is lost; a failure to create it is reported', async ({
    assert,
  }) => {
    const { automate, kickOff, talk, runs, pass } = await setChannels(['1.0.0', '1.1.0'])
    await automate()
    talk.fails = { code: 'timeout', outcome: 'unknown' }
    await kickOff('1.0.0')
    talk.fails = null
    await pass(HOUR)
    assert.equal(talk.made.size, 1)
    talk.fails = { code: 'forbidden', outcome: 'notApplied' }
    await kickOff('1.1.0')
    await pass(HOUR)
    assert.equal(talk.made.size, 1)
    const [failed] = await runs('1.1.0')
    assert.deepEqual([failed.type, failed.data.result], ['automation.failed', 'failed'])
    assert.include(failed.title, 'The chat says forbidden')
  })

  test('is not created late if the release is over, or the automation is off or paused', async ({
    assert,
  }) => {
    for (const [change, reason] of [
      ['skip', '1.0.0 was skipped'],
      ['complete', '1.0.0 was completed'],
      ['off', 'the automation was switched off'],
      ['pause', 'automations are paused'],
    ] as const) {
      const { automate, admin, at, path, kickOff, talk, runs, pass } = await setChannels()
      await automate()
      talk.fails = { code: 'unavailable', outcome: 'notApplied' }
      await kickOff('1.0.0')
      assert.deepEqual(await runs('1.0.0'), [])
      if (change === 'off') await automate({ enabled: false })
      else if (change === 'pause') await admin.put(at('automations/pause'), { paused: true })
      else assert.equal((await admin.put(`${path('1.0.0')}/${change}`)).status, 200)
      talk.fails = null
      for (let hour = 0; hour < 9; hour++) await pass(HOUR)
      assert.equal(talk.made.size, 0, change)
      const [run, ...others] = await runs('1.0.0')
      assert.deepEqual(others, [], change)
      const why = change === 'skip' ? 'over' : 'held'
      assert.containsSubset(run.data, { result: 'skipped', reason: why })
      assert.include(run.title, reason)
    }
  })

  test('needs a chat, and is not created while automations are paused or off', async ({
    assert,
  }) => {
    const { automate, admin, at, app, kickOff, talk, runs, install, path } = await setChannels([
      '1.0.0',
      '1.1.0',
    ])
    await automate()
    await admin.put(at('automations/pause'), { paused: true })
    await kickOff('1.0.0')
    assert.containsSubset(await runs('1.0.0'), [{ data: { result: 'skipped', reason: 'paused' } }])
    await admin.put(at('automations/pause'), { paused: false })
    await automate({ enabled: false, releaseId: `${app}:1.1.0` })
    await kickOff('1.1.0')
    assert.deepEqual(await runs('1.1.0'), [])
    assert.equal(talk.made.size, 0)
    await install([])
    const { body } = await admin.get(at('automations'))
    assert.equal(body.find(({ type }: { type: string }) => type === TYPE).status, 'inactive')
    await automate({ enabled: false })
    const refused = await automate()
    assert.deepEqual([refused.status, refused.body.code], [409, 'automation_dependency'])
    assert.include(refused.body.detail, 'a chat integration')
    await admin.delete(path('1.1.0'))
    const open = await db.from('jobs').whereNull('finished_at').select('kind')
    assert.deepEqual(
      open.filter(({ kind }) => kind.startsWith('planning.')),
      []
    )
  })
})
