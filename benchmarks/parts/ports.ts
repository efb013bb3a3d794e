import { once } from 'node:events'
import { json } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import { SystemClock } from '#foundation/core/clock'
import { OutboundClient } from '#outbound-client/client'
import { HTTP_DEFAULTS } from '#provider-port/http_options'
import { MemoryBudgets } from '#provider-port/budgets'
import { makePort } from '#provider-port/make_port'
import type { PortFetch } from '#plugin-kit/http'
import { fixed, inTurn, median, ratio, timings, reported } from '../figures.js'
import type { Row } from '../part.js'

const CALLS = 1000

/** A thread with a provider that answers 4 KB of JSON; it posts its port number. */
export const PROVIDER = `
  const { parentPort } = require('node:worker_threads')
  const items = Array.from({ length: 40 }, (_, id) => ({ id, name: 'release/' + id, text: 'x'.repeat(60) }))
  const body = JSON.stringify(items)
  const server = require('node:http').createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

/**
 * A port as the service makes it, without the log rows that the service stores outside of calls.
 */
function portTo(origin: string): PortFetch {
  const port = makePort({
    transport: new OutboundClient({ allowLoopback: true }),
    clock: new SystemClock(),
    logger: { warn: () => {} },
    budgets: new MemoryBudgets(),
    options: HTTP_DEFAULTS,
  })
  const { fetch } = port.use({
    connection: {
      manifest: {
        id: 'bench',
        aliases: [],
        name: 'Bench',
        version: '1.0.0',
        spi: 1,
        docsUrl: 'https://bench.example',
        hosts: { allow: [], selfHosted: true },
        auth: [{ scheme: 'none' }],
        credentialSchema: { type: 'object', properties: {} },
        connectionSchema: { type: 'object', properties: { host: { type: 'string' } } },
        rate: { requests: 1_000_000, perSeconds: 10, concurrency: 10, scope: 'connection' },
        capabilities: {},
      },
      settings: { host: origin },
      credentials: { token: 'bench-token' },
      fingerprint: 'bench',
      id: 'bench:1',
      recorder: { add: () => {}, report: () => {} },
    },
    signal: new AbortController().signal,
    isForPerson: false,
    describeError: async () => undefined,
    authenticator: () => ({
      headers: async () => ({ authorization: 'Bearer bench-token' }),
      renew: () => false,
      permits: async () => null,
    }),
  })
  return fetch
}

/**
 * Measures a call by the port, by the outbound client and by `fetch`: median microseconds of 1,000.
 */
export async function measurePorts(): Promise<Row[]> {
  const server = new Worker(PROVIDER, { eval: true })
  try {
    const [portNumber] = (await once(server, 'message')) as [number]
    const url = `http://127.0.0.1:${portNumber}/releases`
    const headers = { authorization: 'Bearer bench-token' }
    const calls = (call: () => Promise<{ json(): Promise<unknown> }>) => async () =>
      1000 * median(await timings(CALLS, async () => (await call()).json()))
    const ported = portTo(new URL(url).origin)
    const client = new OutboundClient({ allowLoopback: true })
    const { signal } = new AbortController()
    const runs = {
      bare: calls(() => fetch(url, { headers })),
      client: calls(async () => {
        const { body } = await client.open({ url, method: 'GET', headers, signal })
        return { json: () => json(body) }
      }),
      port: calls(() => ported(url)),
    }
    const figures = await inTurn(runs)
    const what = 'call to a provider, 4 KB of JSON on loopback'
    const service = reported(figures.port, 'µs')
    const shareLost = (baseline: readonly number[]) =>
      `${fixed(100 * (1 - ratio(baseline, figures.port)))} %`
    return [
      {
        what: `${what}, against the guarded client alone`,
        service,
        beside: `client ${reported(figures.client, 'µs')}`,
      },
      {
        what: `${what}, against bare \`fetch\` on a kept connection`,
        service,
        beside: `fetch ${reported(figures.bare, 'µs')}`,
      },
      {
        what: 'share of a call to a provider lost to the port’s own code',
        service: shareLost(figures.client),
        aim: 'at most 25 %',
      },
      {
        what: 'share of a call to a provider lost against bare `fetch`',
        service: shareLost(figures.bare),
      },
    ]
  } finally {
    await server.terminate()
  }
}
