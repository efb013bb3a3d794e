import { test } from '@japa/runner'
import { Webhook } from 'svix'
import { WebhookCreate } from '#webhooks/commands/webhook_create'
import { WebhookDeliveries } from '#webhooks/commands/webhook_deliveries'
import { WebhookList } from '#webhooks/commands/webhook_list'
import { WebhookPing } from '#webhooks/commands/webhook_ping'
import { runCommand } from '#tests/support/console'
import { runAce } from '#tests/support/processes'
import { makeWorld } from '#tests/support/world'
import { Receiver } from './support/receiver.js'
import { Stage } from './support/stage.js'

test.group('webhook commands', (group) => {
  const receivers: Receiver[] = []
  group.each.teardown(async () => {
    for (const receiver of receivers.splice(0)) await receiver.stop()
  })

  async function listen(): Promise<Receiver> {
    const receiver = await new Receiver().start()
    receivers.push(receiver)
    return receiver
  }

  test('webhook:create prints id, url and secret, the latter once', async ({ assert }) => {
    const { organizationId } = await makeWorld()
    const { url } = await listen()
    const made = await runCommand(WebhookCreate, [
      `--org=${organizationId}`,
      `--url=${url}`,
      '--events=release.created,release.kickedOff',
    ])
    assert.equal(made.code, 0)
    assert.deepEqual(Object.keys(made.document), ['id', 'url', 'secret'])
    assert.equal(made.document.url, url)
    const { document, stdout } = await runCommand(WebhookList, [`--org=${organizationId}`])
    assert.containsSubset(document, [
      { id: made.document.id, url, events: ['release.created', 'release.kickedOff'] },
    ])
    assert.notInclude(stdout, made.document.secret)
  })

  test('a forbidden URL or an unknown event leads to a line on standard error', async ({
    assert,
  }) => {
    const { organizationId } = await makeWorld()
    const org = `--org=${organizationId}`
    const forbidden = await runCommand(WebhookCreate, [org, '--url=http://10.0.0.1/'])
    assert.deepEqual([forbidden.code, forbidden.stdout], [1, ''])
    assert.match(forbidden.stderr, /OUTBOUND_ALLOW/)
    const url = '--url=https://hooks.example.com/'
    const unknown = await runCommand(WebhookCreate, [org, url, '--events=release.kickedOf'])
    assert.deepEqual([unknown.code, unknown.stdout], [1, ''])
    assert.equal(
      unknown.stderr,
      'There is no event "release.kickedOf". Did you mean release.kickedOff?'
    )
    const list = await runCommand(WebhookList, [org])
    assert.deepEqual(list.document, [])
  })

  test('webhook:ping sends the message itself and prints the result', async ({ assert }) => {
    const stage = await Stage.set()
    const receiver = await listen()
    const { row, secret } = await stage.endpoint(receiver.url)
    const ping = await runCommand(WebhookPing, [row.id])
    assert.equal(ping.code, 0)
    assert.containsSubset(ping.document, { status: 'succeeded', attempt: { statusCode: 204 } })
    const [got] = receiver.received
    const headers = got.headers as Record<string, string>
    assert.doesNotThrow(() => new Webhook(secret).verify(got.body, headers))
    await stage.drain()
    assert.lengthOf(receiver.received, 1)

    receiver.answer(500)
    const failed = await runCommand(WebhookPing, [row.id, '--event=release.created'])
    assert.equal(failed.code, 1)
    assert.containsSubset(failed.document, { status: 'failed', attempt: { statusCode: 500 } })

    const list = await runCommand(WebhookDeliveries, [row.id])
    assert.deepEqual(
      list.document.map((each: { status: string }) => each.status),
      ['failed', 'succeeded']
    )
    const few = await runCommand(WebhookDeliveries, [row.id, '--status=failed', '--limit=1'])
    assert.lengthOf(few.document, 1)
  })

  test('an endpoint of another organization is not found', async ({ assert }) => {
    const stage = await Stage.set()
    const { row } = await stage.endpoint('https://hooks.example.com/')
    const other = await makeWorld()
    for (const command of [WebhookPing, WebhookDeliveries]) {
      const result = await runCommand(command, [row.id, `--org=${other.organizationId}`])
      assert.deepEqual([result.code, result.stdout], [1, ''])
      const absent = await runCommand(command, ['whe_absent'])
      assert.equal(absent.stderr, 'There is no such webhook endpoint.')
    }
  })

  test('they print one document and nothing else, while the service runs', async ({ assert }) => {
    const { organizationId } = await makeWorld()
    const { url } = await listen()
    const made = await runAce('webhook:create', `--org=${organizationId}`, `--url=${url}`, '--json')
    assert.deepEqual([made.code, made.stderr], [0, ''])
    assert.match(made.stdout, /^\{.*\}\n$/)
    const { id } = JSON.parse(made.stdout)
    const ping = await runAce('webhook:ping', id, '--json')
    assert.deepEqual([ping.code, ping.stderr], [0, ''])
    assert.equal(JSON.parse(ping.stdout).status, 'succeeded')
  })
})
