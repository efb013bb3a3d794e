import { test } from '@japa/runner'
import { Bench } from '@tarmac/plugin-kit/testing'
import type { JiraFake } from '../fake/jira_fake.js'
import plugin from '../plugin.js'
import { byGrant, byToken, issue, options, refusal, staged } from './support/stage.js'

const CLOUD_ID = '11223344-a1b2-4b33-8c44-def123456789'

function benchOf(credentials: Record<string, string>, settings: object = options.settings) {
  const bench = new Bench({
    ...options,
    credentials: { good: credentials, bad: {} },
    settings: settings as typeof options.settings,
  })
  const check = async () => {
    const { default: lifecycle } = await plugin.lifecycle()
    return lifecycle.check(bench.context(null))
  }
  return { bench, fake: bench.fake as JiraFake, check }
}

const hostsOf = ({ fake }: { fake: JiraFake }) => [
  ...new Set(fake.requests().map(({ url }) => new URL(url).host)),
]

test.group('Jira | connections', () => {
  test('missing permissions have the names that Jira gives them', async ({ assert }) => {
    const { check } = benchOf(byToken.readOnly)
    assert.deepEqual(await check(), {
      account: 'Reader (acme.atlassian.net)',
      missingPermissions: ['Edit Issues', 'Resolve Issues', 'Administer Projects'],
    })
  })

  test('an API token is sent only to its site, however the site is spelt', async ({ assert }) => {
    for (const site of ['acme', 'acme.atlassian.net']) {
      const made = benchOf(byToken.good, { site })
      await made.check()
      assert.deepEqual(hostsOf(made), ['acme.atlassian.net'])
    }
  })

  test('a token with scopes is sent through the gateway, to the site of its cloud ID', async ({
    assert,
  }) => {
    const made = benchOf(byToken.good, { site: 'acme', cloudId: CLOUD_ID })
    assert.deepEqual((await made.check()).missingPermissions, [])
    assert.deepEqual(hostsOf(made), ['api.atlassian.com'])
  })

  test('a grant names the scopes that it lacks', async ({ assert }) => {
    const { check, fake } = benchOf(byGrant.good)
    assert.deepEqual((await check()).missingPermissions, [])
    fake.accounts.scopes = ['read:jira-work', 'read:jira-user']
    assert.deepEqual((await check()).missingPermissions, [
      'scope write:jira-work',
      'scope manage:jira-project',
    ])
  })

  test('a grant for another site says which', async ({ assert }) => {
    const { check, fake } = benchOf(byGrant.good)
    fake.grantedSite = 'other.atlassian.net'
    const { code, message, detail } = await refusal(check())
    assert.equal(code, 'forbidden')
    assert.include(message, 'not for acme.atlassian.net, but for other.atlassian.net')
    assert.match(detail.action!, /^Whoever may change integrations gives?/)
  })

  test('every call reports a revoked key as such, and never as an empty result', async ({
    assert,
  }) => {
    for (const credentials of [byToken.good, byGrant.good]) {
      const { bench, fake, issues } = await staged([issue('APP-1', { versions: ['1.2.0'] })], {
        credentials,
      })
      const search = () => issues.search({ projects: ['APP'], version: '1.2.0' })
      assert.lengthOf((await search()).items, 1)
      fake.accounts.areRevoked = true
      for (const call of [
        search,
        () => issues.search({ projects: ['APP'], keys: ['APP-1'] }),
        () => issues.get('APP-1'),
        () => issues.addLabels!(['APP-1'], ['x'], bench.mutation()),
      ]) {
        assert.equal((await refusal(call())).code, 'unauthorized')
      }
    }
  })
})
