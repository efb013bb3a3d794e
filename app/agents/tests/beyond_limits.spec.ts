import { fileURLToPath } from 'node:url'
import { test } from '@japa/runner'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { quota } from '#foundation/api/services'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { headersFor, messageOf, readAnswer, refusalOf, type ToolAnswer } from './support.js'

/* The red button works beyond the rate limits, however it is pressed. */

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

const plain = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })

const callOf = (name: string, args: Record<string, unknown>) => ({ name, arguments: args })

test.group('Beyond the limits of requests', (group) => {
  const { perDay } = quota.settings
  group.each.teardown(() => {
    quota.settings.perDay = perDay
  })

  test('a call of the red button is let in, and nothing else', async ({ assert }) => {
    const { admin, app } = await makeTrain(['1.0.0'])
    const its = { appId: app, releaseId: `${app}:1.0.0` }
    quota.settings.perDay = 1
    const answersTo = async (method: string, params: Record<string, any>) => {
      const headers = headersFor(method, params.name)
      const { accept, 'content-type': type } = headers
      return Promise.all([
        admin.send<any>('POST', '/mcp', { json: messageOf(method, params), headers }),
        admin.send<any>('POST', '/mcp', {
          json: plain(method, params),
          headers: { accept, 'content-type': type },
        }),
      ])
    }
    for (const { status, body } of [
      ...(await answersTo('tools/list', {})),
      ...(await answersTo('tools/call', callOf('look_around', { action: 'apps' }))),
      ...(await answersTo('tools/call', callOf('rollout', { action: 'get', ...its }))),
      ...(await answersTo(
        'tools/call',
        callOf('rollout', { action: 'red_button', ...its, dryRun: true })
      )),
    ])
      assert.deepEqual([status, body.code], [429, 'daily_limit_reached'])
    const { status } = await admin.send('POST', '/mcp', { raw: '{"jsonrpc"' })
    assert.equal(status, 429)
    const pressed = await answersTo(
      'tools/call',
      callOf('rollout', { action: 'red_button', ...its })
    )
    for (const { status: given, body, headers } of pressed) {
      assert.equal(given, 200)
      assert.match(headers.ratelimit, /"daily";r=0/)
      assert.equal(readAnswer(body.result).structuredContent.outcome, 'done')
    }
  })

  test('the red button is not refused on standard input either', async ({ assert }) => {
    const { app, world } = await makeTrain(['1.0.0'])
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ['ace.js', 'mcp'],
      cwd: ROOT,
      env: {
        ...(process.env as Record<string, string>),
        TARMAC_API_KEY: world.adminKey,
        LIMIT_PER_DAY: '1',
      },
    })
    const client = new Client({ name: 'Pilot bot', version: '3.0.0' })
    await client.connect(transport)
    try {
      const asked = (name: string, args: Record<string, unknown>) =>
        client.callTool(callOf(name, args)) as Promise<ToolAnswer>
      await asked('look_around', { action: 'apps' })
      const refused = await asked('look_around', { action: 'apps' })
      assert.equal(refusalOf(refused).code, 'daily_limit_reached')
      const its = { appId: app, releaseId: `${app}:1.0.0` }
      const pressed = readAnswer(await asked('rollout', { action: 'red_button', ...its }))
      assert.equal(pressed.structuredContent.outcome, 'done')
    } finally {
      await client.close()
    }
  }).timeout(60_000)
})
