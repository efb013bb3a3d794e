import { test } from '@japa/runner'
import type { ProviderError, VersionControl } from '@tarmac/plugin-kit'
import { Bench } from '@tarmac/plugin-kit/testing'
import { makeApp } from '../fake/apps.js'
import { GitHubFake } from '../fake/github_fake.js'
import { sampleScenario } from '../fake/sample_scenario.js'
import plugin from '../plugin.js'

const app = makeApp()

const AT = Date.parse('2026-11-20T12:00:00.000Z')

const options = {
  plugin,
  fake: () => new GitHubFake(undefined, [app]),
  credentials: { good: { token: 'good-token-4711' }, bad: { token: 'bad-token-4711' } },
  data: { versionControl: { repoName: 'acme/app' } },
}

function benchWith() {
  const bench = new Bench(options)
  bench.seed(sampleScenario())
  return { bench, fake: bench.fake as GitHubFake }
}

const refusal = (call: Promise<unknown>): Promise<ProviderError> =>
  call.then(
    () => {
      throw new Error('It went well')
    },
    (error: ProviderError) => error
  )

test.group('GitHub | connections', () => {
  const check = async (credentials: Record<string, string>) => {
    const bench = new Bench({ ...options, credentials: { good: credentials, bad: {} } })
    const { default: lifecycle } = await plugin.lifecycle()
    return lifecycle.check(bench.context(null))
  }

  test('a fine-grained token does not state its permissions', async ({ assert }) => {
    const { account, missingPermissions } = await check({ token: 'good-token-4711' })
    assert.match(account, /not known until first used/)
    assert.deepEqual(missingPermissions, [])
  })

  test('the expiry of a token is read: {header}')
    .with([
      { header: '2026-12-24 09:00:00 UTC', endsAt: '2026-12-24T09:00:00.000Z' },
      { header: '2026-12-24 09:00:00 +0200', endsAt: '2026-12-24T07:00:00.000Z' },
      { header: 'soon', endsAt: undefined },
      { header: null, endsAt: undefined },
    ])
    .run(async ({ assert }, { header, endsAt }) => {
      const { bench, fake } = benchWith()
      fake.tokenEndsAt = header
      const { default: lifecycle } = await plugin.lifecycle()
      assert.equal((await lifecycle.check(bench.context(null))).endsAt, endsAt)
    })

  test('an App lacks the permissions that its token does not name, as GitHub calls them', async ({
    assert,
  }) => {
    const missing = async (permissions: Record<string, string> | null) => {
      const bench = new Bench({ ...options, credentials: { good: app, bad: {} } })
      const fake = bench.fake as GitHubFake
      const whole = fake.permissions
      fake.permissions = permissions ?? whole
      const { default: lifecycle } = await plugin.lifecycle()
      return (await lifecycle.check(bench.context(null))).missingPermissions
    }
    assert.deepEqual(await missing(null), [])
    const fewer = { contents: 'read', pull_requests: 'write', actions: 'write', metadata: 'read' }
    assert.deepEqual(await missing(fewer), [
      'Contents: read and write',
      'Commit statuses: read and write',
      'Checks: read-only',
      'Issues: read and write',
    ])
  })

  test('an App names the permissions that reads show it to lack, where its token does not tell', async ({
    assert,
  }) => {
    const bench = new Bench({ ...options, credentials: { good: app, bad: {} } })
    const fake = bench.fake as GitHubFake
    fake.permissions = null
    const { default: lifecycle } = await plugin.lifecycle()
    const missing = async () => (await lifecycle.check(bench.context(null))).missingPermissions
    assert.deepEqual(await missing(), [])
    fake.lacking = { issues: 'issues=read', pulls: 'pull_requests=read' }
    assert.deepEqual(await missing(), ['Pull requests: read and write', 'Issues: read and write'])
    const code: VersionControl = await bench.capability('versionControl')
    fake.lacking = { git: 'contents=write' }
    const made = code.createBranch('release/1.1.0', 'a'.repeat(40), bench.mutation())
    assert.match((await refusal(made)).message, /lack the permission Contents: read and write\./)
  })

  /** Returns the refusal of an App whose machine is ahead of GitHub. */
  const refusedAt = (minutesAhead: number) => {
    const fake = new GitHubFake(() => AT - minutesAhead * 60_000, [app])
    return refusedFor(app, fake)
  }

  const refusedFor = async (good: typeof app, fake = new GitHubFake(undefined, [app])) => {
    const bench = new Bench({ ...options, fake: () => fake, credentials: { good, bad: {} } }, AT)
    const { default: lifecycle } = await plugin.lifecycle()
    return refusal(lifecycle.check(bench.context(null)))
  }

  test('a clock that is wrong by {minutes} minutes is blamed, not the key of the App')
    .with([{ minutes: 5 }, { minutes: -15 }])
    .run(async ({ assert }, { minutes }) => {
      const { code, message } = await refusedAt(minutes)
      assert.equal(code, 'unauthorized')
      const side = minutes > 0 ? 'ahead of' : 'behind'
      assert.include(message, `is ${Math.abs(minutes)} minutes ${side} the provider's`)
      assert.include(message, 'Whoever runs the service sets the clock.')
    })

  test('a clock that is ahead by less is blamed as soon as GitHub refuses its time', async ({
    assert,
  }) => {
    const { code, message } = await refusedAt(1.5)
    assert.equal(code, 'unauthorized')
    assert.include(message, 'the clock of this machine is wrong. Whoever runs the service sets')
    const bench = new Bench({
      ...options,
      fake: () => new GitHubFake(() => AT - 50_000, [app]),
      credentials: { good: app, bad: {} },
    })
    const { default: lifecycle } = await plugin.lifecycle()
    assert.match((await lifecycle.check(bench.context(null))).account, /acme \(App/)
  })

  test('an App is refused for {what}, and its owner reads what to do')
    .with([
      {
        what: 'a key that GitHub does not know',
        wrong: { privateKey: makeApp().privateKey },
        says: /removed, or belongs to another App\. Whoever may change integrations makes a new key/,
      },
      {
        what: 'an ID of no App',
        wrong: { appId: '99999' },
        says: /no App of this ID.* Whoever may change integrations connects an App/,
      },
      {
        what: 'an installation that is gone',
        wrong: { installationId: '99' },
        says: /was uninstalled.* An owner of the organization installs the App/,
      },
    ])
    .run(async ({ assert }, { wrong, says }) => {
      const { code, message } = await refusedFor({ ...app, ...wrong })
      assert.equal(code, 'unauthorized')
      assert.match(message, says)
    })

  test('a classic token names the scopes that it lacks', async ({ assert }) => {
    const { missingPermissions } = await check({ token: 'read-only-token' })
    assert.deepEqual(missingPermissions, ['repo', 'workflow'])
  })
})
