import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { later } from '#foundation/core/clock'
import { DisconnectProvider } from '#integrations/actions/disconnect_provider'
import { RotateCredentials } from '#integrations/actions/rotate_credentials'
import { findRelease } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { makeUser } from '#tests/support/app_fixture'
import type { World } from '#tests/support/world'
import { MESSAGE_LIFE, MOMENT, QUIET } from '../follow_events.js'
import { HOUR, setTalk } from './support/chat.js'

async function reconnect(world: World, provider: string) {
  const secrets = await app.container.make('integrations.secrets')
  await world.write((scope) =>
    new RotateCredentials(scope, secrets).handle(provider, { token: 'good-token' }, null)
  )
}

test.group('Notifying a chat', (group) => {
  group.each.teardown(async () => void (await loadTestPlugins()))

  test('is planned in the transaction of its cause, and posted later', async ({ assert }) => {
    const {
      admin,
      app: appId,
      at,
      talk,
      pass,
      stage,
    } = await setTalk([], { channels: ['C1', 'C2'] })
    await admin.post(at('release'), { version: '4.2.0' })
    assert.lengthOf(talk.posts, 0)
    assert.deepEqual(
      (await stage.jobs()).flatMap(({ kind }) => (kind === 'notifications.notify' ? [kind] : [])),
      ['notifications.notify', 'notifications.notify']
    )
    await pass()
    assert.sameMembers(
      talk.posts.map(({ channel }) => channel),
      ['C1', 'C2']
    )
    const [{ message }] = talk.posts
    const name = (await admin.get(`/app/${appId}`)).body.name
    assert.deepEqual(
      message.blocks?.map(({ kind }) => kind),
      ['heading', 'text', 'facts']
    )
    assert.include(message.text, `${name} 4.2.0\n`)
    assert.include(message.text, 'Waiting for: The release is not kicked off. →')
    // Without a public address nobody else reaches a page.
    assert.notInclude(JSON.stringify(message), 'http')
    await pass(HOUR)
    assert.lengthOf(talk.posts, 2)
  })

  test('posts to the channel of the type, and nowhere if the type is switched off', async ({
    assert,
  }) => {
    const { admin, path, talk, pass, set } = await setTalk(['1.0.0'])
    await pass()
    talk.posts.length = 0
    await set({ type: 'release.regressionStatusUpdated', channelOverride: 'QA' })
    await set({ type: 'release.pilotChanged', enabled: false })
    await admin.put(`${path('1.0.0')}/regressionStatus`, {
      status: 'failed',
      comment: 'It crashes',
    })
    await pass()
    assert.deepEqual(
      talk.posts.map(({ channel }) => channel),
      ['QA']
    )
    assert.include(talk.texts()[0], 'not started → failed')
    await set({ type: 'release.regressionStatusUpdated', channelOverride: null, enabled: false })
    await admin.put(`${path('1.0.0')}/regressionStatus`, { status: 'passed' })
    await pass(HOUR)
    assert.lengthOf(talk.posts, 1)
  })

  test('edits one message while its subject changes often, and posts a new one after an hour', async ({
    assert,
  }) => {
    const { happen, talk, pass } = await setTalk(['1.0.0'])
    await pass()
    talk.posts.length = 0
    for (const title of ['one', 'two', 'three']) await happen('1.0.0', title)
    await pass()
    assert.lengthOf(talk.posts, 1)
    const { calls } = talk
    await happen('1.0.0', 'four')
    await pass(QUIET - 1)
    assert.equal(talk.calls, calls)
    await happen('1.0.0', 'five')
    await pass(1)
    assert.equal(talk.calls, calls + 1)
    assert.deepEqual([talk.posts.length, talk.posts[0].edits], [1, 1])
    assert.deepEqual(talk.texts()[0].split('\n').slice(1, 2), ['five'])
    await pass(MESSAGE_LIFE)
    await happen('1.0.0', 'six')
    await pass()
    assert.lengthOf(talk.posts, 2)
    assert.equal(talk.posts[0].edits, 1)
    assert.include(talk.texts()[1], 'six')
  })

  test('posts simultaneous events of a release as one message, which calls everybody they call', async ({
    assert,
  }) => {
    const given = await setTalk(['1.0.0', '1.1.0'])
    const { app: appId, world, stage, talk, pass, path, admin, set } = given
    await makeUser(world, 'ada@acme.example')
    await admin.put(path('1.0.0'), { releasePilotId: 'ada@acme.example' })
    await pass()
    const atOnce = (...versions: string[]) =>
      stage.write(async (scope) => {
        for (const version of versions) {
          const release = await findRelease(scope, appId, `${appId}:${version}`)
          const common = { stepConfigId: undefined, payload: null }
          recordReleaseEvent(scope, release, {
            ...{
              ...common,
              type: 'release.regressionStatusUpdated',
              title: `${version} is tested`,
            },
            payload: { previous: { regressionStatus: 'notStarted' } },
          })
          const failed = { type: 'automation.failed', title: `${version} is not tagged` } as const
          recordReleaseEvent(scope, release, { ...common, ...failed })
        }
      }, world)
    talk.posts.length = 0
    await atOnce('1.0.0', '1.1.0')
    await pass()
    const byText = (one: string, other: string) => (one < other ? -1 : 1)
    talk.posts.sort(({ message: one }, { message: other }) => byText(one.text, other.text))
    const [first, second, ...more] = talk.posts
    assert.lengthOf(more, 0)
    assert.deepEqual(first.message.text.split('\n').slice(1, 3), [
      '1.0.0 is tested',
      '1.0.0 is not tagged',
    ])
    assert.include(second.message.text, '1.1.0 is not tagged')
    assert.deepEqual(first.message.mentions, ['U-ada'])

    // A type with its own channel is posted there alone.
    await set({ type: 'release.regressionStatusUpdated', channelOverride: 'QA' })
    await pass(MESSAGE_LIFE)
    talk.posts.length = 0
    await atOnce('1.0.0')
    await pass()
    assert.sameDeepMembers(
      talk.posts.map(({ channel, message }) => [channel, message.text.split('\n')[1]]),
      [
        ['QA', '1.0.0 is tested'],
        ['C1', '1.0.0 is not tagged'],
      ]
    )
  })

  test('adds events to a message that is still to be posted', async ({ assert }) => {
    const { happen, talk, pass } = await setTalk(['1.0.0'])
    await pass()
    talk.posts.length = 0
    await happen('1.0.0', 'one')
    await pass(MOMENT - 2000)
    assert.isEmpty(talk.posts)
    await happen('1.0.0', 'two', 'part')
    await pass(2000)
    assert.deepEqual(talk.texts()[0].split('\n').slice(1, 3), ['one', 'two'])
    assert.lengthOf(talk.posts, 1)
  })

  test('shows the latest event of each part of a release', async ({ assert }) => {
    const { happen, talk, pass } = await setTalk(['1.0.0'])
    await pass()
    talk.posts.length = 0
    await happen('1.0.0', 'Log in: failed', 'a')
    await happen('1.0.0', 'Pay: passed', 'b')
    await pass()
    await happen('1.0.0', 'Log in: passed', 'a')
    await pass()
    assert.deepEqual(talk.texts()[0].split('\n').slice(1, 3), ['Pay: passed', 'Log in: passed'])
    assert.notInclude(talk.texts()[0], 'failed')
  })

  test('answers below a message that cannot be edited', async ({ assert }) => {
    const { happen, talk, pass } = await setTalk(['1.0.0'], { canEdit: false })
    await pass()
    talk.posts.length = 0
    for (const title of ['one', 'two']) {
      await happen('1.0.0', title)
      await pass()
    }
    assert.lengthOf(talk.posts, 2)
    assert.isUndefined(talk.posts[0].threadOf)
    assert.equal(talk.posts[1].threadOf, talk.posts[0].id)
  })

  test('posts a new message if somebody deleted the old one in the chat', async ({ assert }) => {
    const { happen, talk, pass } = await setTalk(['1.0.0'])
    await happen('1.0.0', 'one')
    await pass()
    talk.posts.length = 0
    await happen('1.0.0', 'two')
    await pass()
    assert.lengthOf(talk.posts, 1)
    assert.include(talk.texts()[0], 'two')
  })

  test('repeats a call with an unknown outcome, with the same key', async ({ assert }) => {
    const { admin, at, talk, pass } = await setTalk()
    talk.fails = { code: 'timeout', outcome: 'unknown' }
    await admin.post(at('release'), { version: '1.0.0' })
    await pass()
    assert.equal(talk.calls, 1)
    talk.fails = null
    await pass(HOUR)
    assert.lengthOf(talk.posts, 1)
    assert.lengthOf(talk.keys, 2)
    assert.equal(talk.keys[0], talk.keys[1])
  })

  test('mentions the pilot where action is required', async ({ assert }) => {
    const { world, admin, path, talk, pass, stage } = await setTalk(['1.0.0'])
    await makeUser(world, 'ada@acme.example')
    const soon = later(stage.clock.now(), 2 * HOUR)
    const changes = { releasePilotId: 'ada@acme.example', targetKickoffAt: soon }
    await admin.put(path('1.0.0'), changes)
    await pass()
    await pass()
    const reminder = talk.posts.find(({ message }) => message.text.includes('to be kicked off at'))!
    assert.deepEqual(reminder.message.mentions, ['U-ada'])
    assert.include(reminder.message.text, '(UTC)')
    const others = talk.posts.filter((each) => each !== reminder)
    assert.isAbove(others.length, 0)
    for (const { message } of others) assert.isUndefined(message.mentions)
  })
})

test.group('A chat that cannot be notified', (group) => {
  group.each.teardown(async () => void (await loadTestPlugins()))

  test('holds up no release, and is recorded once in the timeline of the app', async ({
    assert,
  }) => {
    const { world, admin, at, talk, pass, provider, failures } = await setTalk()
    await world.write((scope) => new DisconnectProvider(scope).handle(provider, true))
    for (const version of ['1.0.0', '1.1.0']) {
      assert.equal((await admin.post(at('release'), { version })).status, 201)
      await pass(HOUR)
    }
    assert.lengthOf(await failures(), 1)
    assert.include((await failures())[0], 'C1')
    await reconnect(world, provider)
    await admin.post(at('release'), { version: '1.2.0' })
    await pass(HOUR)
    assert.lengthOf(talk.posts, 1)
    talk.fails = { code: 'notFound', outcome: 'notApplied' }
    await admin.post(at('release'), { version: '1.3.0' })
    await pass(HOUR)
    assert.lengthOf(await failures(), 2)
  })

  test('is not called once the app has no chat, or the release is deleted', async ({ assert }) => {
    const { admin, at, path, talk, pass, install, failures } = await setTalk()
    await admin.post(at('release'), { version: '1.0.0' })
    await install([])
    await pass(HOUR)
    await install()
    await admin.post(at('release'), { version: '1.1.0' })
    await admin.delete(path('1.1.0'))
    await pass(HOUR)
    assert.equal(talk.calls, 0)
    assert.deepEqual(await failures(), [])
  })
})
