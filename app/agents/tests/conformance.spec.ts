import { test } from '@japa/runner'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeWorld } from '#tests/support/world'
import { CHECKS_LEFT_OUT, SCENARIOS_LEFT_OUT } from './conformance_left_out.js'

/*
 * The protocol's official conformance suite. It sends no keys: its requests pass through a test
 * server that adds one and changes nothing else.
 */

const PROGRAM = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url)
)

/** The page that documents each scenario for readers. */
const PAGE = readFileSync(new URL('../../../docs/reference/agents.md', import.meta.url), 'utf8')

interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
}

/** Forwards requests with a key. Host and Origin stay as they are. */
async function withKey<Result>(key: string, work: (url: string) => Promise<Result>) {
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const to = { host: process.env.HOST, port: process.env.PORT, method, path }
    const passed = request({ ...to, headers: { ...headers, 'x-api-key': key } }, (response) => {
      outgoing.writeHead(response.statusCode!, response.headers)
      response.pipe(outgoing)
    })
    outgoing.once('close', () => passed.destroy())
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Returns the suite's results for a revision, by scenario. */
async function checked(url: string, revision: string): Promise<Map<string, Check[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'tarmac-conformance-'))
  try {
    const options = ['server', '--url', url, '--requirements', revision, '-o', folder]
    // The suite exits with a failure if any scenario fails, even one that does not apply.
    await new Promise((resolve) => execFile(process.execPath, [PROGRAM, ...options], resolve))
    return new Map(
      readdirSync(folder).map((name) => [
        /^server-(.*?)-\d{4}-\d\d-\d\dT/.exec(name)![1],
        JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[],
      ])
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test.group('The conformance suite of the protocol', () => {
  for (const revision of ['2026-07-28', '2025-11-25'] as const) {
    test(`finds nothing wrong with what applies (${revision})`, async ({ assert }) => {
      const { adminKey } = await makeWorld()
      const found = await withKey(adminKey, (url) => checked(url, revision))
      const leftOut = SCENARIOS_LEFT_OUT[revision]
      assert.isAbove(found.size, Object.keys(leftOut).length)
      for (const scenario of found.keys()) assert.include(PAGE, `\`${scenario}\``)
      for (const scenario of Object.keys(leftOut)) assert.isTrue(found.has(scenario), scenario)
      for (const [scenario, checks] of found) {
        if (scenario in leftOut) continue
        const wrong = checks.filter(
          ({ id, status }) =>
            ['FAILURE', 'WARNING'].includes(status) && !(`${scenario}:${id}` in CHECKS_LEFT_OUT)
        )
        assert.deepEqual(wrong, [], scenario)
        assert.isTrue(
          checks.some(({ status }) => status === 'SUCCESS'),
          `${scenario} shows something`
        )
      }
    }).timeout(240_000)
  }
})
