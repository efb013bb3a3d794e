import { test } from '@japa/runner'
import fc from 'fast-check'
import { ScratchPairs } from '../../plugin-kit/authentication/scratch_pairs.js'
import { TokenCache } from '../../plugin-kit/authentication/token_cache.js'
import { makeHost } from '../../plugin-kit/conformance/host.js'
import { FakeReset } from '../../plugin-kit/fake/failures.js'
import type { ProviderFake } from '../../plugin-kit/fake/fake_provider.js'
import type { Http, HttpRequest } from '../../plugin-kit/http.js'
import type { AuthScheme } from '../../plugin-kit/manifest.js'
import type { Plugin } from '../../plugin-kit/plugin.js'
import type { ProviderError } from '../../plugin-kit/provider_error.js'
import { stageOf, type PortStage } from './support/port_stage.js'
import { runs } from '../../../tests/support/effort.js'

/*
 * The conformance suite has a host of its own, since it may not import the service. Everything that
 * a plugin can see of the port must be the same behind both.
 */

interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string
}

const JSON_TYPE = { 'content-type': 'application/json' }
const ANSWERS: Record<string, Answer | 'reset'> = {
  ok: { status: 200, headers: JSON_TYPE, body: '{"id":"1"}' },
  empty: { status: 204 },
  html: { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Sign in' },
  cut: { status: 200, headers: JSON_TYPE, body: '{"id":' },
  described: { status: 200, headers: JSON_TYPE, body: '{"ok":false,"error":"not_in_channel"}' },
  moved: { status: 302, headers: { location: 'https://elsewhere.example/' } },
  bad: { status: 400, headers: JSON_TYPE, body: '{"message":"bad","code":"E1"}' },
  unauthorized: { status: 401, headers: JSON_TYPE, body: '{"message":"who?"}' },
  exhausted: { status: 403, headers: { 'x-ratelimit-remaining': '0' } },
  missing: { status: 404 },
  conflict: { status: 409, headers: JSON_TYPE, body: '{"detail":"it is there"}' },
  soon: { status: 429, headers: { 'retry-after': '2' } },
  late: { status: 429, headers: { 'retry-after': '90' } },
  failed: { status: 500, headers: JSON_TYPE, body: '{"message":"canary-token-4711"}' },
  unsupported: { status: 501 },
  busy: { status: 503, headers: { 'retry-after': '3' } },
  reset: 'reset',
}

const SCHEMES: Record<string, AuthScheme> = {
  header: { scheme: 'header', header: 'authorization', prefix: 'Bearer ' },
  twoStep: { scheme: 'twoStep', tokenPath: '/token', lifetimeSeconds: 3600 },
}
const CREDENTIALS = { token: 'canary-token-4711', clientId: 'me', clientSecret: 'canary-secret' }

interface Scene {
  answers: string[]
  scheme: string
  method: 'GET' | 'POST'
  idempotent: boolean
  expect: number[]
}

const scenes: fc.Arbitrary<Scene> = fc.record({
  answers: fc.array(fc.constantFrom(...Object.keys(ANSWERS)), { minLength: 1, maxLength: 4 }),
  scheme: fc.constantFrom(...Object.keys(SCHEMES)),
  method: fc.constantFrom('GET' as const, 'POST' as const),
  idempotent: fc.boolean(),
  expect: fc.constantFrom([], [404, 409]),
})

const describeError = (status: number, body: unknown) =>
  status === 200 && (body as { ok?: unknown } | null)?.ok === false
    ? ({ code: 'notFound', reason: 'not_in_channel' } as const)
    : undefined

/** Creates the provider of a scene, which records its requests. */
function provider({ answers: results }: Scene) {
  const seen: string[] = []
  const left = [...results]
  let tokens = 0
  const respond = (method: string, path: string, authorization: string | null, body: string) => {
    seen.push([method, path, authorization ?? '-', body].join(' '))
    if (path === '/token') return { status: 200, headers: JSON_TYPE, body: `"token-${++tokens}"` }
    return ANSWERS[left.length > 1 ? left.shift()! : left[0]]
  }
  return { seen, answer: respond }
}

/** Returns everything a plugin can learn from a call. */
async function reported(http: Http, { method, idempotent, expect }: Scene) {
  const request: HttpRequest = {
    method,
    path: '/things/{id}',
    params: { id: '7' },
    idempotent,
    expect,
  }
  if (method === 'POST') request.json = { name: 'x' }
  return http.send(request).then(
    ({ status, body }) => ({ status, body }),
    ({ name, code, detail }: ProviderError) => ({ name, code, detail })
  )
}

async function behindTheService(stage: PortStage, scene: Scene, turn: number) {
  const { seen, answer: respond } = provider(scene)
  stage.server.answers((response, { method, url, headers, body }) => {
    const given = respond(method, url, headers.authorization ?? null, body)
    if (given === 'reset') return void response.socket?.destroy()
    response.writeHead(given.status, given.headers).end(given.body)
  })
  const began = stage.clock.milliseconds()
  const { http } = stage.use({
    manifest: { auth: [SCHEMES[scene.scheme]] },
    credentials: CREDENTIALS,
    connectionId: `acme:${turn}`,
    fingerprint: `print ${turn}`,
    describeError,
  })
  const result = await reported(http, scene)
  return { result, seen, waited: stage.clock.milliseconds() - began }
}

async function behindTheKit(stage: PortStage, scene: Scene) {
  const { seen, answer: respond } = provider(scene)
  const began = Date.parse('2026-11-20T12:00:00.000Z')
  let now = began
  const fake: Pick<ProviderFake, 'answer' | 'advance'> = {
    advance: () => {},
    async answer(request) {
      const { pathname } = new URL(request.url)
      const authorization = request.headers.get('authorization')
      const given = respond(request.method, pathname, authorization, await request.text())
      if (given === 'reset') throw new FakeReset()
      return new Response(given.body ?? null, { status: given.status, headers: given.headers })
    },
  }
  const plugin: Plugin = {
    manifest: stage.manifest({ auth: [SCHEMES[scene.scheme]] }),
    lifecycle: async () => ({
      default: {
        check: async () => ({ account: '', missingPermissions: [] }),
        describeError,
      },
    }),
    capabilities: {},
  }
  const { http } = makeHost({
    plugin,
    fake: fake as ProviderFake,
    settings: { host: stage.server.origin },
    credentials: CREDENTIALS,
    signal: new AbortController().signal,
    hanging: 'late',
    tokens: new TokenCache(),
    connection: 'good',
    pairs: new ScratchPairs(''),
    refused: () => {},
    clock: { milliseconds: () => now, advance: (by) => void (now += by) },
  })
  return { result: await reported(http, scene), seen, waited: now - began }
}

test.group('The host of the conformance suite', () => {
  test('answers, sends, waits and fails as the port of the service does', async ({
    assert,
    cleanup,
  }) => {
    const stage = await stageOf(cleanup)
    let turn = 0
    await fc.assert(
      fc.asyncProperty(scenes, async (scene) => {
        const service = await behindTheService(stage, scene, ++turn)
        assert.deepEqual(await behindTheKit(stage, scene), service)
      }),
      { numRuns: runs(100) }
    )
  })
})
