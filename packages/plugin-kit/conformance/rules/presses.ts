import assert from 'node:assert/strict'
import type { Delivery, Press } from '../../fake/fake_provider.js'
import type { InboundRequest, Plugin } from '../../plugin.js'
import type { Bench } from '../bench.js'
import type { KindSuite } from '../kinds/suite.js'
import type { ConformanceOptions } from '../options.js'
import type { Rule, RuleInput } from './rule.js'

const SECRET = 'whsec_Y29uZm9ybWFuY2Utc2VjcmV0LW9uZQ=='
const OTHER = 'whsec_Y29uZm9ybWFuY2Utc2VjcmV0LXR3bw=='
const HOUR_MS = 3_600_000

/** A button as the service makes it; its name and value must come back unchanged. */
const BUTTON = { label: 'Approve', action: 'approveRelease', value: 'v1.sealed:"é" +/=&' }
const MEMBER = 'U1'

/** Group W: genuine and forged presses of buttons. */
export function pressRules({ options, suites }: RuleInput): Rule[] {
  const chat = suites.find((suite): suite is KindSuite<'chat'> => suite.kind === 'chat')
  const { plugin } = options
  if (!plugin.interactions || !chat) return []
  return [
    {
      id: 'W8',
      title: 'a press reports who pressed which button, and is the same when it comes again',
      async run(bench) {
        const { verify, read, press } = await opened(bench, options, chat)
        const sent = press('press-1')
        assert.ok(verify(sent), 'A press is refused')
        const first = read(sent)
        assert.ok(first, 'A press is read as none')
        const { action, value } = BUTTON
        const { deliveryId, occurredAt } = first
        assert.deepEqual(
          { action: first.action, value: first.value, memberId: first.memberId },
          { action, value, memberId: MEMBER }
        )
        assert.ok(
          deliveryId !== '' && !Number.isNaN(Date.parse(occurredAt)),
          'It has no id or time'
        )
        assert.equal(read(sent)?.deliveryId, deliveryId)
        assert.notEqual(read(press('press-2'))?.deliveryId, deliveryId)
      },
    },
    {
      id: 'W9',
      title: 'a press that is forged, changed or sent again after an hour is refused',
      async run(bench) {
        const { verify, press } = await opened(bench, options, chat)
        const sent = press('press-1')
        const text = Buffer.from(sent.rawBody).toString()
        assert.equal(verify(press('press-1', OTHER)), false, 'With another secret')
        assert.equal(verify({ ...sent, headers: {} }), false, 'Without a signature')
        assert.equal(verify({ ...sent, rawBody: Buffer.from(`${text} `) }), false, 'Changed')
        assert.equal(verify(sent, HOUR_MS), false, 'An hour later')
      },
    },
    {
      id: 'W10',
      title: 'somebody whom the provider does not know is no member',
      async run(bench) {
        const { member } = await opened(bench, options, chat)
        const known = await member(MEMBER)
        assert.equal(known.kind, 'member')
        const unknown = await member('U-nobody').catch(() => null)
        assert.ok(unknown?.kind !== 'member', 'Nobody is a member')
      },
    },
  ]
}

/** Posts a message with a button, and returns helpers to press it and to read presses. */
async function opened(bench: Bench, options: ConformanceOptions, suite: KindSuite<'chat'>) {
  const { plugin, data } = options
  bench.seed(suite.scenario(data.chat ?? {}))
  const [channelId = 'C1'] = (data.chat?.primaryChannelIds ?? []) as string[]
  const chat = await bench.capability('chat')
  const message = { text: 'Version 1.2.3', buttons: [BUTTON] }
  const { id: messageId } = await chat.post(channelId, message, bench.mutation())
  const { default: interactions } = await plugin.interactions!()
  const { default: webhooks } = await requireWebhooks(plugin)
  const received = (sent: Delivery, later = 0): InboundRequest => ({
    ...sent,
    receivedAt: new Date(bench.nowMs + later),
  })
  const { pressSecret } = options
  return {
    press(id: string, secret = SECRET): Delivery {
      const pressed: Press = { channelId, messageId, label: BUTTON.label, memberId: MEMBER, id }
      const sent = bench.fake.deliverPress?.(pressed, { secret, at: bench.nowMs })
      assert.ok(sent, 'The fake delivers no press: deliverPress is missing')
      return sent
    },
    /** @returns whether the press is accepted */
    verify(sent: Delivery, later = 0): boolean {
      const credentials = pressSecret === undefined ? {} : { [pressSecret]: SECRET }
      const own = pressSecret === undefined ? [SECRET] : []
      const verified = webhooks.verify(received(sent, later), own, credentials)
      return typeof verified === 'object' || verified
    },
    read: (sent: Delivery) => interactions.read(received(sent)),
    member: (id: string) => interactions.member(bench.context(null), id),
  }
}

function requireWebhooks({ webhooks }: Plugin): ReturnType<NonNullable<Plugin['webhooks']>> {
  assert.ok(webhooks, 'Presses come to the address of webhooks: the plugin has none')
  return webhooks()
}
