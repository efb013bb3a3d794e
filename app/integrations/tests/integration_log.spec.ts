import { HealthChecks } from '@adonisjs/core/health'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { earlier, later, VirtualClock } from '#foundation/core/clock'
import { works } from '#foundation/jobs/handlers'
import { clock, unitOfWork } from '#foundation/core/services'
import { DisconnectProvider } from '#integrations/actions/disconnect_provider'
import { IntegrationsLog } from '#integrations/commands/integrations_log'
import { ProviderCheck } from '#integrations/commands/provider_check'
import { ProviderConnect } from '#integrations/commands/provider_connect'
import { httpOptionsOf } from '#provider-port/http_options'
import { reserveOf } from '#provider-port/budget'
import { MemoryBudgets } from '#provider-port/budgets'
import { DatabaseBudgets } from '#integrations/port/database_budgets'
import { CallLog, type LoggedCall } from '#integrations/port/call_log'
import { CALLS_KEPT_FOR, PruneCalls } from '#integrations/port/prune_calls'
import { connectionHealth } from '#integrations/queries/connection_health'
import { replaceIntegrations } from '#integrations/store_integrations'
import { integrationEntities } from '#integrations/queries/app_integrations'
import { connectionHealths } from '#integrations/tables'
import { useIntegration } from '#integrations/use_integration'
import { makeApp } from '#tests/support/app_fixture'
import { runCommand } from '#tests/support/console'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { makeWorld, type World } from '#tests/support/world'
import { acmePlugin, HEADER } from './support/acme.js'
import { connect } from './support/connect.js'
import { errorOf } from '#provider-port/tests/support/port_stage'
import { json, ProviderServer } from '#provider-port/tests/support/provider_server'

const orgOf = ({ organizationId }: World) => `--org=${organizationId}`

const written = async () => (await app.container.make('integrations.log')).flush()

test.group('The integration log', (group) => {
  let server: ProviderServer

  group.each.setup(async () => {
    server = await new ProviderServer().start()
    await loadTestPlugins({ acme: async () => ({ default: acmePlugin(HEADER) }) })
    return async () => {
      await server.stop()
      await loadTestPlugins()
    }
  })

  const settings = () => ({ host: server.origin })
  const credentials = { token: 'canary-token-4711' }

  async function chatOf(world: World, provider: string, isForPerson = false) {
    const appId = await makeApp(world)
    const wanted = { key: 'a', type: 'teams', kind: 'chat', provider, data: {} } as const
    await world.write((scope) => replaceIntegrations(scope, appId, [wanted]))
    const scope = unitOfWork.readScope(world.principal)
    const [{ id: integrationId }] = await integrationEntities(scope, appId)
    const services = {
      secrets: await app.container.make('integrations.secrets'),
      caller: await app.container.make('integrations.caller'),
    }
    const { signal } = new AbortController()
    return useIntegration(scope, services, { integrationId, kind: 'chat', signal, isForPerson })
  }

  test('has every call with its result and without secrets, newest first', async ({ assert }) => {
    const world = await makeWorld()
    const { id } = await connect(world, 'acme', { settings: settings(), credentials })
    const chat = await chatOf(world, id)
    server.answers(json([{ id: 'C1', name: 'releases' }]), json({ message: 'No' }, 403))
    assert.lengthOf((await chat.listChannels('canary-query')).items, 1)
    // The order within one millisecond is undefined.
    await new Promise((done) => setTimeout(done, 5))
    const message = { text: 'canary-text' }
    const error = await errorOf(chat.post('C/1', message, { idempotencyKey: 'canary-key' }))
    assert.deepEqual([error.code, error.detail.outcome], ['forbidden', 'notApplied'])
    assert.include(error.message, '/channels/{channelId}/messages answered 403: No')
    await written()
    const { document, stdout } = await runCommand(IntegrationsLog, [orgOf(world)])
    assert.containsSubset(document, [
      {
        connectionId: id,
        pluginId: 'acme',
        method: 'POST',
        host: new URL(server.origin).host,
        path: '/channels/{channelId}/messages',
        status: 403,
        attempt: 1,
        outcome: 'notApplied',
        code: 'forbidden',
      },
      { method: 'GET', path: '/channels', status: 200, outcome: 'applied', code: null },
    ])
    assert.equal(document[0].method, 'POST')
    assert.notInclude(stdout, 'canary')
    assert.equal(server.seen[1].url, '/channels/C%2F1/messages')
    const one = await runCommand(IntegrationsLog, [orgOf(world), `--connection=${id}`, '--limit=1'])
    assert.lengthOf(one.document, 1)
    const other = await makeWorld()
    assert.deepEqual((await runCommand(IntegrationsLog, [orgOf(other)])).document, [])
    const foreign = await runCommand(IntegrationsLog, [orgOf(other), `--connection=${id}`])
    assert.deepEqual([foreign.code, foreign.stdout], [1, ''])
    assert.equal((await runCommand(IntegrationsLog, [orgOf(world), '--limit=0'])).code, 1)
  })

  test('has the calls of a connection that is not stored, by its plugin only', async ({
    assert,
  }) => {
    const world = await makeWorld()
    server.answers(json({ message: 'Bad credentials' }, 401))
    const refused = await runCommand(ProviderConnect, [
      'acme',
      orgOf(world),
      `--set=host=${server.origin}`,
      '--credential=token=canary-token',
    ])
    assert.equal(refused.code, 1)
    assert.include(refused.stderr, 'unauthorized')
    assert.notInclude(refused.stderr, 'canary')
    await written()
    const { document } = await runCommand(IntegrationsLog, [orgOf(world)])
    assert.containsSubset(document, [{ connectionId: null, pluginId: 'acme', status: 401 }])
  })

  test('provider:check finds wrong credentials', async ({ assert }) => {
    const world = await makeWorld()
    const { id } = await connect(world, 'acme', { settings: settings(), credentials })
    server.answers(json({ account: 'ada' }))
    assert.equal((await runCommand(ProviderCheck, [id, orgOf(world)])).document.account, 'ada')
    server.answers(json({ message: 'canary-token-4711 is not known' }, 401))
    const { code, document } = await runCommand(ProviderCheck, [id, orgOf(world)])
    assert.equal(code, 1)
    assert.containsSubset(document, { status: 'needs_reauth', code: 'unauthorized' })
    assert.include(document.message, '••• is not known')
  })

  test('the health of a host is shown to its organization only, and /health warns', async ({
    assert,
  }) => {
    const [world, other] = [await makeWorld(), await makeWorld()]
    const { id } = await connect(world, 'acme', { settings: settings(), credentials })
    const chat = await chatOf(world, id)
    const healthOf = ({ principal }: World) => connectionHealth(unitOfWork.readScope(principal), id)
    server.answers(json([]))
    await chat.listChannels('')
    await written()
    const { host } = new URL(server.origin)
    const [well] = await healthOf(world)
    assert.containsSubset(well, { host, breaker: 'closed', lastFailure: null })
    server.answers(json({}, 500))
    // Two reads of three attempts: the sixth is not made.
    for (let turn = 0; turn < 2; turn++) await errorOf(chat.listChannels(''))
    await written()
    const [ill] = await healthOf(world)
    assert.containsSubset(ill, { host, breaker: 'open', lastFailure: { code: 'unavailable' } })
    assert.deepEqual(await healthOf(other), [])
    // As if the process was killed, and so could not report a recovery.
    const openUntil = (instant: string) =>
      world.write((scope) =>
        scope.update(connectionHealths, { connectionId: id }, { openUntil: instant })
      )
    await openUntil(earlier(clock.now(), 1))
    const [afterwards] = await healthOf(world)
    assert.equal(afterwards.breaker, 'halfOpen')
    const checked = async () => {
      const { checks } = await (await app.container.make(HealthChecks)).run()
      return checks.find(({ name }) => name === 'integration providers')!
    }
    assert.notInclude((await checked()).message, 'acme')
    await openUntil(later(clock.now(), 60_000))
    const health = await app.container.make(HealthChecks)
    const { checks } = await health.run()
    const reported = checks.find(({ name }) => name === 'integration providers')!
    assert.equal(reported.status, 'warning')
    assert.include(reported.message, 'acme: 1 connection since')
    assert.notInclude(reported.message, host)

    server.answers(json([]))
    await (await chatOf(world, id, true)).listChannels('')
    await written()
    const [again] = await healthOf(world)
    assert.equal(again.breaker, 'closed')
    assert.equal(again.lastFailure?.code, 'unavailable')
    await world.write((scope) => new DisconnectProvider(scope).handle(id, true))
    await chat.listChannels('')
    await written()
    const calls = await db.from('integration_calls').where('connection_id', id)
    assert.equal(calls.at(-1)?.status, 200)
  })

  const call = (world: World, calledAt: string): LoggedCall => ({
    organizationId: world.organizationId,
    connectionId: null,
    pluginId: 'acme',
    calledAt,
    method: 'GET',
    host: 'api.acme.example',
    path: '/',
    status: 200,
    milliseconds: 1,
    attempt: 1,
    remaining: 1,
    outcome: 'applied',
    code: null,
  })

  const add = (log: CallLog, { organizationId, connectionId, pluginId, ...made }: LoggedCall) =>
    log.of({ organizationId, connectionId, pluginId }).add(made)

  test('is written in batches, and a failed one is not lost', async ({ assert }) => {
    const world = await makeWorld()
    const warned: unknown[] = []
    let isAway = true
    const sometimes = new Proxy(db, {
      get: (target, name) => {
        if (isAway && name !== 'connection') throw new Error('away')
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const log = new CallLog(
      sometimes as never,
      { warn: (...logged: unknown[]) => void warned.push(logged) } as never,
      clock
    )
    for (let index = 0; index < 250; index++) add(log, call(world, clock.now()))
    await log.flush()
    const count = async () =>
      (await db.from('integration_calls').where('organization_id', world.organizationId)).length
    assert.equal(await count(), 0)
    assert.lengthOf(warned, 1)
    isAway = false
    add(log, { ...call(world, clock.now()), organizationId: 'org_that_went' })
    await log.flush()
    assert.equal(await count(), 250)
  })

  test('does not deadlock with a transaction that locks several connections', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const one = await connect(world, 'acme', { settings: settings(), credentials })
    const other = await connect(world, 'acme', { settings: settings(), credentials })
    const warned: unknown[] = []
    const warn = (...logged: unknown[]) => void warned.push(logged)
    const log = new CallLog(db as never, { warn } as never, clock)
    const now = clock.now()
    for (const { id: connectionId } of [one, other]) {
      const reported = { state: 'open' as const, openUntil: null, failedAt: now, failure: null }
      const { organizationId } = world
      const recorder = log.of({ organizationId, connectionId, pluginId: 'acme' })
      recorder.report({ host: 'acme.example', ...reported })
    }
    const { writing: rest } = await world.write(async (scope) => {
      await scope.lock('connections', other.id)
      const writing = log.flush()
      // PostgreSQL checks for deadlocks after one second.
      await Promise.race([writing, new Promise((done) => setTimeout(done, 1500))])
      assert.isTrue(await scope.lock('connections', one.id))
      return { writing }
    })
    await rest
    assert.deepEqual(warned, [])
    for (const { id } of [one, other]) {
      assert.lengthOf(await connectionHealth(unitOfWork.readScope(world.principal), id), 1)
    }
  })

  test('is pruned after fourteen days by the housekeeping', async ({ assert }) => {
    const world = await makeWorld()
    const log = new CallLog(db as never, { warn: () => {} } as never, clock)
    const now = clock.now()
    add(log, call(world, earlier(now, CALLS_KEPT_FOR)))
    add(log, call(world, later(now, 1000 - CALLS_KEPT_FOR)))
    await log.flush()
    const time = new VirtualClock(now)
    await new PruneCalls(db as never, time).run()
    const rows = await db.from('integration_calls').where('organization_id', world.organizationId)
    assert.lengthOf(rows, 1)
    assert.equal(works.get('integration.calls')?.nature, 'chore')
  })
})

test.group('Budgets that processes share', () => {
  const rate = { requests: 10, perSeconds: 60, concurrency: 9, scope: 'credential' as const }

  test('count concurrent calls together, in memory and in the database', async ({ assert }) => {
    const database = `shared ${Math.random()}`
    for (const [first, second, key] of [
      [new DatabaseBudgets(db as never), new DatabaseBudgets(db as never), database],
      (() => {
        const memory = new MemoryBudgets()
        return [memory, memory, 'memory'] as const
      })(),
    ] as const) {
      const at = clock.milliseconds()
      const requested = Array.from({ length: 20 }, (_, index) =>
        [first, second][index % 2].take(key, rate, at, { isForPerson: false, isChange: false })
      )
      const taken = (await Promise.all(requested)).filter((each) => each.taken)
      assert.lengthOf(taken, rate.requests - reserveOf(rate))
      await first.hear(key, { pauseMs: 500_000 }, at)
      await first.hear(key, { remaining: 5000, limit: 5001, resetMs: 1000 }, at)
      const paused = await second.take(key, rate, at + 400_000, {
        isForPerson: false,
        isChange: false,
      })
      assert.deepEqual(paused, { taken: false, waitMs: 100_000, why: 'paused' })
      assert.isTrue(
        (await second.take(key, rate, at + 400_000, { isForPerson: true, isChange: false })).taken
      )
    }
    const used = await db.from('provider_budgets').where('key', database)
    assert.lengthOf(used, 1)
    const later3days = new VirtualClock(later(clock.now(), 3 * 24 * 3_600_000))
    await new PruneCalls(db as never, later3days).run()
    assert.lengthOf(await db.from('provider_budgets').where('key', database), 0)
  })
})

test.group('config/integrations.ts', () => {
  test('overrides the defaults of calls, and refuses senseless values', ({ assert }) => {
    assert.deepEqual(httpOptionsOf({ http: { breaker: { failures: 9 } } }), {
      timeoutMs: 30_000,
      maxAttempts: 3,
      breaker: { failures: 9, coolDownMs: 30_000 },
    })
    for (const http of [{ timeoutMs: 0 }, { maxAttempts: 1.5 }, { breaker: { coolDownMs: -1 } }]) {
      assert.throws(() => httpOptionsOf({ http }), /has to be a whole number above 0/)
    }
  })
})
