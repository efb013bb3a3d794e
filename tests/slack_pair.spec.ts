import { test } from '@japa/runner'
import { replaceIntegrations } from '#integrations/store_integrations'
import { pairWorld } from '#stores/tests/pairs/support'
import { tidy } from '#stores/tests/support'
import { loadTestPlugins } from './support/plugins/index.js'
import { connectSlack, hasty, leaveSlack, openWorkspace, talkOf } from './support/slack.js'

test.group('The message of a release of a pair in Slack', (group) => {
  group.each.teardown(leaveSlack)

  test('says what the pair waits for, whichever release moves', async ({ assert, cleanup }) => {
    cleanup(tidy)
    const given = await pairWorld()
    const { world, stores, providers, apps, join, submit, approve, takeOff, work } = given
    const { living } = openWorkspace()
    await loadTestPlugins({
      'paper': async () => ({ default: stores.apple.pluginAs('memory-apple') }),
      'memory-google': async () => ({ default: stores.google.pluginAs('memory-google') }),
      'memory': hasty,
    })
    const { id } = await connectSlack(world)
    await world.write((scope) =>
      replaceIntegrations(scope, apps.apple, [
        { key: 'store', type: 'apple', kind: 'appStore', provider: providers.apple, data: {} },
        talkOf(id),
      ])
    )
    await join()
    await submit('apple')
    await approve('apple')
    await takeOff('apple')
    await work(3)
    const says = async (words: string) => {
      await work(2)
      assert.include(living()[0].text, words)
    }
    await says('which is not submitted for review')
    await submit('google')
    await says('which is not approved by its store yet')
    await approve('google')
    await says('press Publish changes')
  })
})
