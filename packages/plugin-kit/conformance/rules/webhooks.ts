import assert from 'node:assert/strict'
import type { Delivery } from '../../fake/fake_provider.js'
import type { InboundRequest, InboundWebhooks } from '../../plugin.js'
import type { Bench } from '../bench.js'
import type { Rule, RuleInput } from './rule.js'

const SECRET = 'whsec_Y29uZm9ybWFuY2Utc2VjcmV0LW9uZQ=='
const OTHER = 'whsec_Y29uZm9ybWFuY2Utc2VjcmV0LXR3bw=='

/** Schemes that sign the time, so that old deliveries can be refused. */
const TIMED = ['standardWebhooks']
const HOUR_MS = 3_600_000

/** Group W: genuine and forged webhook deliveries. */
export function webhookRules({ options }: RuleInput): Rule[] {
  const { plugin } = options
  const declared = plugin.manifest.webhooks
  if (!declared || !plugin.webhooks) return []
  const event = declared.events[0]
  const signsBody = declared.verify !== 'sharedToken'
  const open = async (bench: Bench) => {
    const { default: webhooks } = await plugin.webhooks!()
    const deliver = (secret = SECRET, at = bench.nowMs) => {
      const delivery = bench.fake.deliverWebhook?.(event, { secret, at })
      assert.ok(delivery, 'The fake delivers nothing: deliverWebhook is missing')
      return delivery
    }
    return { webhooks, deliver }
  }
  const rule = (
    id: string,
    title: string,
    run: (
      webhooks: InboundWebhooks,
      deliver: (secret?: string, at?: number) => Delivery,
      bench: Bench
    ) => void
  ): Rule => ({
    id,
    title,
    async run(bench) {
      const { webhooks, deliver } = await open(bench)
      run(webhooks, deliver, bench)
    },
  })
  const inbound = (delivery: Delivery, bench: Bench, change: Partial<Delivery> = {}) =>
    ({ ...delivery, ...change, receivedAt: new Date(bench.nowMs) }) satisfies InboundRequest
  const rules = [
    rule('W1', 'every event in the manifest is verified and parsed', (webhooks, _, bench) => {
      for (const each of declared.events) {
        const sent = bench.fake.deliverWebhook!(each, { secret: SECRET, at: bench.nowMs })
        const request = inbound(sent, bench)
        assert.equal(verify(webhooks, request, [SECRET]), true, `${each} is refused`)
        const events = webhooks.parse(request)
        assert.ok(events.length > 0, `${each} yields no event`)
        for (const { deliveryId, subject, occurredAt } of events) {
          assert.ok(deliveryId !== '' && subject.id !== '', `${each} names no subject`)
          assert.ok(!Number.isNaN(Date.parse(occurredAt)), `${each} has no time`)
        }
      }
    }),
    rule('W2', 'a signature with another secret is refused', (webhooks, deliver, bench) => {
      assert.equal(verify(webhooks, inbound(deliver(OTHER), bench), [SECRET]), false)
      assert.equal(verify(webhooks, inbound(deliver(), bench), []), false, 'Without a secret')
    }),
    rule('W3', 'the previous secret is still accepted', (webhooks, deliver, bench) => {
      assert.equal(verify(webhooks, inbound(deliver(SECRET), bench), [OTHER, SECRET]), true)
    }),
    rule(
      'W4',
      'missing or malformed headers are refused without an error',
      (webhooks, deliver, bench) => {
        const sent = deliver()
        const broken = Object.keys(sent.headers).map((name) => ({ ...sent.headers, [name]: 'é' }))
        for (const headers of [{}, ...broken]) {
          if (
            JSON.stringify(headers) !== JSON.stringify(sent.headers) &&
            lacksProof(headers, sent)
          ) {
            assert.equal(verify(webhooks, inbound(sent, bench, { headers }), [SECRET]), false)
          }
        }
      }
    ),
    rule('W5', 'a repeated delivery has the same id', (webhooks, deliver, bench) => {
      const sent = deliver()
      const ids = () => webhooks.parse(inbound(sent, bench)).map(({ deliveryId }) => deliveryId)
      const first = ids()
      bench.pass(60_000)
      assert.deepEqual(ids(), first)
    }),
  ]
  if (signsBody) {
    rules.push(
      rule(
        'W6',
        'a changed body is refused, even if only a space differs',
        (webhooks, deliver, bench) => {
          const sent = deliver()
          const text = Buffer.from(sent.rawBody).toString()
          for (const changed of [`${text} `, text.replace(/\d/, '9'), text.replace('"', ' "')]) {
            if (changed === text) continue
            const request = inbound(sent, bench, { rawBody: Buffer.from(changed) })
            assert.equal(verify(webhooks, request, [SECRET]), false)
          }
        }
      )
    )
  }
  if (TIMED.includes(declared.verify)) {
    rules.push(
      rule('W7', 'a delivery that is an hour old is refused', (webhooks, deliver, bench) => {
        const sent = deliver(SECRET, bench.nowMs - HOUR_MS)
        assert.equal(verify(webhooks, inbound(sent, bench), [SECRET]), false)
      })
    )
  }
  return rules
}

/** Returns whether a delivery is accepted, if the credentials contain no secret. */
function verify(webhooks: InboundWebhooks, request: InboundRequest, secrets: string[]): boolean {
  const verified = webhooks.verify(request, secrets, {})
  // Any other value, such as a promise, is returned unchanged and fails the rules.
  return typeof verified === 'object' && 'answer' in verified ? true : verified
}

/** Returns whether a header that authenticates the delivery is missing or changed. */
function lacksProof(headers: Record<string, string>, sent: Delivery): boolean {
  return Object.entries(sent.headers).some(
    ([name, value]) => /sign|token|secret/i.test(name) && headers[name] !== value
  )
}
