import { UpdateOrganization } from '#organizations/actions/update_organization'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { APP } from '@tarmac/plugin-slack/fake'
import { clock } from '#foundation/core/services'
import { replaceIntegrations } from '#integrations/store_integrations'
import { rollingOut } from '#rollouts/tests/support'
import { pairWorld, type PairWorld } from '#stores/tests/pairs/support'
import { tidy } from '#stores/tests/support'
import { makeUser } from './support/app_fixture.js'
import { loadTestPlugins } from './support/plugins/index.js'
import {
  connectSlack,
  hasty,
  leaveSlack,
  openWorkspace,
  PUBLIC_URL,
  setSlack,
  talkOf,
} from './support/slack.js'

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
    assert.lengthOf(buttons(), 1)
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

  test('stops a rollout, with the red button unconfirmed; both disappear once it is stopped', async ({
    assert,
    cleanup,
  }) => {
    cleanup(tidy)
    const { world, appId, store, work, admin, path, provider } = await rollingOut('google')
    const { slack, button, buttons, living, history, press } = openWorkspace()
    const plugin = async () => ({ default: store.plugin })
    await loadTestPlugins({ paper: plugin, memory: hasty })
    const { id } = await connectSlack(world)
    await makeUser(world, 'ada@acme.example', ['Release Pilots'])
    await world.write((scope) =>
      replaceIntegrations(scope, appId, [
        { key: 'store', type: 'google', kind: 'appStore', provider, data: {} },
        talkOf(id),
      ])
    )
    await admin.put(path, { releasePilotId: 'ada@acme.example' })
    await work()
    assert.deepEqual(
      buttons().map(({ text }) => text.text),
      ['Pause the rollout', 'Red button: stop it at once']
    )
    assert.match(living()[0].text, /^rollout.*: 10 %, active$/im)
    await press(id, 'ada', button(/^Pause/))
    // Nobody expects a pause after ten minutes; the red button is always meant.
    for (let turn = 0; turn < 4; turn++) await work(1)
    assert.deepEqual(slack.replies, [])
    assert.isEmpty(buttons())
    assert.match(living()[0].text, /ada decided to stop the rollout/)
    await admin.put(`${path}/rollout`, { action: 'resume' })
    for (let turn = 0; turn < 4; turn++) await work()
    const red = button(/^Red button/)
    assert.containSubset(red, { style: 'danger' })
    assert.isUndefined(red.confirm)
    await press(id, 'ada', red)
    await press(id, 'ada', red)
    for (let turn = 0; turn < 4; turn++) await work()
    assert.deepEqual(slack.replies, [])
    assert.isEmpty(buttons())
    const reported = history()
      .map(({ text }) => text)
      .join('\n')
    assert.match(reported, /The red button of 1\.4\.0 was pressed \(ada\)/)
    assert.lengthOf(reported.match(/was pressed/g)!, 1)
    assert.match(living()[0].text, /ada pressed the red button .* → ada$/m)
    const { body } = await admin.get(`${path}/rollout`)
    assert.equal(body.stores[0].phased.status, 'halted')
    assert.lengthOf(living(), 1)
  })

  test('that stops one release of a pair names the other, which continues, and its page', async ({
    assert,
    cleanup,
  }) => {
    cleanup(tidy)
    const given = await pairWorld()
    const { stores, apps, work, join, pathOf, idOf, admin } = given
    await join()
    for (const store of [stores.apple, stores.google]) store.upload('4711')
    stores.apple.become('live', { buildNumbers: ['4711'] })
    stores.apple.rollout({ state: 'active', day: 2 })
    stores.google.become('rolledOutPartially', { buildNumbers: ['4711'] })
    stores.google.rollout({ state: 'active', fraction: 0.1 })
    await work()
    const { slack, button, press, id } = await talkingPair(given)
    await admin.put(pathOf('apple'), { releasePilotId: 'ada@acme.example' })
    await work(2)
    const both = button(/stop both releases of the pair/)
    assert.containSubset(both, { style: 'danger' })
    await press(id, 'ada', button(/stop it at once/))
    await work(3)
    const [{ text }] = slack.replies
    assert.include(text, `${idOf('google')}, which goes out with it, is not stopped.`)
    const page = `/dashboard/app/${apps.google}/release/${encodeURIComponent(idOf('google'))}`
    assert.include(text, `${PUBLIC_URL}${page}`)
    assert.lengthOf(await given.titles('google', 'redButton.pressed'), 0)
    await press(id, 'ada', both)
    await work(3)
    for (const side of ['apple', 'google'] as const)
      assert.lengthOf(await given.titles(side, 'redButton.pressed'), 1)
    assert.include(
      slack.replies.at(-1)!.text,
      `${idOf('google')}, which goes out with it, is being`
    )
  })

  test('stops one release of a pair, and says why the store cannot stop the other', async ({
    assert,
    cleanup,
  }) => {
    cleanup(tidy)
    const given = await pairWorld()
    const { stores, work, join, approve, admin, pathOf } = given
    await join()
    for (const store of [stores.apple, stores.google]) store.upload('4711')
    stores.apple.become('live', { buildNumbers: ['4711'] })
    stores.apple.rollout({ state: 'active', day: 2 })
    // The first version of a track goes to all users at once.
    await approve('google')
    stores.google.become('live', { buildNumbers: ['4711'] })
    stores.google.rollout({ state: 'complete' })
    await work()
    const { slack, button, press, id } = await talkingPair(given)
    await admin.put(pathOf('apple'), { releasePilotId: 'ada@acme.example' })
    await work(2)
    await press(id, 'ada', button(/stop both releases of the pair/))
    await work(3)
    assert.lengthOf(await given.titles('apple', 'redButton.pressed'), 1)
    const { text } = slack.replies.at(-1)!
    assert.match(text, /which goes out with it, is not stopped\. .*out to all users/)
  })

  test('stops the takeoff of a pair that waits for one release', async ({ assert, cleanup }) => {
    cleanup(tidy)
    const given = await pairWorld()
    const { work, join, submit, approve, takeOff, pathOf, admin, titles, asked } = given
    await join()
    await submit('apple')
    await approve('apple')
    const { button, press, id } = await talkingPair(given)
    await admin.put(pathOf('apple'), { releasePilotId: 'ada@acme.example' })
    await work(2)
    assert.isUndefined(button(/^Red button/))
    await takeOff('apple')
    await work(2)
    await press(id, 'ada', button(/^Red button/))
    await work(3)
    assert.lengthOf(await titles('apple', 'redButton.pressed'), 1)
    assert.isUndefined(button(/^Red button/))
    await submit('google')
    await approve('google')
    await work(3)
    assert.deepEqual(await asked(), { apple: false, google: false })
  })
})

/**
 * Connects Slack with the iOS release of a pair, and makes Ada, who may press its buttons.
 */
async function talkingPair({ world, stores, providers, apps }: PairWorld) {
  const workspace = openWorkspace()
  await loadTestPlugins({
    'paper': async () => ({ default: stores.apple.pluginAs('memory-apple') }),
    'memory-google': async () => ({ default: stores.google.pluginAs('memory-google') }),
    'memory': hasty,
  })
  const { id } = await connectSlack(world)
  await makeUser(world, 'ada@acme.example', ['Release Pilots'])
  await world.write((scope) =>
    replaceIntegrations(scope, apps.apple, [
      { key: 'store', type: 'apple', kind: 'appStore', provider: providers.apple, data: {} },
      talkOf(id),
    ])
  )
  return { ...workspace, id }
}
