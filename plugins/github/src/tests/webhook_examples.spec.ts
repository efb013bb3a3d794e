import { createHmac } from 'node:crypto'
import { createRequire } from 'node:module'
import { test } from '@japa/runner'
import type { WebhookDefinition } from '@octokit/webhooks-examples'
import type { Repository } from '@octokit/webhooks-types'
import plugin from '../plugin.js'

/*
 * The payloads that GitHub publishes as examples of its webhooks, for github.com and for the newest
 * Enterprise Server among them.
 */

const read = createRequire(import.meta.url)
const EDITIONS: Readonly<Record<string, WebhookDefinition[]>> = {
  'github.com': read('@octokit/webhooks-examples'),
  'Enterprise Server': read('@octokit/webhooks-examples/ghes-35/index.json'),
}

const SECRET = 'a secret of the webhook'
const receivedAt = new Date('2026-11-20T12:00:00.000Z')

function delivered(name: string, payload: object) {
  const rawBody = Buffer.from(JSON.stringify(payload))
  const signature = createHmac('sha256', SECRET).update(rawBody).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'x-github-event': name,
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-hub-signature-256': `sha256=${signature}`,
  }
  return { headers, rawBody, receivedAt }
}

/** The events that the plugin asks for, by edition. */
const ASKED = Object.keys(EDITIONS).flatMap((edition) =>
  plugin.manifest.webhooks!.events!.map((name) => ({ edition, name }))
)

/** Finds what an event is about in the example, without the help of the plugin. */
function expectedOf(name: string, payload: Record<string, any>) {
  const arrival = receivedAt.toISOString()
  if (name === 'push' || name === 'create') return { id: payload.ref, url: undefined, at: arrival }
  const { number, id, html_url: url, updated_at: at } = payload[name]
  return { id: String(name === 'pull_request' ? number : id), url, at }
}

test.group('GitHub | published webhooks', () => {
  test('every example of {name} is read and reaches its repository: {edition}')
    .with(ASKED)
    .run(async ({ assert }, { edition, name }) => {
      const { default: webhooks } = await plugin.webhooks!()
      const { examples } = EDITIONS[edition].find((each) => each.name === name)!
      assert.isNotEmpty(examples)
      for (const payload of examples) {
        const request = delivered(name, payload)
        assert.isTrue(webhooks.verify(request, [SECRET], {}))
        const [event, ...others] = webhooks.parse(request)
        assert.isEmpty(others)
        const { id, url, at } = expectedOf(name, payload)
        assert.equal(event.deliveryId, request.headers['x-github-delivery'])
        assert.deepEqual(
          [event.type, event.subject.id, event.subject.url, event.occurredAt],
          [name, id, url, at]
        )
        const { full_name: own } = (payload as { repository: Repository }).repository
        const concerns = (repoName: string) =>
          webhooks.concerns!(event, { data: { repoName }, app: null })
        assert.deepEqual([concerns(own), concerns(`${own}-2`)], [true, false])
      }
    })

  test('examples of other events, which an App may send too, lead to nothing', async ({
    assert,
  }) => {
    const { default: webhooks } = await plugin.webhooks!()
    const asked = plugin.manifest.webhooks!.events!
    const others = EDITIONS['github.com'].filter(({ name }) => !asked.includes(name))
    assert.isAbove(others.length, 30)
    for (const { name, examples } of others) {
      for (const payload of examples) {
        assert.deepEqual(webhooks.parse(delivered(name, payload)), [], name)
      }
    }
  })

  test('an example that was changed on its way is refused', async ({ assert }) => {
    const { default: webhooks } = await plugin.webhooks!()
    const [payload] = EDITIONS['github.com'].find(({ name }) => name === 'push')!.examples
    const { headers } = delivered('push', payload)
    const { rawBody } = delivered('push', { ...payload, ref: 'refs/heads/other' })
    assert.isFalse(webhooks.verify({ headers, rawBody, receivedAt }, [SECRET], {}))
  })
})
