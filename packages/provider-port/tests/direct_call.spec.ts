import { test } from '@japa/runner'
import { ProviderError } from '../../plugin-kit/provider_error.js'
import { errorOf, stageOf, type StageUse } from './support/port_stage.js'

const settings = { baseUrl: 'ssh://git@127.0.0.1:2222/srv' }
const to = {
  origin: 'ssh://git@127.0.0.1:2222',
  method: 'FETCH',
  path: '/{repository}',
  codeOf: (error: unknown) => (error instanceof ProviderError ? error.code : null),
}
const failing = (code: ProviderError['code']) => () =>
  Promise.reject(new ProviderError(code, 'It failed', { outcome: 'unknown', reason: 'odd' }))

test.group('Reaching a provider without HTTP', () => {
  test('gives the addresses that were checked, and is logged', async ({ assert, cleanup }) => {
    const stage = await stageOf(cleanup)
    const { reach } = stage.use({ settings })
    const result = await reach(to, async (addresses) => [...addresses, 'done'])
    assert.deepEqual(result, ['127.0.0.1', 'done'])
    assert.containsSubset(stage.logged, [
      {
        connectionId: 'acme:1',
        method: 'FETCH',
        host: '127.0.0.1:2222',
        path: '/{repository}',
        status: null,
        outcome: 'applied',
        code: null,
      },
    ])
    assert.containsSubset(stage.reported, [
      { host: '127.0.0.1:2222', state: 'closed', failure: null },
    ])
  })

  test('reaches only hosts that the connection names, and no private ones', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup)
    let worked = 0
    const work = async () => (worked += 1)
    const refusal = async (use: StageUse, origin: string) => {
      const { code, detail } = await errorOf(stage.use(use).reach({ ...to, origin }, work))
      return [code, detail.reason, detail.outcome].join(' ')
    }
    const refused = 'forbidden hostNotAllowed notApplied'
    for (const origin of ['ssh://127.0.0.1', 'ssh://127.0.0.2:2222', 'ssh://other.example', 'x']) {
      assert.equal(await refusal({ settings }, origin), refused, origin)
    }
    for (const baseUrl of [
      'ssh://git@10.0.0.5/srv',
      'ssh://169.254.169.254/x',
      'ssh://[fd00::1]/x',
      'https://192.168.1.1/x',
    ]) {
      const { protocol, host } = new URL(baseUrl)
      assert.equal(await refusal({ settings: { baseUrl } }, `${protocol}//${host}`), refused)
    }
    assert.equal(worked, 0)
  })

  test('remembers outages, but still lets a person try', async ({ assert, cleanup }) => {
    const stage = await stageOf(cleanup)
    const use = stage.use({ settings })
    for (const code of ['forbidden', 'notFound', 'conflict', 'protocol'] as const) {
      for (let turn = 0; turn < 3; turn++) {
        assert.equal((await errorOf(use.reach(to, failing(code)))).detail.reason, 'odd')
      }
    }
    for (let turn = 0; turn < 20; turn++) await errorOf(use.reach(to, failing('unavailable')))
    const error = await errorOf(use.reach(to, async () => 'not made'))
    assert.deepEqual([error.code, error.detail.reason], ['unavailable', 'breakerOpen'])
    assert.equal(stage.reported.at(-1)?.state, 'open')
    const persons = stage.use({ settings, isForPerson: true })
    assert.equal(await persons.reach(to, async () => 'made'), 'made')
    assert.equal(await use.reach(to, async () => 'made too'), 'made too')
    assert.equal(stage.reported.at(-1)?.state, 'closed')
  })

  test('a caller who gives up does not count as an outage of the provider', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup)
    const caller = new AbortController()
    caller.abort()
    const use = stage.use({ settings, signal: caller.signal })
    for (let turn = 0; turn < 10; turn++) await errorOf(use.reach(to, failing('timeout')))
    assert.equal(await stage.use({ settings }).reach(to, async () => 'made'), 'made')
  })
})
