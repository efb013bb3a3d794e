import { test } from '@japa/runner'
import { liveAccount, LiveProvider, tryLive } from '@tarmac/plugin-kit/testing'
import { SlackFake } from '../fake/index.js'
import plugin from '../plugin.js'
import { options } from './support/options.js'

/*
 * The live test with the fake instead of a real workspace: which calls it makes, and which requests
 * it lets through.
 */

const ENVIRONMENT = {
  LIVE_SLACK_TOKEN: 'xoxb-good-token',
  LIVE_SLACK_PRIMARY_CHANNEL_IDS: 'C0RELEASES',
}

function seeded(): SlackFake {
  const fake = new SlackFake(Date.now)
  fake.seed({
    chat: { channels: [{ id: 'C0RELEASES', name: 'releases' }], posts: [], users: [] },
  })
  return fake
}

test.group('Slack with a real workspace', () => {
  test('checks its assumptions by reading, and changes nothing', async ({ assert }) => {
    const fake = seeded()
    const before = JSON.stringify(fake.state())
    const account = liveAccount(plugin, ENVIRONMENT)!
    const out = async (request: Request) => fake.answer(request)
    const findings = await tryLive(options, account, out as typeof fetch)
    assert.deepEqual(
      findings.filter(({ outcome }) => outcome === 'contradicted'),
      []
    )
    const confirmed = findings
      .filter(({ outcome }) => outcome === 'confirmed')
      .map(({ title }) => title)
    assert.includeMembers(confirmed, [
      'the credentials are known',
      'other credentials are not',
      'conversations.list is as published',
    ])
    assert.equal(JSON.stringify(fake.state()), before)
  })

  test('lets no request through that could change something', async ({ assert }) => {
    const fake = seeded()
    const out = (async (request: Request) => fake.answer(request)) as typeof fetch
    const provider = new LiveProvider(plugin, out, options.alsoReads)
    for (const method of [
      'chat.postMessage',
      'chat.update',
      'conversations.join',
      'oauth.v2.access',
    ]) {
      const request = new Request(`https://slack.com/api/${method}`, { method: 'POST' })
      await assert.rejects(() => provider.answer(request), /is not a read/)
    }
    assert.lengthOf(fake.requests(), 0)
  })
})
