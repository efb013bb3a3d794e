import assert from 'node:assert/strict'
import type { ChatScenario } from '../../fake/scenario.js'
import { failsWith } from '../expecting.js'
import type { KindSuite } from './suite.js'

const channelIn = (data: Readonly<Record<string, unknown>>): string => {
  const [first] = (data.primaryChannelIds ?? []) as string[]
  return first ?? 'C1'
}
const scenarioOf = (channels: ChatScenario['channels']) => ({
  chat: { channels, posts: [], users: [{ id: 'U1', email: 'ada@example.com' }] },
})
const postsOf = (state: { chat?: ChatScenario }) => state.chat?.posts ?? []

/** Channels, messages in them, and people. */
export const chat: KindSuite<'chat'> = {
  kind: 'chat',
  scenario: (data) => scenarioOf([{ id: channelIn(data), name: 'releases' }]),
  read: (capability) => capability.listChannels(''),
  list: {
    scenario: (count, data) =>
      scenarioOf(
        Array.from({ length: count }, (_, index) => ({
          id: index === 0 ? channelIn(data) : `C${1000 + index}`,
          name: `releases-${index}`,
        }))
      ),
    page: (capability, cursor) => capability.listChannels('', cursor),
    idOf: (item) => (item as { id: string }).id,
  },
  change: {
    run: (capability, mutation, data) =>
      capability.post(channelIn(data), { text: 'Version 1.2.3 is out' }, mutation),
    effects: (state) => postsOf(state).length,
  },
  tour: (capability, mutation, data) => [
    () => capability.listChannels('rel'),
    () => capability.post(channelIn(data), { text: 'Hello' }, mutation()),
    () => capability.ensureChannel?.('release-2', [], mutation()),
    () => capability.update?.(channelIn(data), { id: 'M1' }, { text: 'Bye' }, mutation()),
    () => capability.findUserByEmail?.('ada@example.com'),
  ],
  rules: [
    {
      id: 'C1',
      title: 'a message comes to its channel, with its text, and can be found by its id',
      async run({ fake, options }, capability) {
        const channel = channelIn(options.data.chat ?? {})
        const text = 'Version 1.2.3 is in review ✓ <b>&'
        const ref = await capability.post(channel, { text }, { idempotencyKey: 'c1' })
        const [post] = postsOf(fake.state())
        assert.ok(post, 'There is no message')
        assert.equal(post.id, ref.id)
        assert.equal(post.channelId, channel)
        assert.equal(post.text, text)
      },
    },
    {
      id: 'C2',
      title: 'an answer stands in the thread of what it answers',
      async run(bench, capability) {
        const channel = channelIn(bench.options.data.chat ?? {})
        const first = await capability.post(channel, { text: 'one' }, bench.mutation())
        const more = { ...bench.mutation(), threadOf: first.id }
        const second = await capability.post(channel, { text: 'two' }, more)
        const posts = postsOf(bench.fake.state())
        assert.equal(posts.find(({ id }) => id === second.id)?.threadOf, first.id)
        assert.equal(posts.find(({ id }) => id === first.id)?.threadOf, undefined)
      },
    },
    {
      id: 'C3',
      title: 'a channel that does not exist is reported as such',
      async run(bench, capability) {
        const call = capability.post('C-nowhere', { text: 'one' }, bench.mutation())
        await failsWith(call, 'notFound')
      },
    },
    {
      id: 'C4',
      title: 'a message that is changed stays one message',
      feature: 'update',
      async run(bench, capability) {
        const channel = channelIn(bench.options.data.chat ?? {})
        const ref = await capability.post(channel, { text: 'one' }, bench.mutation())
        await capability.update!(channel, ref, { text: 'two' }, bench.mutation())
        const texts = postsOf(bench.fake.state()).map(({ id, text }) => [id, text])
        assert.deepEqual(texts, [[ref.id, 'two']])
      },
    },
    {
      id: 'C5',
      title: 'a channel is made once, however often it is asked for',
      feature: 'ensureChannel',
      async run(bench, capability) {
        const first = await capability.ensureChannel!('release-1-2-3', [], bench.mutation())
        const again = await capability.ensureChannel!('release-1-2-3', [], bench.mutation())
        assert.equal(again.id, first.id)
        const { chat: now } = bench.fake.state()
        assert.equal(now?.channels.filter(({ name }) => name === 'release-1-2-3').length, 1)
      },
    },
    {
      id: 'C6',
      title: 'a person is found by an address, and nobody by one that is not known',
      feature: 'findUserByEmail',
      async run(_bench, capability) {
        assert.equal((await capability.findUserByEmail!('ada@example.com'))?.id, 'U1')
        assert.equal(await capability.findUserByEmail!('nobody@example.com'), null)
      },
    },
  ],
}
