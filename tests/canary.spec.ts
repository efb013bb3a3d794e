import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { randomText } from '#foundation/core/ids'
import { Api, type ApiAnswer } from '#tests/support/api'
import { runAce, startService } from '#tests/support/processes'
import { snapshot } from '#tests/support/snapshot'
import { makeWorld } from '#tests/support/world'
import { connect } from '#integrations/tests/support/connect'
import { Receiver } from '#webhooks/tests/support/receiver'

/*
 * Secrets are planted in a service that logs at the most verbose level. They turn up in nothing that
 * it stores, answers or sends, except where a secret is shown once or is meant to be sent.
 */

const YAML = `name: Canary ${randomText(6)}
platform: ios
stepGroups:
  - steps:
      - name: Kickoff
        archetype: kickoff
        releaseTypes:
          standard:
            required: true
`

/** Returns the forms in which a secret may turn up: whole, in part, and its bytes encoded. */
function spellings(name: string, secret: string): [string, string][] {
  const core = secret.replace(/^whsec_/, '')
  const bytes = Buffer.from(core, secret === core ? 'utf8' : 'base64')
  const spelt = [core, core.slice(4, -6), bytes.toString('base64'), bytes.toString('hex')]
  return spelt.map((text) => [name, text])
}

test.group('Planted secrets', () => {
  test('are found in no log, error, payload, export or column', async ({ assert }) => {
    await db.from('webhook_endpoints').delete()
    const world = await makeWorld()
    const receiver = await new Receiver().start()
    const service = await startService({ LOG_LEVEL: 'trace', NODE_ENV: 'development' })
    const outputs: string[] = []
    const recorded = <Body>(response: ApiAnswer<Body>): Body => {
      outputs.push(response.text, JSON.stringify(response.headers))
      return response.body
    }
    const api = new Api(world.adminKey, service.base)
    const org = `/org/${world.organizationId}`
    const headerValue = `canary-${randomText(24)}`
    const token = `canary-${randomText(24)}`
    await connect(world, 'memory', { credentials: { token } })
    const canaries = [
      ...spellings('key', world.adminKey.slice(-38)),
      ...spellings('header', headerValue),
      ...spellings('credential', token),
    ]
    let output = ''
    try {
      const once = { headers: { 'idempotency-key': randomText(20) } }
      const endpointInput = { url: receiver.url, headers: { 'x-team': headerValue } }
      const made = await api.post(`${org}/webhookEndpoint`, endpointInput, once)
      assert.equal(made.status, 201)
      canaries.push(...spellings('webhook secret', made.body.secret))
      const endpoint = `${org}/webhookEndpoint/${made.body.id}`
      const rotated = await api.post(`${endpoint}/rotateSecret`, {})
      canaries.push(...spellings('second webhook secret', rotated.body.secret))

      const yaml = { raw: YAML, headers: { 'content-type': 'application/yaml' } }
      const app = recorded(await api.post(`${org}/app/config`, undefined, yaml))
      const feed = await api.post(`${org}/calendarFeed`, { appId: app.id })
      const { pathname: calendar } = new URL(feed.body.url)
      canaries.push(...spellings('calendar', calendar.split('/').at(-1)!.replace('.ics', '')))
      recorded(await new Api(null, service.base).get(calendar))
      const release = recorded(await api.post(`/app/${app.id}/release`, { version: '1.0' }))
      recorded(await api.put(`/app/${app.id}/release/${release.id}/kickoff`))
      receiver.answer(500)
      const ping = recorded(await api.post(`${endpoint}/ping`))
      while (receiver.received.length < 2) await new Promise((done) => setTimeout(done, 20))

      const unknownKey = world.adminKey.slice(0, -7) + 'x'.repeat(7)
      recorded(await new Api(unknownKey, service.base).get(org))
      recorded(
        await api.post(`${org}/group`, undefined, {
          raw: `{"name": "${headerValue}`,
          headers: { 'content-type': 'application/json' },
        })
      )
      recorded(
        await api.post(`${org}/webhookEndpoint`, { ...endpointInput, timeoutSeconds: 99 }, once)
      )
      recorded(await api.patch(endpoint, { headers: { 'x-team': `${headerValue}\n` } }))
      recorded(await api.patch(endpoint, { headers: { host: headerValue } }))
      for (const path of [
        endpoint,
        `${org}/webhookEndpoint`,
        `${endpoint}/statistics`,
        `${endpoint}/delivery`,
        `${endpoint}/delivery/${ping.id}`,
        `${org}/webhookEvent`,
        `${org}/calendarFeed`,
        org,
        `/app/${app.id}`,
        `/app/${app.id}/app/config`,
        `/app/${app.id}/integrations`,
        `/app/${app.id}/release/${release.id}/timelineEvents`,
      ]) {
        const response = await api.get(path)
        assert.equal(response.status, 200, path)
        recorded(response)
      }
      for (const command of [
        ['key:list', '--org', world.organizationId, '--json'],
        ['webhook:list', '--org', world.organizationId, '--json'],
        ['webhook:deliveries', made.body.id, '--json'],
        ['app:export', app.id],
        ['provider:list', '--org', world.organizationId, '--json'],
        ['integrations:log', '--org', world.organizationId, '--json'],
      ]) {
        const { code, stdout, stderr } = await runAce(...command)
        assert.equal(code, 0, `${command[0]}: ${stderr}`)
        outputs.push(stdout, stderr)
      }
    } finally {
      const { stdout, stderr } = await service.stop()
      output = stdout + stderr
      await receiver.stop()
    }

    // The header is meant for the receiver; no other secret may reach it.
    for (const { headers } of receiver.received) assert.equal(headers['x-team'], headerValue)
    const sent = receiver.received.map(({ headers: { 'x-team': _, ...rest }, body, path }) =>
      JSON.stringify([rest, body, path])
    )
    const sinks = {
      'the log': output,
      'an answer': outputs.join('\n'),
      'what is sent': sent.join('\n'),
      'the database': Object.values(await snapshot([world.organizationId])).join('\n'),
    }
    for (const [sink, text] of Object.entries(sinks)) assert.isNotEmpty(text, sink)
    for (const [sink, text] of Object.entries(sinks)) {
      for (const [name, secret] of canaries) {
        assert.isFalse(text.includes(secret), `${sink} holds the ${name}`)
      }
    }
  }).timeout(60_000)
})
