import { test } from '@japa/runner'
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
  talkOf,
} from './support/slack.js'

test.group('The red button of a release in Slack', (group) => {
  group.each.teardown(leaveSlack)

  test('stops a rollout, with the red button unconfirmed; the red button stays while the page has it', async ({
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
    // A paused rollout can be stopped for good.
    assert.deepEqual(
      buttons().map(({ text, style }) => [text.text, style]),
      [['Red button: stop it at once', 'danger']]
    )
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

  test('stops a rollout that has reached all users of Google Play', async ({ assert, cleanup }) => {
    cleanup(tidy)
    const { world, appId, store, work, admin, path, provider } = await rollingOut('google')
    const { buttons, press } = openWorkspace()
    await loadTestPlugins({ paper: async () => ({ default: store.plugin }), memory: hasty })
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
    store.rollout({ state: 'complete' })
    for (let turn = 0; turn < 4; turn++) await work()
    const shown = await admin.get(`${path}/rollout`)
    assert.equal(shown.body.stores[0].phased.status, 'completed')
    assert.isNull(shown.body.stores[0].whyNotStoppable)
    // Its retrospective is a message of its own, after that of the release.
    const [red, ...others] = buttons(0)
    assert.equal(red.text.text, 'Red button: stop it at once')
    assert.isEmpty(others)
    await press(id, 'ada', red)
    for (let turn = 0; turn < 4; turn++) await work()
    const { body } = await admin.get(`${path}/rollout`)
    assert.equal(body.stores[0].phased.status, 'halted')
    assert.isEmpty(buttons(0))
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
    await takeOff('apple')
    await work(2)
    await press(id, 'ada', button(/^Red button/))
    await work(3)
    assert.lengthOf(await titles('apple', 'redButton.pressed'), 1)
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
