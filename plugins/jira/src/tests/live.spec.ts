import { test } from '@japa/runner'
import { liveAccount, LiveProvider, tryLive } from '@tarmac/plugin-kit/testing'
import { JiraFake } from '../fake/jira_fake.js'
import { sampleScenario } from '../fake/sample_scenario.js'
import plugin from '../plugin.js'
import { live } from './support/live.js'
import { byToken } from './support/stage.js'

/*
 * The live test with the fake instead of a real site: which calls it makes, and which requests it
 * lets through.
 */

const ENVIRONMENT = {
  LIVE_JIRA_USERNAME: byToken.good.username,
  LIVE_JIRA_PASSWORD: byToken.good.password,
  LIVE_JIRA_SITE: 'acme',
  LIVE_JIRA_PROJECTS: 'SHOP',
}

test.group('Jira with a real site', () => {
  test('checks its assumptions by reading, and changes nothing', async ({ assert }) => {
    const fake = new JiraFake(Date.now)
    fake.seed(sampleScenario())
    const before = JSON.stringify(fake.state())
    const account = liveAccount(plugin, ENVIRONMENT)!
    assert.deepEqual(account.missing, [])
    const out = async (request: Request) => fake.answer(request)
    const findings = await tryLive(live, account, out as typeof fetch)
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
      'issueTracking: a ticket is the same alone and in the list',
      'GET /search/jql is as published',
    ])
    assert.equal(JSON.stringify(fake.state()), before)
  })

  test('lets no request through that could change something', async ({ assert }) => {
    const fake = new JiraFake(Date.now)
    const out = (async (request: Request) => fake.answer(request)) as typeof fetch
    const provider = new LiveProvider(plugin, out, live.alsoReads)
    for (const [method, path] of [
      ['POST', 'version'],
      ['PUT', 'version/1'],
      ['PUT', 'issue/SHOP-1'],
      ['DELETE', 'issue/SHOP-1'],
    ]) {
      const request = new Request(`https://acme.atlassian.net/rest/api/3/${path}`, { method })
      await assert.rejects(() => provider.answer(request), /is not a read/)
    }
    assert.lengthOf(fake.requests(), 0)
  })
})
