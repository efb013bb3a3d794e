import { test } from '@japa/runner'
import type { Chat, ProviderError } from '@tarmac/plugin-kit'
import { Bench } from '@tarmac/plugin-kit/testing'
import { contentOf } from '../blocks.js'
import { describeError } from '../errors.js'
import { APP, type SlackFake } from '../fake/index.js'
import interactions from '../interactions.js'
import setup from '../setup.js'
import webhooks from '../webhooks.js'
import { checkBlocks } from '../fake/check_blocks.js'
import { options } from './support/options.js'

const CHANNEL = 'C0RELEASES'
const KEY = { idempotencyKey: 'k1' }

async function stage() {
  const bench = new Bench(options)
  bench.seed({
    chat: {
      channels: [{ id: CHANNEL, name: 'releases' }],
      posts: [],
      users: [{ id: 'U1', email: 'ada@example.com' }],
    },
  })
  const fake = bench.fake as SlackFake
  const chat: Chat = await bench.capability('chat')
  const [channel] = fake.workspace.channels
  return { bench, fake, chat, channel }
}

const refusal = (call: Promise<unknown>): Promise<ProviderError> =>
  call.then(
    () => {
      throw new Error('It went well')
    },
    (error: ProviderError) => error
  )

test.group('Slack | messages', () => {
  test('are blocks in which text of others is never markup', ({ assert }) => {
    const { text, blocks } = contentOf({
      text: 'Acme 1.0.0\n<!channel> *all* & <https://evil.example|here>',
      blocks: [
        { kind: 'heading', value: 'x'.repeat(200) },
        { kind: 'text', value: '<!channel> *all*' },
        { kind: 'facts', value: [{ label: 'Waits for', text: '<@U9> & more' }] },
        { kind: 'link', value: { label: 'Open', url: 'https://tarmac.example/a' } },
      ],
      buttons: [
        { label: 'Approve', action: 'approve', value: 'v1' },
        { label: 'Approve', action: 'approve', value: 'v2', asks: 'Really?', style: 'danger' },
        { label: 'Open', url: 'https://tarmac.example/b' },
      ],
      mentions: ['U1', 'U2'],
    })
    assert.deepEqual(checkBlocks(blocks), [])
    assert.equal(
      text,
      'Acme 1.0.0\n&lt;!channel&gt; *all* &amp; &lt;https://evil.example|here&gt;\n<@U1> <@U2>'
    )
    const written = JSON.stringify(blocks)
    assert.notInclude(written, 'mrkdwn')
    assert.include(written, '"text":"<!channel> *all*"')
    assert.deepEqual(
      blocks.map(({ type }) => type),
      ['header', 'rich_text', 'rich_text', 'rich_text', 'rich_text', 'actions']
    )
    assert.deepEqual(written.match(/"action_id":"[^"]+"/g), [
      '"action_id":"approve:0"',
      '"action_id":"approve:1"',
      '"action_id":"open:2"',
    ])
    assert.equal(written.match(/"confirm":\{"title"/g)?.length, 1)
  })

  test('lose their former blocks and buttons when they are edited', async ({ assert }) => {
    const { fake, chat } = await stage()
    const buttons = [{ label: 'Go', action: 'go', value: 'v' }]
    const ref = await chat.post(CHANNEL, { text: 'one', buttons }, KEY)
    assert.lengthOf(fake.workspace.messages[0].blocks, 2)
    await chat.update!(CHANNEL, ref, { text: 'two' }, KEY)
    assert.deepEqual(fake.workspace.messages[0].blocks, [])
  })

  test('are edited in a public channel that somebody removed the app from', async ({ assert }) => {
    const { fake, chat, channel } = await stage()
    const ref = await chat.post(CHANNEL, { text: 'one' }, KEY)
    channel.members = []
    await chat.update!(CHANNEL, ref, { text: 'two' }, KEY)
    assert.deepEqual(
      fake.workspace.messages.map(({ text }) => text),
      ['two']
    )
    assert.deepEqual(channel.members, ['tarmac'])
  })

  test('are found by their key in a thread of several pages, among messages of others', async ({
    assert,
  }) => {
    const { bench, fake, chat } = await stage()
    const { id: threadOf } = await chat.post(CHANNEL, { text: 'one' }, bench.mutation())
    const wanted = { ...bench.mutation(), threadOf }
    const stamps: string[] = []
    for (let number = 0; number < 450; number++) {
      fake.workspace.messages.push({
        ...{
          ts: fake.workspace.nextTimestamp(),
          channelId: CHANNEL,
          text: `${number}`,
          blocks: [],
        },
        ...{ threadOf, user: 'somebody' },
      })
    }
    stamps.push((await chat.post(CHANNEL, { text: 'two' }, wanted)).id)
    stamps.push((await chat.post(CHANNEL, { text: 'two' }, wanted)).id)
    assert.equal(stamps[0], stamps[1])
    assert.lengthOf(
      fake.workspace.messages.filter(({ text }) => text === 'two'),
      1
    )
  })

  test('are not left in the channel if somebody deletes the message that they reply to', async ({
    assert,
  }) => {
    const { bench, fake, chat } = await stage()
    const { id: threadOf } = await chat.post(CHANNEL, { text: 'one' }, bench.mutation())
    const refused = async () => {
      const reply = chat.post(CHANNEL, { text: 'two' }, { ...bench.mutation(), threadOf })
      const { code, detail } = await refusal(reply)
      assert.deepEqual([code, detail.outcome], ['notFound', 'notApplied'])
      assert.isEmpty(fake.workspace.messages)
    }
    const answer = fake.answer.bind(fake)
    fake.answer = async (request) => {
      if (request.url.endsWith('/chat.postMessage')) fake.workspace.remove(threadOf)
      return answer(request)
    }
    await refused()
    assert.equal(fake.requests().at(-1)!.url.split('/').at(-1), 'chat.delete')
    // Afterwards the thread is not there to look for an earlier reply.
    await refused()
    assert.equal(fake.requests().at(-1)!.url.split('/').at(-1), 'conversations.replies')
  })

  test('may have been posted if the server failed: the outcome is unknown', async ({ assert }) => {
    const { fake, chat } = await stage()
    fake.refusing.push({ method: 'chat.postMessage', error: 'fatal_error' })
    const { code, detail } = await refusal(chat.post(CHANNEL, { text: 'one' }, KEY))
    assert.deepEqual([code, detail.outcome], ['unavailable', 'unknown'])
  })
})

test.group('Slack | channels', () => {
  test('are joined if they are public; for others the error says who has to act', async ({
    assert,
  }) => {
    const { fake, chat, channel } = await stage()
    await chat.post(CHANNEL, { text: 'one' }, KEY)
    assert.include(channel.members, 'tarmac')
    channel.isArchived = true
    const archived = await refusal(chat.post(CHANNEL, { text: 'two' }, { idempotencyKey: 'k2' }))
    assert.deepEqual([archived.code, archived.detail.outcome], ['preconditionFailed', 'notApplied'])
    assert.match(archived.message, /archived.*takes it out of the archive/)
    Object.assign(channel, { isArchived: false, isPrivate: true, members: [] })
    const hidden = await refusal(chat.post(CHANNEL, { text: 'three' }, { idempotencyKey: 'k3' }))
    assert.equal(hidden.code, 'notFound')
    assert.match(hidden.message, /private.*\/invite/)
    Object.assign(channel, { isPrivate: false, name: 'renamed', members: ['tarmac'] })
    await chat.post(CHANNEL, { text: 'four' }, { idempotencyKey: 'k4' })
    assert.lengthOf(fake.workspace.messages, 2)
  })

  test('are made with their people, even if some are there already or cannot be added', async ({
    assert,
  }) => {
    const { fake, chat } = await stage()
    const { id } = await chat.ensureChannel!('release-1-2-3', ['U1', 'U-gone'], KEY)
    const made = () => fake.workspace.channels.find((each) => each.id === id)!
    assert.sameMembers(made().members, ['tarmac', 'U1'])
    await chat.ensureChannel!('release-1-2-3', ['U1'], KEY)
    await chat.ensureChannel!('release-1-2-3', ['U-gone'], KEY)
    for (const error of ['user_is_ultra_restricted', 'ura_max_channels', 'org_user_not_in_team']) {
      fake.refusing.push({ method: 'conversations.invite', error })
      assert.equal((await chat.ensureChannel!('release-1-2-3', ['U1'], KEY)).id, id)
    }
    // A channel that somebody else made is joined.
    made().members = []
    await chat.ensureChannel!('release-1-2-3', ['U1'], KEY)
    assert.sameMembers(made().members, ['tarmac', 'U1'])
    Object.assign(made(), { isPrivate: true, members: [] })
    const taken = await refusal(chat.ensureChannel!('release-1-2-3', [], KEY))
    assert.equal(taken.code, 'conflict')
    assert.match(taken.message, /does not see it/)
    // People in a private channel decide who else is.
    made().members = ['tarmac']
    assert.equal((await chat.ensureChannel!('release-1-2-3', ['U1'], KEY)).id, id)
    assert.deepEqual(made().members, ['tarmac'])
  })

  test('that are private need scopes of their own, which the refusal names', async ({ assert }) => {
    const { fake, chat, channel } = await stage()
    Object.assign(channel, { isPrivate: true, members: ['tarmac'] })
    await chat.post(CHANNEL, { text: 'one' }, KEY)
    fake.withoutScopes.push('groups:history', 'groups:read')
    const posted = await refusal(chat.post(CHANNEL, { text: 'two' }, { idempotencyKey: 'k2' }))
    const listed = await refusal(chat.listChannels(''))
    assert.deepEqual([posted.code, listed.code], ['forbidden', 'forbidden'])
    assert.match(posted.message, /lacks the scope groups:history/)
    assert.match(listed.message, /lacks the scope groups:read/)
    channel.isPrivate = false
    await chat.post(CHANNEL, { text: 'three' }, { idempotencyKey: 'k3' })
    assert.lengthOf(fake.workspace.messages, 2)
  })
})

test.group('Slack | presses', () => {
  const at = Date.parse('2026-11-20T12:00:00.000Z')
  const inbound = (sent: { headers: Record<string, string>; rawBody: Uint8Array }, later = 0) => ({
    ...sent,
    receivedAt: new Date(at + later),
  })
  const secret = { signingSecret: APP.signingSecret }

  test('are accepted if Slack signed them, unchanged and within five minutes', async ({
    assert,
  }) => {
    const { fake } = await stage()
    const sent = fake.press({
      ...{ memberId: 'U1', actionId: 'kickOffRelease:0', value: 'v1', triggerId: 't1', at },
    })
    const verify = (later: number, credentials: object, change: object = {}) =>
      webhooks.verify(inbound({ ...sent, ...change }, later), ['a-secret'], credentials as never)
    assert.deepEqual(verify(299_000, secret), { answer: { body: {} } })
    assert.isFalse(verify(301_000, secret))
    assert.isFalse(verify(-301_000, secret))
    assert.isFalse(verify(0, {}))
    assert.isFalse(verify(0, { signingSecret: 'another-secret' }))
    assert.isFalse(verify(0, secret, { rawBody: Buffer.from(`${sent.rawBody} `) }))
    for (const name of Object.keys(sent.headers).filter((each) => each.startsWith('x-'))) {
      assert.isFalse(verify(0, secret, { headers: { ...sent.headers, [name]: 'é' } }))
      const { [name]: removed, ...headers } = sent.headers
      assert.isString(removed)
      assert.isFalse(verify(0, secret, { headers }))
    }
    assert.deepInclude(interactions.read(inbound(sent))!, {
      ...{ deliveryId: 't1', memberId: 'U1', action: 'kickOffRelease', value: 'v1' },
      occurredAt: '2026-11-20T12:00:00.000Z',
    })
  })

  test('are not read from other payloads', async ({ assert }) => {
    const { fake } = await stage()
    const link = fake.press({ memberId: 'U1', actionId: 'open:1', triggerId: 't1', at })
    assert.isNull(interactions.read(inbound(link)))
    const json = fake.signed('{"type":"event_callback"}', 'application/json', { at, secret: 's' })
    assert.isNull(interactions.read(inbound(json)))
    const form = fake.signed(
      'payload={"type":"view_submission"}',
      'application/x-www-form-urlencoded',
      {
        ...{ at, secret: 's' },
      }
    )
    assert.isNull(interactions.read(inbound(form)))
  })

  test('have a member with a verified address, or say who else pressed', async ({ assert }) => {
    const { bench, fake } = await stage()
    const ctx = bench.context(null)
    const [ada] = fake.workspace.people
    const member = () => interactions.member(ctx, 'U1')
    assert.deepEqual(await member(), { kind: 'member', verifiedEmail: 'ada@example.com' })
    ada.isConfirmed = false
    assert.deepEqual(await member(), { kind: 'member', verifiedEmail: null })
    for (const kind of ['guest', 'bot', 'stranger'] as const) {
      ada.kind = kind
      assert.equal((await member()).kind, kind)
    }
    assert.equal((await interactions.member(ctx, 'U-gone')).kind, 'stranger')
  })

  test('are answered in private, and only at an address of Slack', async ({ assert }) => {
    const { bench, fake } = await stage()
    const ctx = bench.context(null)
    const url = 'https://hooks.slack.com/actions/T0/1'
    await interactions.reply(ctx, { url }, 'Not <you>')
    assert.deepEqual(fake.replies, [{ url, text: 'Not &lt;you&gt;' }])
    const [{ headers, body }] = fake.requests()
    assert.isUndefined(headers.authorization)
    assert.include(body, '"ephemeral"')
    for (const wrong of ['https://evil.example/x', 'https://hooks.slack.com.evil.example/x', '']) {
      const { code } = await refusal(interactions.reply(ctx, { url: wrong }, 'x'))
      assert.equal(code, 'invalid')
    }
  })
})

test.group('Slack | connecting', () => {
  const back = {
    returnTo: 'https://tarmac.example/back',
    state: 's1',
    serviceUrl: 'https://t.example',
  }
  const app = { clientId: APP.clientId, clientSecret: APP.clientSecret }

  const opened = (good: Record<string, string>) => {
    const bench = new Bench({ ...options, credentials: { good, bad: {} } })
    return { ctx: bench.context(null), fake: bench.fake as SlackFake }
  }

  test('begins with an app that Slack makes from a manifest', ({ assert }) => {
    const { ctx } = opened({})
    try {
      setup.begin(ctx, back)
      assert.fail('It begins without an app')
    } catch (error) {
      const { message } = error as ProviderError
      const [, json] = /manifest_json=(\S+)$/.exec(message)!
      const manifest = JSON.parse(decodeURIComponent(json))
      assert.deepEqual(manifest.oauth_config.redirect_urls, [back.returnTo])
      assert.include(manifest.oauth_config.scopes.bot, 'users:read.email')
    }
  })

  test('continues in the browser, and ends with the token of the bot', async ({ assert }) => {
    const { ctx, fake } = opened(app)
    const { searchParams } = new URL(setup.begin(ctx, back).url)
    assert.deepInclude(Object.fromEntries(searchParams), {
      ...{ client_id: APP.clientId, redirect_uri: back.returnTo, state: 's1' },
    })
    const given = { ...back, credentials: { ...app, signingSecret: APP.signingSecret } }
    const code = fake.agree(back.returnTo)
    const got = await setup.proceed(ctx, { code }, given)
    assert.deepEqual(got, {
      credentials: { ...given.credentials, token: 'xoxb-good-token' },
    })
    const again = await refusal(setup.proceed(ctx, { code }, given))
    assert.equal(again.code, 'unauthorized')
    assert.notInclude(again.message, APP.clientSecret)
  })

  test('names the scopes that a token lacks', async ({ assert }) => {
    const bench = new Bench(options)
    const { check } = await bench.lifecycle()
    const found = await check(bench.context(null, { credentials: 'readOnly' }))
    assert.include(found.missingPermissions, 'chat:write')
    assert.notInclude(found.missingPermissions, 'users:read')
    assert.include(found.account, 'Acme')
  })
})

test.group('Slack | errors', () => {
  const reported = (body: object, status = 200) => describeError(status, body, new Headers())

  test('say what is wrong and who has to do what: {error}')
    .with([
      { error: 'invalid_auth', code: 'unauthorized', action: /connects Slack anew/ },
      { error: 'account_inactive', code: 'unauthorized', action: /connects Slack anew/ },
      { error: 'missing_scope', code: 'forbidden', action: /installs the app again/ },
      { error: 'channel_not_found', code: 'notFound', action: /\/invite/ },
      { error: 'is_archived', code: 'preconditionFailed', action: /archive/ },
      { error: 'not_in_channel', code: 'forbidden', action: /\/invite/ },
      { error: 'restricted_action', code: 'forbidden', action: /administrator/ },
      { error: 'edit_window_closed', code: 'conflict', action: /owner/ },
    ])
    .run(({ assert }, { error, code, action }) => {
      const described = reported({ ok: false, error, needed: 'chat:write' })
      assert.equal(described?.code, code)
      assert.match(described?.action ?? '', action)
      assert.match(`${described?.reason} ${described?.action}`, /^[A-Z].*\. [A-Z].*\.$/s)
    })

  test('are refusals in Slack’s own word if they are unknown; a success is no error', ({
    assert,
  }) => {
    assert.deepEqual(reported({ ok: false, error: 'something_new' }), {
      code: 'preconditionFailed',
      reason: 'something_new',
    })
    assert.equal(reported({ ok: false, error: 'invalid_blocks' })?.code, 'invalid')
    // The refusal of messages that come too fast has status 200, unlike that of other calls.
    assert.equal(reported({ ok: false, error: 'rate_limited' })?.code, 'rateLimited')
    assert.include(
      reported({ ok: false, error: 'missing_scope', needed: 'chat:write' })!.reason,
      'chat:write'
    )
    assert.isUndefined(reported({ ok: true }))
    assert.isUndefined(reported({ ok: false, error: 'ratelimited' }, 429))
    assert.isUndefined(reported({ ok: false, error: 'fatal_error' }))
  })
})
