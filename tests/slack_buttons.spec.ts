import { UpdateOrganization } from '#organizations/actions/update_organization'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { APP } from '@tarmac/plugin-slack/fake'
import { clock } from '#foundation/core/services'
import { makeUser } from './support/app_fixture.js'
import { leaveSlack, PUBLIC_URL, setSlack } from './support/slack.js'

type SlackSetup = Awaited<ReturnType<typeof setSlack>>

test.group('A button of a release in Slack', (group) => {
  group.each.teardown(leaveSlack)

  async function withAda(
    prepare = async (_given: SlackSetup) => {},
    set: Parameters<typeof setSlack>[0] = {}
  ) {
    const given = await setSlack(set)
    await makeUser(given.world, 'ada@acme.example', ['Release Pilots'])
    await makeUser(given.world, 'quinn@acme.example', ['Marketing'])
    const roles = { roleBasedAccessEnabled: true }
    await given.world.write((scope) => new UpdateOrganization(scope).handle(roles))
    await prepare(given)
    await given.admin.post(`/app/${given.app}/release`, { version: '4.2.0' })
    await given.pass()
    const kickedOff = async () => (await given.detail('4.2.0')).kickedOffAt !== null
    return { ...given, kickedOff }
  }

  test('acts as the person who pressed it, whom message and timeline name; a second press changes nothing', async ({
    assert,
  }) => {
    const given = await withAda()
    const { button, press, pass, living, history, world, buttons, kickedOff, slack } = given
    const kickOff = button(/^Kick off$/)
    assert.isDefined(kickOff.confirm)
    // A press of the red button does what the page says: it pauses the automations.
    assert.deepEqual(
      buttons().map(({ text }) => text.text),
      ['Kick off', 'Red button: stop it at once']
    )
    const { status, body } = await press('ada', kickOff)
    assert.deepEqual([status, body], [200, {}])
    await press('ada', kickOff)
    await pass()
    await pass()
    assert.isTrue(await kickedOff())
    assert.match(slack.replies[0].text, /^It is done\..*\n.*has no items/)
    const events = (await world.events()).filter(({ type }) => type === 'release.kickedOff')
    assert.lengthOf(events, 1)
    assert.match(history().at(-1)!.text, /kicked off.*\(ada\)/i)
    assert.match(living()[0].text, /\(ada\)/)
    assert.isUndefined(button(/^Kick off$/))
  })

  test('refuses in private those who may not press it', async ({ assert }) => {
    const { button, press, pass, kickedOff, slack } = await withAda()
    for (const [name, words] of [
      ['quinn', /CreateBranchPromoteCode/],
      ['nobody', /Nobody with your e-mail address/],
      ['unverified', /no verified e-mail address/],
      ['guest', /Guests cannot/],
      ['bot', /Bots cannot/],
      ['stranger', /other workspaces cannot/],
      ['unheard', /other workspaces cannot/],
    ] as const) {
      await press(name, button(/^Kick off$/))
      await pass(0)
      assert.match(slack.replies.pop()?.text ?? '', words, name)
    }
    assert.isFalse(await kickedOff())
  })

  test('does nothing if the press is forged, replayed or late, or the release is over', async ({
    assert,
  }) => {
    const { button, press, pass, kickedOff, slack, admin, path, deliver } = await withAda()
    const kickOff = button(/^Kick off$/)
    const at = clock.milliseconds()
    assert.equal((await press('ada', kickOff, { secret: 'another-secret' })).status, 404)
    assert.equal((await press('ada', kickOff, { at: at - 400_000 })).status, 404)
    assert.equal((await press('ada', kickOff, { at: at + 400_000 })).status, 404)
    const forged = { ...kickOff, value: JSON.stringify({ operation: 'kickOffRelease' }) }
    assert.equal((await press('ada', forged)).status, 200)
    await pass(0)
    assert.match(slack.replies.pop()?.text ?? '', /no longer works/)
    await admin.put(`${path('4.2.0')}/skip`)
    const sent = slack.press({
      ...{ memberId: 'U0ADA', actionId: kickOff.action_id, value: kickOff.value },
      ...{ triggerId: 'replayed', at },
    })
    for (let time = 0; time < 3; time++) assert.equal((await deliver(sent)).status, 200)
    await pass(0)
    assert.lengthOf(slack.replies, 1)
    assert.match(slack.replies[0].text, /skipped/)
    assert.isFalse(await kickedOff())
  })

  test('approves as the person who pressed it', async ({ assert }) => {
    const given = await withAda(async ({ admin, app }) => {
      const made = await admin.post(`/app/${app}/approval`, {
        ...{ title: 'QA <signs off>', required: true },
        stepType: 'approvals',
        owners: [{ type: 'user', id: 'ada@acme.example' }],
      })
      assert.equal(made.status, 201, made.text)
    })
    const { admin, path, pass, button, press, slack } = given
    await admin.put(`${path('4.2.0')}/kickoff`)
    await pass()
    const approve = button(/^Approve: QA <signs off>$/)
    assert.isDefined(approve)
    await press('ada', approve)
    await pass()
    assert.deepEqual(slack.replies, [])
    const { body } = await admin.get(`${path('4.2.0')}/checklistItems`)
    assert.equal(
      body.find(({ title }: { title: string }) => title.includes('QA')).status.type,
      'approved'
    )
    await pass()
    assert.isUndefined(button(/^Approve: QA/))
  })

  test('approves late fixes as the person who pressed it, by the rules for approvals', async ({
    assert,
  }) => {
    const given = await withAda(async () => {}, { settings: { requireFixApprovals: true } })
    const { admin, app, path, pass, button, buttons, press, slack } = given
    const refused = async (words: RegExp) => {
      await pass()
      assert.match(slack.replies.pop()?.text ?? '', words)
    }
    await admin.put(`/app/${app}/fixRequestFormFieldsSettings`, { requiredApprovals: 1 })
    await admin.put(`${path('4.2.0')}/kickoff`)
    const requests = `${path('4.2.0')}/fixRequest`
    const ask = async (title: string, more: object = {}) =>
      (await admin.post(requests, { title, ...more })).body.id
    const id = await ask('It crashes')
    const own = await ask('It is slow', { requesterEmail: 'ada@acme.example' })
    await pass()
    const approve = button(/^Approve fix: It crashes$/)
    const ofOwn = button(/^Approve fix: It is slow$/)
    await press('quinn', approve)
    await refused(/ApproveFixes/)
    await press('ada', ofOwn)
    await refused(/somebody else has to approve it/)
    for (let time = 0; time < 2; time++) await press('ada', approve)
    await pass()
    assert.deepEqual(slack.replies, [])
    const { body } = await admin.get(`${requests}/${id}`)
    assert.equal(body.status, 'approved')
    assert.deepEqual(
      body.approvals.map(({ user }: { user: { email: string } }) => user.email),
      ['ada@acme.example']
    )
    assert.isUndefined(button(/^Approve fix: It crashes$/))
    await admin.put(`${requests}/${own}/reject`)
    await press('ada', ofOwn)
    await refused(/is rejected/)
    assert.isEmpty(buttons().filter(({ text }) => text.text.startsWith('Approve fix')))
  })

  test('works if the organization requires If-Match', async ({ assert }) => {
    const given = await withAda()
    const { world, button, press, pass, kickedOff } = given
    await db
      .from('organizations')
      .where('id', world.organizationId)
      .update({ require_if_match: true })
    await press('ada', button(/^Kick off$/))
    await pass()
    assert.isTrue(await kickedOff())
  })

  test('approves no texts that changed after the message', async ({ assert }) => {
    const required = { standard: { required: true }, hotfix: { required: true } }
    const given = await withAda(async () => {}, {
      steps: (['kickoff', 'metadata'] as const).map((type) => ({ type, releaseTypes: required })),
    })
    const { admin, path, pass, button, press, slack, step } = given
    await admin.put(`${path('4.2.0')}/kickoff`)
    const { stepRunId } = await step('4.2.0', 'metadata')
    const run = `${path('4.2.0')}/stepRun/${stepRunId}`
    const isApproved = async () => (await admin.get(run)).body.data.approved
    const edit = async (description: string) => {
      const localizations = [{ locale: 'en-US', description }]
      const edited = await admin.put(`${run}/metadata`, { localizations })
      assert.equal(edited.status, 200, edited.text)
      await pass()
    }
    await edit('What was read')
    const seen = button(/^Approve: /)
    await edit('What was not')
    await press('ada', seen)
    await pass()
    assert.match(slack.replies.pop()?.text ?? '', /has changed since the message was posted/)
    assert.isFalse(await isApproved())
    await press('ada', button(/^Approve: /))
    await pass()
    assert.deepEqual(slack.replies, [])
    assert.isTrue(await isApproved())
  })

  test('links to a page if the service cannot receive presses', async ({ assert }) => {
    const page = (app: string) => `/dashboard/app/${app}/release/${app}%3A4.2.0`
    const alone = await setSlack({ versions: ['4.2.0'], isPublic: false })
    await alone.pass()
    assert.match(alone.button(/^Kick off$/).url ?? '', /^http:\/\/.*\/dashboard\/app\//)
    const within = await setSlack({
      versions: ['4.2.0'],
      credentials: { token: 'xoxb-good-token' },
    })
    await within.pass()
    const { url, value } = within.button(/^Kick off$/)
    assert.isUndefined(value)
    assert.include(url, `${PUBLIC_URL}${page(within.app)}`)
    // Slack reports those presses too.
    const { status } = await within.press('ada', within.button(/^Kick off$/))
    assert.equal(status, 404)
  })

  test('answers a challenge that the secret of the app signed', async ({ assert }) => {
    const { slack, deliver } = await setSlack()
    const body = JSON.stringify({ type: 'url_verification', challenge: 'c-4711', token: 't' })
    const at = clock.milliseconds()
    const sent = slack.signed(body, 'application/json', { at, secret: APP.signingSecret })
    const response = await deliver(sent)
    assert.deepEqual([response.status, response.body], [200, { challenge: 'c-4711' }])
    const other = slack.signed(body, 'application/json', { at, secret: 'no-secret-of-it' })
    assert.equal((await deliver(other)).status, 404)
  })
})
