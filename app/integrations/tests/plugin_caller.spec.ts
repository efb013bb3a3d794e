import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { Problem } from '#foundation/core/problems/problem'
import type { OpenConnection } from '#integrations/plugins/plugin_caller'
import type { Plugin } from '#plugin-kit/plugin'
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

test.group('Calling a plugin', () => {
  test('what it can do is imported when it is first used, and gets settings and data', async ({
    assert,
  }) => {
    const caller = await callerOf()
    const before = uses.chat
    const data = { 'x-mention': '@mobile' }
    const chat = await caller.capability(memory, 'chat', connection('good'), options(data))
    assert.equal(uses.chat, before + 1)
    for (const idempotencyKey of ['one', 'one']) {
      await chat.post('C1', { text: 'Shipped' }, { idempotencyKey })
    }
    assert.deepEqual(posted.get('C1:one'), { text: '@mobile Shipped' })
    const onCall = await caller.capability(memory, 'onCall', connection('good'), options())
    const [{ name }] = await onCall.whoIsOnCall('S1', '2026-11-20T00:00:00.000Z')
    assert.equal(name, 'Ada')
  })

  test('a kind it has not, or code that is broken, is a problem', async ({ assert }) => {
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

  test('trying a connection answers whatever happens', async ({ assert }) => {
    const caller = await callerOf()
    const check = (token: string, timeoutMs?: number) =>
      caller.check(memory, connection(token), timeoutMs)
    assert.deepEqual(await check('good'), {
      ok: true,
      account: 'account in eu',
      missingPermissions: [],
    })
    assert.containsSubset(await check('read-only'), { missingPermissions: ['write'] })
    assert.containsSubset(await check('bad'), { ok: false, code: 'unauthorized' })
    assert.containsSubset(await check('down'), { ok: false, code: 'unavailable' })
    assert.deepEqual(await check('hang', 20), {
      ok: false,
      code: 'timeout',
      message: 'It does not answer',
    })
    assert.containsSubset(await caller.check(paper, connection('good')), { code: 'protocol' })
  })

  test('a secret is in no message and in no context that is printed', async ({ assert }) => {
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
})
