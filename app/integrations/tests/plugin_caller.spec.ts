import { KEEPS_NOTHING } from '#integrations/connections/kept_values'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { Problem } from '#foundation/core/problems/problem'
import { clock } from '#foundation/core/services'
import { PluginCaller, type OpenConnection } from '#integrations/plugins/plugin_caller'
import type { HttpPort, PortUse } from '#provider-port/http_port'
import { ScratchPairs } from '#plugin-kit/authentication/scratch_pairs'
import { TokenCache } from '#plugin-kit/authentication/token_cache'
import type { Chat } from '#plugin-kit/capabilities/work'
import type { PluginContext } from '#plugin-kit/context'
import type { Plugin } from '#plugin-kit/plugin'
import { ProviderError } from '#plugin-kit/provider_error'
import memory, { uses } from '#tests/support/plugins/memory'
import { posted } from '#tests/support/plugins/memory_chat'
import { paper } from '#tests/support/plugins/paper'

const connection = (token: string): OpenConnection => ({
  organization: { id: 'org_acme', name: 'Acme', requireIfMatch: false },
  stored: null,
  settings: { region: 'eu' },
  credentials: { token },
})
const options = (data = {}) => ({ data, signal: new AbortController().signal })
const callerOf = () => app.container.make('integrations.caller')

/** Returns a caller whose log is a list of lines. */
async function callerLogging(lines: string[], port?: Pick<HttpPort, 'use'>): Promise<PluginCaller> {
  const line = (...all: unknown[]) => void lines.push(JSON.stringify(all))
  const logger = { child: () => logger, info: line, warn: line }
  return new PluginCaller({
    clock,
    logger: logger as never,
    port: (port ?? (await app.container.make('integrations.port'))) as HttpPort,
    log: await app.container.make('integrations.log'),
    cache: new TokenCache(),
    secrets: await app.container.make('integrations.secrets'),
    pairsOf: () => new ScratchPairs(''),
    folders: await app.container.make('integrations.folders'),
    keptOf: () => KEEPS_NOTHING,
    answers: { note: () => {}, noteFailure: () => {} },
  })
}

/** Returns a plugin whose `listChannels` first runs the given function. */
const withChat = (plugin: Plugin, ends: (ctx: PluginContext) => unknown): Plugin => ({
  ...plugin,
  capabilities: {
    chat: async () => ({
      default: class implements Chat {
        constructor(private readonly ctx: PluginContext) {}

        async listChannels() {
          await ends(this.ctx)
          return { items: [] }
        }

        async post() {
          return { id: 'M1' }
        }
      },
    }),
  },
})

test.group('Calling a plugin', () => {
  test('a capability is imported once, and gets settings and data', async ({ assert }) => {
    const caller = await callerOf()
    const data = { 'x-mention': '@mobile' }
    const chat = await caller.capability(memory, 'chat', connection('good'), options(data))
    await caller.capability(memory, 'chat', connection('good'), options(data))
    assert.equal(uses.chat, 1)
    for (const idempotencyKey of ['one', 'one']) {
      await chat.post('C1', { text: 'Shipped' }, { idempotencyKey })
    }
    assert.deepEqual(posted.get('C1:one'), { text: '@mobile Shipped' })
    const onCall = await caller.capability(memory, 'onCall', connection('good'), options())
    const [{ name }] = await onCall.whoIsOnCall('S1', '2026-11-20T00:00:00.000Z')
    assert.equal(name, 'Ada')
  })

  test('a missing kind or broken code is refused as plugin_missing', async ({ assert }) => {
    const caller = await callerOf()
    for (const [plugin, kind] of [
      [memory, 'ci'],
      [paper, 'ci'],
    ] as const) {
      const error = await caller
        .capability(plugin, kind, connection('good'), options())
        .catch((each) => each)
      assert.instanceOf(error, Problem)
      assert.equal(error.code, 'plugin_missing')
    }
  })

  test('trying a connection returns every failure as a result', async ({ assert }) => {
    const caller = await callerOf()
    const check = (token: string, timeoutMs?: number) =>
      caller.check(memory, connection(token), timeoutMs)
    assert.deepEqual(await check('good'), {
      ok: true,
      account: 'account in eu',
      missingPermissions: [],
      endsAt: null,
    })
    assert.containsSubset(await check('read-only'), { missingPermissions: ['write'] })
    assert.containsSubset(await check('bad'), { ok: false, code: 'unauthorized' })
    assert.containsSubset(await check('down'), { ok: false, code: 'unavailable' })
    assert.deepEqual(await check('hang', 20), {
      ok: false,
      code: 'timeout',
      message: 'It does not respond',
    })
    assert.containsSubset(await caller.check(paper, connection('good')), { code: 'protocol' })
  })

  test('errors of a capability are ProviderErrors, and contain no secret, as its logs', async ({
    assert,
  }) => {
    const lines: string[] = []
    const caller = await callerLogging(lines)
    const reported = async (fail: (ctx: PluginContext) => unknown) => {
      const plugin = withChat(memory, fail)
      const chat = await caller.capability(plugin, 'chat', connection('canary-4711'), options())
      const error = await chat.listChannels('').catch((each: unknown) => each)
      assert.instanceOf(error, ProviderError)
      const { code, message, stack, detail } = error as ProviderError
      for (const text of [message, stack, JSON.stringify(detail), ...lines]) {
        assert.notInclude(text, 'canary')
        assert.notInclude(text, Buffer.from('canary-4711').toString('base64'))
      }
      return { code, message, detail }
    }
    const meant = await reported((ctx) => {
      const token = String(ctx.secret('token'))
      ctx.log.warn({ said: [{ [token]: Buffer.from(token).toString('base64') }] }, `No ${token}`)
      ctx.log.info({ err: new Error(`fatal: ${token}`, { cause: new Error(token) }) }, 'It said')
      const detail = { outcome: 'applied', reason: token, fields: [{ path: token, message: 'x' }] }
      throw Object.assign(new Error(`remote: ${token}`), {
        name: 'ProviderError',
        code: 'conflict',
        detail,
      })
    })
    assert.deepEqual([meant.code, meant.message], ['conflict', 'remote: •••'])
    assert.containsSubset(meant.detail, { outcome: 'applied', reason: '•••' })
    assert.lengthOf(lines, 2)
    const broken = await reported((ctx) => {
      throw new TypeError(`no ${ctx.secret('token')} in undefined`)
    })
    assert.deepEqual([broken.code, broken.detail.outcome], ['protocol', 'unknown'])
    assert.include(lines.at(-1), 'no ••• in undefined')
    const late = AbortSignal.abort()
    const plugin = withChat(memory, () => Promise.reject(late.reason as Error))
    const use = { data: {}, signal: late }
    const chat = await caller.capability(plugin, 'chat', connection('good'), use)
    const error = await chat.listChannels('').catch((each: unknown) => each)
    assert.equal((error as ProviderError).code, 'timeout')
    assert.isUndefined(chat.ensureChannel)
  })

  test('neither messages nor a printed context contain a secret', async ({ assert }) => {
    const caller = await callerOf()
    let printed = ''
    const talkative: Plugin = {
      ...memory,
      lifecycle: async () => ({
        default: {
          check: async (ctx) => {
            printed = JSON.stringify(ctx)
            throw new Error(`POST /?token=${ctx.secret('token')} failed`)
          },
        },
      }),
    }
    const result = await caller.check(talkative, connection('canary-4711'))
    assert.deepEqual(result, { ok: false, code: 'protocol', message: 'POST /?token=••• failed' })
    assert.include(printed, 'eu')
    assert.notInclude(printed, 'canary')
  })

  test('each plugin imports its own lifecycle once, whose methods may use `this`', async ({
    assert,
  }) => {
    const port = await app.container.make('integrations.port')
    let describe: PortUse['describeError'] | undefined
    const caller = await callerLogging([], {
      use: (given) => {
        describe = given.describeError
        return port.use(given)
      },
    })
    class Methodical implements Plugin {
      readonly manifest = memory.manifest
      readonly capabilities = memory.capabilities
      imports = 0

      constructor(readonly reason: string) {}

      async lifecycle() {
        this.imports += 1
        return { default: new Lifecycle(this.reason) }
      }
    }
    class Lifecycle {
      constructor(readonly reason: string) {}

      async check() {
        return { account: 'Ada', missingPermissions: [] }
      }

      describeError() {
        return { code: 'conflict' as const, reason: this.reason }
      }
    }
    const [one, other] = [new Methodical('one'), new Methodical('other')]
    const reasons: unknown[] = []
    for (const plugin of [one, other, one]) {
      await caller.capability(plugin, 'chat', connection('good'), options())
      reasons.push((await describe?.())?.(409, {}, new Headers())?.reason)
    }
    assert.deepEqual(reasons, ['one', 'other', 'one'])
    assert.deepEqual([one.imports, other.imports], [1, 1])
  })
})
