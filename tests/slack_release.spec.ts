import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { retainMessages } from '#notifications/retention'
import { findRelease } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { makeUser } from './support/app_fixture.js'
import { leaveSlack, setSlack } from './support/slack.js'

type Stands = Awaited<ReturnType<typeof setSlack>>

/** Something that happens to a release at the time of the stage. */
const happen = ({ stage, world, app }: Stands, version: string, title: string) =>
  stage.write(async (scope) => {
    const release = await findRelease(scope, app, `${app}:${version}`)
    recordReleaseEvent(scope, release, {
      ...{ type: 'release.regressionStatusUpdated', title, stepConfigId: undefined },
      payload: { previous: { regressionStatus: 'notStarted' } },
    })
  }, world)

const notes = async ({ admin, app }: Stands) => {
  const { body } = await admin.get(`/app/${app}/timelineEvents`)
  return (body.data as { type: string; title: string }[])
    .filter(({ type }) => type === 'app.notificationFailed')
    .map(({ title }) => title)
}

test.group('The message of a release in Slack', (group) => {
  group.each.teardown(leaveSlack)

  test('is one, edited as the release moves, with its history in the thread', async ({
    assert,
  }) => {
    const given = await setSlack({ versions: ['4.2.0'] })
    const { slack, pass, living, history, admin, path } = given
    assert.lengthOf(living(), 0)
    await pass()
    assert.lengthOf(living(), 1)
    const [{ ts, text }] = living()
    assert.include(text, '4.2.0\nUpcoming')
    assert.include(text, 'Waits for: The release is not kicked off.')
    assert.deepEqual(
      history().map(({ threadOf }) => threadOf),
      [ts]
    )
    await admin.put(`${path('4.2.0')}/kickoff`)
    await pass()
    assert.deepEqual(
      living().map((each) => each.ts),
      [ts]
    )
    assert.match(living()[0].text, /4\.2\.0\nReady to submit/)
    assert.match(history().at(-1)!.text, /was kicked off/i)
    assert.match(living()[0].text, /Last: .* \(admin\)/)
    const before = slack.requests().length
    await pass(3_600_000)
    assert.equal(slack.requests().length, before)
  })

  test('gets a burst as one edit and one answer', async ({ assert }) => {
    const given = await setSlack({ versions: ['4.2.0'] })
    const { slack, pass, living, history } = given
    await pass()
    const before = slack.requests().length
    for (const title of ['one', 'two', 'three']) await happen(given, '4.2.0', title)
    await pass()
    const methods = slack
      .requests()
      .slice(before)
      .map(({ url }) => url.split('/').at(-1))
    assert.sameMembers(methods, ['chat.update', 'conversations.replies', 'chat.postMessage'])
    assert.lengthOf(living(), 1)
    assert.include(history().at(-1)!.text, 'three')
    assert.notInclude(history().at(-1)!.text, 'one')
  })

  test('gets all of a burst, in as many answers as it takes', async ({ assert }) => {
    const given = await setSlack({ versions: ['4.2.0'] })
    const { stage, world, app, pass, history } = given
    await makeUser(world, 'ada@acme.example', ['Release Pilots'])
    await given.admin.put(given.path('4.2.0'), { releasePilotId: 'ada@acme.example' })
    await pass()
    const before = history().length
    const titleOf = (number: number) => `Step ${number} failed ${'<'.repeat(300)}.`
    await stage.write(async (scope) => {
      const release = await findRelease(scope, app, `${app}:4.2.0`)
      for (let number = 0; number < 30; number++) {
        recordReleaseEvent(scope, release, {
          ...{ type: 'automation.failed', title: titleOf(number), stepConfigId: `c${number}` },
          payload: null,
        })
      }
    }, world)
    await pass()
    const reported = history().slice(before)
    const text = reported.map((each) => each.text.replaceAll('&lt;', '<')).join('\n')
    for (let number = 0; number < 30; number++) {
      assert.lengthOf(text.split(titleOf(number)), 2, `${number}`)
    }
    assert.isTrue(reported.every((each) => each.text.includes('<@U0ADA>')))
    assert.isAtMost(reported.length, 5)
  })

  test('gets a repeated event in the same words each time', async ({ assert }) => {
    const given = await setSlack({ versions: ['4.2.0'] })
    const { pass, history } = given
    await pass()
    for (let time = 0; time < 2; time++) {
      await happen(given, '4.2.0', 'Rejected')
      await pass(3_600_000)
    }
    assert.lengthOf(
      history().filter(({ text }) => text.includes('Rejected')),
      2
    )
  })

  test('gets a lost answer once, and the events that came meanwhile', async ({ assert }) => {
    const given = await setSlack({ versions: ['4.2.0'] })
    const { slack, pass, history, admin, path } = given
    await pass()
    await happen(given, '4.2.0', 'It is tested')
    // The edit, the look into the thread, the answer below.
    slack.failNext('pass', 'pass', 'lost')
    await pass()
    await admin.put(`${path('4.2.0')}/kickoff`)
    await pass(600_000)
    const reported = history().map(({ text }) => text)
    assert.lengthOf(
      reported.filter((text) => text.includes('It is tested')),
      1
    )
    assert.lengthOf(
      reported.filter((text) => /was kicked off/i.test(text)),
      1
    )
  })

  test('is edited for events without a history, and notifies the pilot of calls for action', async ({
    assert,
  }) => {
    const given = await setSlack({ versions: ['4.2.0'] })
    const { world, app, admin, path, pass, living, history, stage } = given
    await makeUser(world, 'ada@acme.example', ['Release Pilots'])
    await pass()
    await admin.put(`/app/${app}/notifications`, { type: 'release.pilotChanged', enabled: false })
    const count = history().length
    await admin.put(path('4.2.0'), { releasePilotId: 'ada@acme.example' })
    await pass()
    assert.lengthOf(history(), count)
    assert.include(living()[0].text, 'Pilot: ada')
    await stage.write(async (scope) => {
      const release = await findRelease(scope, app, `${app}:4.2.0`)
      recordReleaseEvent(scope, release, {
        ...{ type: 'automation.failed', title: 'It is not tagged', stepConfigId: undefined },
        payload: null,
      })
    }, world)
    await pass()
    assert.include(history().at(-1)!.text, '<@U0ADA>')
    assert.notInclude(living()[0].text, '<@U0ADA>')
  })

  test('is posted anew once where somebody deleted it, and its history goes on below', async ({
    assert,
  }) => {
    const given = await setSlack({ versions: ['4.2.0'] })
    const { slack, pass, living, history } = given
    await pass()
    const [{ ts }] = living()
    slack.workspace.remove(ts)
    for (const title of ['one', 'two']) {
      await happen(given, '4.2.0', title)
      await pass()
    }
    assert.lengthOf(living(), 1)
    assert.notEqual(living()[0].ts, ts)
    assert.deepEqual(
      history().map(({ threadOf }) => threadOf),
      [ts, living()[0].ts, living()[0].ts]
    )
  })

  for (const error of ['edit_window_closed', 'cant_update_message']) {
    test(`is posted anew where Slack takes no edit of it: ${error}`, async ({ assert }) => {
      const given = await setSlack({ versions: ['4.2.0'] })
      const { slack, pass, living, history } = given
      await pass()
      slack.refusing.push({ method: 'chat.update', error })
      await happen(given, '4.2.0', 'It is tested')
      await pass()
      assert.deepEqual(await notes(given), [])
      const [, { ts, text }] = living()
      assert.include(text, 'It is tested')
      assert.equal(history().at(-1)!.threadOf, ts)
      await happen(given, '4.2.0', 'It is tested again')
      await pass()
      assert.lengthOf(living(), 2)
      assert.include(living()[1].text, 'It is tested again')
    })
  }

  test('is one and up to date where its channel takes no answers', async ({ assert }) => {
    const given = await setSlack({ versions: ['4.2.0'] })
    const { slack, pass, living, history, admin, path } = given
    const error = 'restricted_action_non_threadable_channel'
    const refuse = () => slack.refusing.push({ method: 'conversations.replies', error })
    refuse()
    await pass()
    // A day later nobody looks for it by its key any more.
    delete living()[0].metadata
    refuse()
    await admin.put(`${path('4.2.0')}/kickoff`)
    await pass()
    assert.lengthOf(living(), 1)
    assert.match(living()[0].text, /4\.2\.0\nReady to submit/)
    assert.lengthOf(history(), 0)
    const [note] = await notes(given)
    assert.match(note, /has no threads/)
  })

  test('leaves out events with a channel of their own, which go elsewhere', async ({ assert }) => {
    const given = await setSlack({ versions: ['4.2.0'] })
    const { slack, admin, app, pass, living, history } = given
    const qa = { id: 'C0QA', name: 'qa', isArchived: false, isPrivate: false, members: [] }
    slack.workspace.channels.push(qa)
    await pass()
    const count = history().length
    await admin.put(`/app/${app}/notifications`, {
      ...{ type: 'release.regressionStatusUpdated', channelOverride: 'C0QA' },
    })
    await happen(given, '4.2.0', 'It is tested')
    await pass()
    assert.lengthOf(history(), count)
    const reported = living().map(({ channelId, text }) => [
      channelId,
      text.includes('It is tested'),
    ])
    assert.deepEqual(reported, [
      ['C0RELEASES', false],
      ['C0QA', true],
    ])
  })

  test('stands in the channel of its release too, which is made with its people', async ({
    assert,
  }) => {
    const given = await setSlack({ versions: ['4.2.0'] })
    const { slack, world, admin, app, path, pass, living } = given
    await makeUser(world, 'ada@acme.example', ['Release Pilots'])
    await admin.put(path('4.2.0'), { releasePilotId: 'ada@acme.example' })
    await admin.put(`/app/${app}/automations`, { type: 'createChatChannel', enabled: true })
    await admin.put(`${path('4.2.0')}/kickoff`)
    await pass()
    await pass()
    const made = slack.workspace.channels.find(({ name }) => name === `${app}-4-2-0`)!
    assert.sameMembers(made.members, ['tarmac', 'U0ADA'])
    assert.sameMembers(
      living().map(({ channelId }) => channelId),
      ['C0RELEASES', made.id]
    )
  })

  test('is kept for as long as its release is open', async ({ assert }) => {
    const { pass, admin, path, app } = await setSlack({ versions: ['4.2.0'] })
    await pass()
    const rows = () => db.from('chat_messages').where('app_id', app)
    const retain = async () => {
      await rows().update({ updated_at: '2020-01-01T00:00:00.000Z' })
      const { handler } = retainMessages
      if (handler.nature === 'chore') await handler.run(() => true)
    }
    await retain()
    assert.lengthOf(await rows(), 1)
    await admin.put(`${path('4.2.0')}/skip`)
    await retain()
    assert.lengthOf(await rows(), 0)
  })

  test('is left alone once its release is gone', async ({ assert }) => {
    const { slack, pass, admin, path, living } = await setSlack({ versions: ['4.2.0', '4.3.0'] })
    await pass()
    const before = slack.requests().length
    const deleted = await admin.delete(path('4.3.0'))
    assert.oneOf(deleted.status, [200, 204], deleted.text)
    await pass(3_600_000)
    assert.lengthOf(living(), 2)
    const asked = slack.requests().slice(before)
    assert.isFalse(asked.some(({ body }) => body.includes('4.3.0')))
  })

  test('comes at most once a second, with its history, in the channel', async ({ assert }) => {
    // A key of its own: the limit of the others is used up by other tests.
    const { slack, pass, living, history } = await setSlack({
      ...{ versions: ['4.2.0'], isHasty: false },
      credentials: { token: 'xoxb-other-token' },
    })
    slack.isStrict = true
    await pass()
    assert.deepEqual([living().length, history().length, slack.tooFast], [1, 1, 0])
  })

  test('stands there once although answers were lost, and says what happened meanwhile', async ({
    assert,
  }) => {
    const given = await setSlack({ versions: ['4.2.0'] })
    const { slack, pass, living, history, admin, path } = given
    // The look, which joins the channel, the look, the message.
    slack.failNext('pass', 'pass', 'pass', 'lost')
    await pass()
    assert.match(living()[0].text, /4\.2\.0\nUpcoming/)
    await admin.put(`${path('4.2.0')}/kickoff`)
    // The look, the message that is there, the look into the thread, the answer below.
    slack.failNext('pass', 'pass', 'pass', 'lost')
    await pass()
    await pass(600_000)
    assert.lengthOf(living(), 1)
    assert.match(living()[0].text, /4\.2\.0\nReady to submit/)
    const reported = history().map(({ text }) => text)
    assert.lengthOf(
      reported.filter((text) => /was kicked off/i.test(text)),
      1
    )
    assert.equal(new Set(reported).size, reported.length)
  })

  for (const [what, spoil, reason] of [
    ['archived', { isArchived: true }, /archived.*takes it out of the archive/],
    [
      'private, and the app is not in it',
      { isPrivate: true, members: [] },
      /private.*invites the app/,
    ],
  ] as const) {
    test(`whose channel is ${what}: who can mend it hears of it, and it comes afterwards`, async ({
      assert,
    }) => {
      const given = await setSlack({ versions: ['4.2.0'] })
      const { slack, admin, path, pass, living } = given
      const [channel] = slack.workspace.channels
      const before = { ...channel, members: [...channel.members] }
      Object.assign(channel, spoil)
      await pass()
      await happen(given, '4.2.0', 'one')
      await pass()
      assert.lengthOf(living(), 0)
      const [note, ...others] = await notes(given)
      assert.match(note, reason)
      assert.lengthOf(others, 0)
      const warnings = async () =>
        (await admin.get(`${path('4.2.0')}/whyNotMoving`)).body.warnings as {
          code: string
          message: string
          who: object[]
        }[]
      const [warning] = await warnings()
      assert.equal(warning.code, 'chat_untold')
      assert.match(warning.message, reason)
      assert.containsSubset(warning.who, [{ type: 'userAction', name: 'UpdateAppSettings' }])
      Object.assign(channel, before, { name: 'renamed' })
      await happen(given, '4.2.0', 'two')
      await pass()
      assert.lengthOf(living(), 1)
      assert.deepEqual(await warnings(), [])
    })
  }
})
