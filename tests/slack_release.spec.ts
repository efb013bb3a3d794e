import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { retainMessages } from '#notifications/retention'
import { findRelease } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { makeUser } from './support/app_fixture.js'
import { leaveSlack, setSlack } from './support/slack.js'

type SlackSetup = Awaited<ReturnType<typeof setSlack>>

/** Records an event of a release at the time of the stage. */
const record = ({ stage, world, app }: SlackSetup, version: string, title: string) =>
  stage.write(async (scope) => {
    const release = await findRelease(scope, app, `${app}:${version}`)
    recordReleaseEvent(scope, release, {
      ...{ type: 'release.regressionStatusUpdated', title, stepConfigId: undefined },
      payload: { previous: { regressionStatus: 'notStarted' } },
    })
  }, world)

const failureTitles = async ({ admin, app }: SlackSetup) => {
  const { body } = await admin.get(`/app/${app}/timelineEvents`)
  return (body.data as { type: string; title: string }[])
    .filter(({ type }) => type === 'app.notificationFailed')
    .map(({ title }) => title)
}

test.group('The message of a release in Slack', (group) => {
  group.each.teardown(leaveSlack)

  test('is posted once and edited as the release moves, with its history in the thread', async ({
    assert,
  }) => {
    const given = await setSlack({ versions: ['4.2.0'] })
    const { slack, pass, living, history, admin, path } = given
    assert.lengthOf(living(), 0)
    await pass()
    assert.lengthOf(living(), 1)
    const [{ ts, text }] = living()
    assert.include(text, '4.2.0\nUpcoming')
    assert.include(text, 'Waiting for: The release is not kicked off.')
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

  test('reports a burst of events by one edit and one reply', async ({ assert }) => {
    const given = await setSlack({ versions: ['4.2.0'] })
    const { slack, pass, living, history } = given
    await pass()
    const before = slack.requests().length
    for (const title of ['one', 'two', 'three']) await record(given, '4.2.0', title)
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

  test('reports all of a large burst, in as many replies as it takes', async ({ assert }) => {
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

  test('reports a repeated event each time, in the same words', async ({ assert }) => {
    const given = await setSlack({ versions: ['4.2.0'] })
    const { pass, history } = given
    await pass()
    for (let time = 0; time < 2; time++) {
      await record(given, '4.2.0', 'Rejected')
      await pass(3_600_000)
    }
    assert.lengthOf(
      history().filter(({ text }) => text.includes('Rejected')),
      2
    )
  })

  test('gets one reply although the answer to it was lost, and then the events since', async ({
    assert,
  }) => {
    const given = await setSlack({ versions: ['4.2.0'] })
    const { slack, pass, history, admin, path } = given
    await pass()
    await record(given, '4.2.0', 'It is tested')
    // The edit, the read of the thread, the reply.
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

  test('is edited for events that are left out of the history, and mentions the pilot if action is needed', async ({
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

  test('is posted again once after somebody deleted it, and its history continues there', async ({
    assert,
  }) => {
    const given = await setSlack({ versions: ['4.2.0'] })
    const { slack, pass, living, history } = given
    await pass()
    const [{ ts }] = living()
    slack.workspace.remove(ts)
    for (const title of ['one', 'two']) {
      await record(given, '4.2.0', title)
      await pass()
    }
    assert.lengthOf(living(), 1)
    assert.notEqual(living()[0].ts, ts)
    assert.deepEqual(
      history().map(({ threadOf }) => threadOf),
      [ts, living()[0].ts, living()[0].ts]
    )
  })

  test('is posted again if somebody deletes it while its history is written', async ({
    assert,
  }) => {
    const given = await setSlack()
    const { slack, pass, living, history, admin, app } = given
    const answer = slack.answer.bind(slack)
    let isDeleted = false
    slack.answer = async (request) => {
      if (request.url.endsWith('/conversations.replies') && !isDeleted) {
        isDeleted = true
        slack.workspace.remove(living()[0].ts)
      }
      return answer(request)
    }
    await admin.post(`/app/${app}/release`, { version: '4.2.0' })
    await pass()
    assert.isTrue(isDeleted)
    assert.lengthOf(living(), 1)
    assert.deepEqual(
      history().map(({ threadOf }) => threadOf),
      [living()[0].ts]
    )
    assert.deepEqual(await failureTitles(given), [])
  })

  for (const error of ['edit_window_closed', 'cant_update_message']) {
    test(`is posted again if Slack refuses an edit: ${error}`, async ({ assert }) => {
      const given = await setSlack({ versions: ['4.2.0'] })
      const { slack, pass, living, history } = given
      await pass()
      slack.refusing.push({ method: 'chat.update', error })
      await record(given, '4.2.0', 'It is tested')
      await pass()
      assert.deepEqual(await failureTitles(given), [])
      const [, { ts, text }] = living()
      assert.include(text, 'It is tested')
      assert.equal(history().at(-1)!.threadOf, ts)
      await record(given, '4.2.0', 'It is tested again')
      await pass()
      assert.lengthOf(living(), 2)
      assert.include(living()[1].text, 'It is tested again')
    })
  }

  test('is single and up to date in a channel without threads', async ({ assert }) => {
    const given = await setSlack({ versions: ['4.2.0'] })
    const { slack, pass, living, history, admin, path } = given
    const error = 'restricted_action_non_threadable_channel'
    const refuse = () => slack.refusing.push({ method: 'conversations.replies', error })
    refuse()
    await pass()
    // After a day the service no longer looks for it by its key.
    delete living()[0].metadata
    refuse()
    await admin.put(`${path('4.2.0')}/kickoff`)
    await pass()
    assert.lengthOf(living(), 1)
    assert.match(living()[0].text, /4\.2\.0\nReady to submit/)
    assert.lengthOf(history(), 0)
    const [note] = await failureTitles(given)
    assert.match(note, /has no threads/)
  })

  test('leaves out events that have a channel of their own', async ({ assert }) => {
    const given = await setSlack({ versions: ['4.2.0'] })
    const { slack, admin, app, pass, living, history } = given
    const qa = { id: 'C0QA', name: 'qa', isArchived: false, isPrivate: false, members: [] }
    slack.workspace.channels.push(qa)
    await pass()
    const count = history().length
    await admin.put(`/app/${app}/notifications`, {
      ...{ type: 'release.regressionStatusUpdated', channelOverride: 'C0QA' },
    })
    await record(given, '4.2.0', 'It is tested')
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

  test('is also in the channel of its release, which is made with its people', async ({
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

  test('is left alone once its release is deleted', async ({ assert }) => {
    const { slack, pass, admin, path, living } = await setSlack({ versions: ['4.2.0', '4.3.0'] })
    await pass()
    const before = slack.requests().length
    const deleted = await admin.delete(path('4.3.0'))
    assert.oneOf(deleted.status, [200, 204], deleted.text)
    await pass(3_600_000)
    assert.lengthOf(living(), 2)
    const requested = slack.requests().slice(before)
    assert.isFalse(requested.some(({ body }) => body.includes('4.3.0')))
  })

  test('respects the limit of one message a second in a channel', async ({ assert }) => {
    // A token of its own: other tests use up the limit of theirs.
    const { slack, pass, living, history } = await setSlack({
      ...{ versions: ['4.2.0'], isHasty: false },
      credentials: { token: 'xoxb-other-token' },
    })
    slack.isStrict = true
    await pass()
    assert.deepEqual([living().length, history().length, slack.tooFast], [1, 1, 0])
  })

  test('is posted once although answers were lost, and says what happened meanwhile', async ({
    assert,
  }) => {
    const given = await setSlack({ versions: ['4.2.0'] })
    const { slack, pass, living, history, admin, path } = given
    // The read of the channel, joining it, the read again, the message.
    slack.failNext('pass', 'pass', 'pass', 'lost')
    await pass()
    assert.match(living()[0].text, /4\.2\.0\nUpcoming/)
    await admin.put(`${path('4.2.0')}/kickoff`)
    // The read of the channel, the edit of the message, the read of the thread, the reply.
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
    test(`in a channel that is ${what}: those who can fix it are told, and it is posted afterwards`, async ({
      assert,
    }) => {
      const given = await setSlack({ versions: ['4.2.0'] })
      const { slack, admin, path, pass, living } = given
      const [channel] = slack.workspace.channels
      const before = { ...channel, members: [...channel.members] }
      Object.assign(channel, spoil)
      await pass()
      await record(given, '4.2.0', 'one')
      await pass()
      assert.lengthOf(living(), 0)
      const [note, ...others] = await failureTitles(given)
      assert.match(note, reason)
      assert.lengthOf(others, 0)
      const warnings = async () =>
        (await admin.get(`${path('4.2.0')}/whyNotMoving`)).body.warnings as {
          code: string
          message: string
          subject: object
          who: object[]
        }[]
      const [warning] = await warnings()
      assert.equal(warning.code, 'chat_untold')
      assert.containsSubset(warning.subject, { type: 'channel', id: 'C0RELEASES' })
      assert.match(warning.message, reason)
      assert.containsSubset(warning.who, [{ type: 'userAction', name: 'UpdateAppSettings' }])
      Object.assign(channel, before, { name: 'renamed' })
      await record(given, '4.2.0', 'two')
      await pass()
      assert.lengthOf(living(), 1)
      assert.notInclude(living()[0].text, 'cannot be reached')
      assert.deepEqual(await warnings(), [])
    })
  }
})
