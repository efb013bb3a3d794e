import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { TestContext } from '@japa/runner/core'
import { clock } from '#foundation/core/services'
import { IntegrationsDoctor } from '#integrations/commands/integrations_doctor'
import { IntegrationsLog } from '#integrations/commands/integrations_log'
import { PluginCaller } from '#integrations/plugins/plugin_caller'
import { MemoryBudgets } from '#provider-port/budgets'
import { makePort } from '#provider-port/make_port'
import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import { KEEPS_NOTHING } from '#integrations/connections/kept_values'
import { ScratchPairs } from '#plugin-kit/authentication/scratch_pairs'
import { TokenCache } from '#plugin-kit/authentication/token_cache'
import { codeScenario } from '#plugin-kit/conformance/kinds/code'
import { serve, type Failure } from '#plugin-kit/testing'
import { SourceFake } from '#plugin-kit/tests/broken/source_fake'
import { SampleVersionControl, sourceSample } from '#plugin-kit/tests/broken/source_sample'
import type { Plugin } from '#plugin-kit/plugin'
import { runCommand } from '#tests/support/console'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { snapshot } from '#tests/support/snapshot'
import { workAway } from './helpers/code_world.js'
import { makeTrain } from './helpers/release_world.js'

/*
 * Failures of providers, from the socket to the message for people. Only the one call fails, its
 * reason is readable, and the credential appears nowhere.
 */

const CANARY = 'canary-token-31415926'

/** A provider on loopback that accepts the canary as its token, and fails on demand. */
class WrongFake extends SourceFake {
  wrong: Failure | null = null
  /** True if only requests that change something fail. */
  isOnlyChanges = false
  /** True if the list of tags always claims to have another page. */
  isEndless = false

  override async answer(request: Request): Promise<Response> {
    const isMeant = !this.isOnlyChanges || request.method !== 'GET'
    if (this.wrong !== null && isMeant) this.failNext(this.wrong)
    return super.answer(request)
  }

  protected override async respond(request: Request): Promise<Response> {
    if (this.isEndless && new URL(request.url).pathname === '/v1/tags') {
      const tag = { name: '1.0.0', sha: 'a'.repeat(40), at: '2026-11-20T12:00:00.000Z' }
      return Response.json({ items: [tag], next: 'again' })
    }
    const headers = new Headers(request.headers)
    const isKnown = headers.get('authorization') === `Bearer ${CANARY}`
    headers.set('authorization', isKnown ? 'Bearer good-token' : 'Bearer unknown')
    return super.respond(new Request(request, { headers }))
  }
}

/** True if the plugin itself fails, with secrets in its error. */
let isBroken = false

class SometimesBroken extends SampleVersionControl {
  override listTags(...given: Parameters<SampleVersionControl['listTags']>) {
    if (isBroken) throw new TypeError(`oops ${String(this.ctx.secret('token'))}`)
    return super.listTags(...given)
  }
  override getBranch(...given: Parameters<SampleVersionControl['getBranch']>) {
    if (isBroken) throw new TypeError(`oops ${String(this.ctx.secret('token'))}`)
    return super.getBranch(...given)
  }
}

function plugin(): Plugin {
  const { plugin: sample } = sourceSample({ code: SometimesBroken })
  const { capabilities, ...manifest } = sample.manifest
  const versionControl = { ...capabilities.versionControl!, type: 'gitlab-vcs' }
  const rate = { ...manifest.rate, requests: 10_000 }
  return { ...sample, manifest: { ...manifest, rate, capabilities: { versionControl } } }
}

/** Returns a plugin caller with a log to read, and without delays between attempts. */
async function callerLogging(lines: string[], timeoutMs: number): Promise<PluginCaller> {
  const line = (...all: unknown[]) => void lines.push(all.map(textOf).join(' '))
  const logger = { child: () => logger, info: line, warn: line, error: line }
  const { container } = app
  return new PluginCaller({
    clock,
    logger: logger as never,
    port: makePort({
      transport: await container.make('outbound'),
      clock,
      logger: logger as never,
      budgets: new MemoryBudgets(),
      options: { timeoutMs, maxAttempts: 3, breaker: { failures: 1000, coolDownMs: 1 } },
      pause: async () => {},
    }),
    log: await container.make('integrations.log'),
    cache: new TokenCache(),
    secrets: await container.make('integrations.secrets'),
    pairsOf: () => new ScratchPairs(''),
    folders: await container.make('integrations.folders'),
    keptOf: () => KEEPS_NOTHING,
    answers: await container.make('integrations.answers'),
  })
}

const textOf = (each: unknown) =>
  each instanceof Error ? `${each.message} ${each.stack}` : JSON.stringify(each)

/** Creates an organization with an app whose code is at a faulty provider. */
async function makeCode(cleanup: TestContext['cleanup']) {
  const fake = new WrongFake()
  fake.seed(codeScenario())
  const server = await serve(fake)
  cleanup(() => server.close())
  const train = await makeTrain()
  const { world, app: appId } = train
  const settings = { host: server.origin }
  const { id: provider } = await connect(world, 'acme', {
    settings,
    credentials: { token: CANARY },
  })
  const data = { repoName: 'acme/app' }
  await world.write((scope) =>
    replaceIntegrations(scope, appId, [
      { key: 'code', type: 'gitlab-vcs', kind: 'versionControl', provider, data },
    ])
  )
  const branches = [{ integration: 'code', allPattern: 'train/{version}', workingBranch: 'main' }]
  await db
    .from('apps')
    .where('id', appId)
    .update({ branch_settings: JSON.stringify(branches) })
  const tags = () => world.admin.get(`/app/${appId}/releaseTags`)
  return { ...train, fake, provider, tags }
}

interface Case {
  name: string
  wrong?: Failure
  isOnlyChanges?: boolean
  broken?: boolean
  /** The reason in the problem for the requester; null if the request succeeds. */
  reason: string | null
  /** Matches the message about the failure. */
  message: RegExp
  /** True if the job is not retried. */
  isFinal?: boolean
}

const CASES: Case[] = [
  {
    name: 'does not know the credentials',
    wrong: { status: 401, body: { message: `${CANARY} is not known` } },
    reason: 'unauthorized',
    message: /answered 401: ••• is not known/,
    isFinal: true,
  },
  {
    name: 'lets the credentials read alone',
    wrong: { status: 403, body: { message: `${CANARY} may only read` } },
    isOnlyChanges: true,
    reason: null,
    message: /answered 403: ••• may only read/,
    isFinal: true,
  },
  {
    name: 'hangs',
    wrong: 'hang',
    reason: 'timeout',
    message: /No complete response within 300 ms/,
  },
  { name: 'resets', wrong: 'reset', reason: 'unavailable', message: /socket hang up/ },
  { name: 'answers HTML with 200', wrong: 'html', reason: 'protocol', message: /HTML|page|JSON/i },
  { name: 'truncates', wrong: 'truncate', reason: 'protocol', message: /JSON/ },
  { name: 'floods', wrong: 'huge', reason: 'protocol', message: /long|bytes|10 MB/i },
  {
    name: 'redirects with the credential in the address',
    wrong: { status: 302, headers: { location: `https://evil.example/?token=${CANARY}` } },
    reason: 'protocol',
    message: /302|redirect/i,
  },
  {
    name: 'fails and repeats what it was sent',
    wrong: { status: 500, body: { error: `authorization: Bearer ${CANARY}` } },
    reason: 'unavailable',
    message: /500/,
  },
  {
    name: 'has a plugin that throws',
    broken: true,
    reason: 'protocol',
    message: /The plugin failed/,
  },
]

test.group('A provider of version control that', (group) => {
  group.each.setup(async () => {
    const disabled = await loadTestPlugins({ acme: async () => ({ default: plugin() }) })
    if (disabled.length > 0) throw new Error(JSON.stringify(disabled))
    const caller = await app.container.make('integrations.caller')
    await db.from('jobs').delete()
    return async () => {
      isBroken = false
      app.container.bindValue('integrations.caller', caller)
      await loadTestPlugins()
    }
  })

  for (const { name, wrong, isOnlyChanges, broken, reason, message, isFinal } of CASES) {
    test(`${name} only fails that call, with a reason and without revealing a secret`, async ({
      assert,
      cleanup,
    }) => {
      const lines: string[] = []
      const texts: string[] = []
      const [bad, good] = [await makeCode(cleanup), await makeCode(cleanup)]
      const { admin, app: appId, world, fake, path } = bad
      await admin.post(`/app/${appId}/release`, { version: '1.2.0' })
      const asking = async (timeoutMs: number) => {
        const caller = await callerLogging(lines, timeoutMs)
        app.container.bindValue('integrations.caller', caller)
      }
      fake.wrong = wrong ?? null
      fake.isOnlyChanges = isOnlyChanges ?? false
      isBroken = broken ?? false
      await asking(wrong === 'hang' ? 300 : 30_000)
      const { status, body, text } = await bad.tags()
      texts.push(text)
      assert.equal(status, reason === null ? 200 : 502)
      if (reason !== null) {
        assert.containsSubset(body, { code: 'provider_error', reason, provider: bad.provider })
        assert.match(body.detail, message, body.detail)
      }
      texts.push((await admin.put(`${path('1.2.0')}/kickoff`)).text)
      await (await app.container.make('jobs.worker')).turn()
      assert.isNull((await bad.detail('1.2.0')).kickedOffAt)
      const command = await db
        .from('jobs')
        .where({ organization_id: world.organizationId, kind: 'release.branch' })
        .firstOrFail()
      assert.match(command.last_error, message)
      assert.equal(command.state, isFinal ? 'failed' : 'planned')

      // A longer timeout, because commands that check all connections also ask the one that hangs.
      await asking(wrong === 'hang' ? 4000 : 30_000)
      isBroken = false
      assert.equal((await good.tags()).status, 200)
      for (const url of ['', '/integrations', `/release/${appId}:1.2.0/timelineEvents`]) {
        texts.push((await admin.get(`/app/${appId}${url}`)).text)
      }
      texts.push((await admin.get(`${path('1.2.0')}/steps`)).text)
      isBroken = broken ?? false
      await (await app.container.make('integrations.log')).flush()
      const org = `--org=${world.organizationId}`
      for (const each of [IntegrationsDoctor, IntegrationsLog] as const) {
        const { stdout, stderr } = await runCommand(each, [org])
        texts.push(stdout, stderr)
      }
      texts.push((await admin.get('/health')).text)

      fake.wrong = null
      isBroken = false
      assert.equal((await bad.tags()).status, 200)
      if (isFinal) {
        const { whyNotMoving } = await bad.step('1.2.0', 'kickoff')
        texts.push(JSON.stringify(whyNotMoving))
        await admin.put(`${path('1.2.0')}/kickoff`)
      } else {
        await db
          .from('jobs')
          .where('id', command.id)
          .update({ visible_at: '2026-01-01T00:00:00.000Z' })
      }
      await workAway()
      assert.isNotNull((await bad.detail('1.2.0')).kickedOffAt)
      const made = fake.state().versionControl!.branches.filter((each) => /^train/.test(each.name))
      assert.deepEqual(
        made.map((each) => each.name),
        ['train/1.2.0']
      )

      const rows = Object.values(await snapshot([world.organizationId])).join('\n')
      assert.include(rows, '1.2.0')
      assert.include(texts.join('\n'), bad.provider)
      for (const reported of [rows, texts.join('\n'), lines.join('\n')]) {
        assert.notInclude(reported, CANARY)
        assert.notInclude(reported, CANARY.slice(7))
      }
    }).timeout(60_000)
  }

  test('never ends its pages is only read up to a limit, and the tag is not found', async ({
    assert,
    cleanup,
  }) => {
    const caller = await callerLogging([], 30_000)
    app.container.bindValue('integrations.caller', caller)
    const { fake, tags, admin, app: appId, path, detail } = await makeCode(cleanup)
    fake.isEndless = true
    const before = fake.requests().length
    assert.equal((await tags()).status, 200)
    assert.isAtMost(fake.requests().length - before, 20)
    const hotfix = { version: '1.0.1', releaseType: 'hotfix', baseTag: { name: '0.9.0' } }
    const { status } = await admin.post(`/app/${appId}/release`, { ...hotfix, createBranch: true })
    assert.equal(status, 201)
    const requested = fake.requests().length
    await (await app.container.make('jobs.worker')).turn()
    // The search for a tag gives up after 100 pages; there are two searches.
    assert.isAtMost(fake.requests().length - requested, 220)
    const { last_error: error } = await db
      .from('jobs')
      .where('kind', 'release.branch')
      .firstOrFail()
    assert.include(error, 'more than 100 pages of tags')
    assert.isNull((await detail('1.0.1')).kickedOffAt)
    fake.isEndless = false
    assert.equal((await tags()).status, 200)
    assert.isString(path('1.0.1'))
  })
})
