import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { test } from '@japa/runner'
import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { cursors, executor } from '#foundation/api/services'
import { clock } from '#foundation/core/services'
import { makeTrain } from '#releases/tests/helpers/release_world'
import type { World } from '#tests/support/world'
import { asAgent } from '../client_names.js'
import { makeServer } from '../make_server.js'
import { Plans } from '../plans.js'
import { tools } from '../tools/catalog.js'
import { callToday, headersFor, messageOf, META, readAnswer } from './support.js'

const create = (app: string, version: string) => ({
  action: 'create',
  appId: app,
  body: { version },
})

/** Sends a call over its own connection. */
function sending(key: string, name: string, args: object, more: object = {}): ClientRequest {
  const sent = request({
    host: process.env.HOST,
    port: process.env.PORT,
    path: '/mcp',
    method: 'POST',
    agent: false,
    headers: { ...headersFor('tools/call', name), 'x-api-key': key },
  })
  sent.end(JSON.stringify(messageOf('tools/call', { name, arguments: args }, { ...META, ...more })))
  return sent
}

/** Blocks all writes of an app until `letGo` is called. */
async function holdingUp(world: World, app: string, work: (letGo: () => void) => Promise<void>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const held = world.write(async (scope) => {
    // Writes of an app lock its row.
    await scope.transaction.from('apps').where('id', app).update({ id: app })
    begin()
    await promise
  })
  await begun
  try {
    await work(resolve)
  } finally {
    resolve()
    await held
  }
}

/** Waits until the service has processed everything sent or closed before. */
async function heard(world: World) {
  for (let index = 0; index < 5; index++) {
    await world.admin.get(`/org/${world.organizationId}`)
    await turn()
  }
}

const messagesIn = (text: string) =>
  text.split('\n').flatMap((line) => (line.startsWith('data:') ? [JSON.parse(line.slice(5))] : []))

const versionsOf = async (world: World, app: string) =>
  (await world.admin.get(`/v2/app/${app}/releases`)).body.data.map(
    ({ version }: { version: string }) => version
  )

test.group('A client that waits for a call', () => {
  test('gets progress if it asked for that', async ({ assert }) => {
    const { app, world } = await makeTrain()
    const meta = { progressToken: 'mine' }
    const sent = sending(world.adminKey, 'manage_release', create(app, '1.0.0'), meta)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    assert.match(response.headers['content-type']!, /^text\/event-stream/)
    const text = (await response.setEncoding('utf8').toArray()).join('')
    const messages = messagesIn(text)
    const reported = messages.filter(({ method }) => method === 'notifications/progress')
    // On a busy machine there is also a message that the call continues.
    assert.deepEqual(
      reported
        .slice(0, 2)
        .map(({ params }) => [params.progressToken, params.progress, params.message]),
      [
        ['mine', 1, 'Waiting for its turn'],
        ['mine', 2, 'Being carried out'],
      ]
    )
    assert.equal(readAnswer(messages.at(-1).result).structuredContent.outcome, 'done')
  })

  test('stops it by disconnecting, and nothing is stored', async ({ assert }) => {
    const { app, world } = await makeTrain()
    await holdingUp(world, app, async (letGo) => {
      for (const meta of [{}, { progressToken: 1 }]) {
        const sent = sending(world.adminKey, 'manage_release', create(app, '1.0.0'), meta)
        // A client that disconnects gets an error on its own connection.
        sent.on('error', () => {})
        await once(sent, 'finish')
        await heard(world)
        const closed = new Promise((resolve) => sent.once('close', resolve))
        sent.destroy()
        await closed
      }
      await heard(world)
      letGo()
    })
    // A call with a waiting client runs after the others.
    await callToday(world.admin, 'manage_release', create(app, '1.1.0'))
    assert.deepEqual(await versionsOf(world, app), ['1.1.0'])
  })

  test('stops it by cancelling, on a connection that stays', async ({ assert }) => {
    const { app, world } = await makeTrain()
    const plans = new Plans(cursors)
    const server = makeServer(
      (client) => ({
        principal: asAgent(world.principal, client),
        baseUrl: '',
        executor,
        plans,
        clock,
      }),
      tools
    )
    const [here, there] = InMemoryTransport.createLinkedPair()
    const client = new Client({ name: 'Pilot bot', version: '3.0.0' })
    await Promise.all([server.connect(there), client.connect(here)])
    const gone = new AbortController()
    await holdingUp(world, app, async (letGo) => {
      const call = { name: 'manage_release', arguments: create(app, '1.0.0') }
      const requested = client.callTool(call, { signal: gone.signal })
      await heard(world)
      gone.abort('Nobody needs it')
      await assert.rejects(() => requested)
      await heard(world)
      letGo()
    })
    await client.callTool({ name: 'manage_release', arguments: create(app, '1.1.0') })
    await client.close()
    assert.deepEqual(await versionsOf(world, app), ['1.1.0'])
  })
})

test.group('Two hundred clients at once', () => {
  test('each get their own answer, as themselves', async ({ assert }) => {
    const trains = await Promise.all([makeTrain(['1.0.0']), makeTrain(['1.0.0'])])
    const answered = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const { app, world } = trains[index % 2]
        const args =
          index % 4 === 0
            ? create(app, `2.${index}.0`)
            : { action: 'get', appId: app, releaseId: `${app}:1.0.0`, fields: ['appId'] }
        const tool = index % 4 === 0 ? 'manage_release' : 'find_releases'
        const info = {
          'io.modelcontextprotocol/clientInfo': { name: `bot ${index}`, version: '1' },
        }
        const response = await callToday(world.admin, tool, args, { ...META, ...info })
        return {
          index,
          app,
          result: response.structuredContent?.result,
          text: response.content[0].text,
        }
      })
    )
    for (const { index, app, result, text } of answered) {
      assert.equal(result?.appId, app, text)
      if (index % 4 === 0) assert.equal(result.version, `2.${index}.0`)
    }
    const { app, admin } = trains[0]
    const path = `/app/${app}/release/${app}:2.100.0/timelineEvents`
    const { data } = (await admin.get(path)).body
    assert.equal(data.at(-1).actor.name, 'admin (agent: bot 100)')
  }).timeout(60_000)
})
