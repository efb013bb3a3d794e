import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { earlier, later } from '#foundation/core/clock'
import { clock } from '#foundation/core/services'
import { sealButton } from '#integrations/interactions/buttons'
import type { Interaction, InteractionMember } from '#plugin-kit/plugin'
import { ProviderError } from '#plugin-kit/provider_error'
import { makeApp, makeUser } from '#tests/support/app_fixture'
import { UpdateOrganization } from '#organizations/actions/update_organization'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { makeWorld, type World } from '#tests/support/world'
import { plugin, sendTo, work as takeTurn } from './support/callbacks.js'
import { connect } from './support/connect.js'

/** Members of the workspace, as the provider knows them. */
const MEMBERS: Record<string, InteractionMember> = {
  ada: { kind: 'member', verifiedEmail: 'Ada@acme.example' },
  quinn: { kind: 'member', verifiedEmail: 'quinn@acme.example' },
  nobody: { kind: 'member', verifiedEmail: 'nobody@acme.example' },
  unverified: { kind: 'member', verifiedEmail: null },
  guest: { kind: 'guest', verifiedEmail: 'ada@acme.example' },
  bot: { kind: 'bot', verifiedEmail: 'ada@acme.example' },
  stranger: { kind: 'stranger', verifiedEmail: 'ada@acme.example' },
  odd: { kind: 'something new' as never, verifiedEmail: 'ada@acme.example' },
}

let replies: { replyTo: unknown; text: string }[] = []
/** Failures of the next calls of the provider, by their method. */
let broken: string[] = []

function failIfPlanned(method: string): void {
  if (broken[0] !== method) return
  broken.shift()
  throw new ProviderError('unavailable', 'It is away', { outcome: 'notApplied' })
}

/** Makes a provider with buttons. A delivery counts as signed if it says so. */
const withButtons = () => ({
  ...plugin({
    webhooks: {
      ensure: async () => null,
      verify: ({ rawBody }) => Buffer.from(rawBody).toString().includes('"signed":true'),
      parse: () => [],
    },
  }),
  interactions: async () => ({
    default: {
      read: ({ rawBody }: { rawBody: Uint8Array }) =>
        (JSON.parse(Buffer.from(rawBody).toString()) as { press?: Interaction }).press ?? null,
      async member(_ctx: unknown, memberId: string) {
        failIfPlanned('member')
        return MEMBERS[memberId]
      },
      async reply(_ctx: unknown, replyTo: unknown, text: string) {
        failIfPlanned('reply')
        replies.push({ replyTo, text })
      },
    },
  }),
})

let deliveries = 0

/** Carries out a press, and the reply to it. */
async function work() {
  await takeTurn()
  await takeTurn()
}

/** The jobs of a press or a reply that wait for their next attempt. */
const waiting = () =>
  db.from('jobs').where('kind', 'like', 'integration.interaction%').whereNull('finished_at')
const makeDue = () => waiting().update({ visible_at: '2020-01-01T00:00:00.000Z' })

test.group('A button that is pressed at a provider', (group) => {
  group.each.setup(async () => {
    replies = []
    broken = []
    await loadTestPlugins({ acme: async () => ({ default: withButtons() }) })
    return async () => {
      await loadTestPlugins()
      await db.from('jobs').delete()
    }
  })

  /** Makes a release that may be kicked off, and a button that does so. */
  async function makeButton() {
    const world = await makeWorld()
    await makeUser(world, 'ada@acme.example', ['Release Pilots'])
    await makeUser(world, 'quinn@acme.example', ['Marketing'])
    const { id: connectionId } = await connect(world, 'acme', {
      credentials: { token: 'good-token' },
    })
    const appId = await makeApp(world)
    await world.admin.post(`/app/${appId}/release`, { version: '1.0.0' })
    const releaseId = `${appId}:1.0.0`
    const secrets = await app.container.make('integrations.secrets')
    const button = (operation = 'kickOffRelease', more: object = {}) =>
      sealButton(secrets, connectionId, {
        operation,
        params: { appId, releaseId },
        until: later(clock.now(), 60_000),
        ...more,
      })
    const kickedOff = async () =>
      (await world.admin.get(`/v2/app/${appId}/releases/${releaseId}`)).body.kickedOffAt !== null
    return { world, connectionId, appId, releaseId, button, kickedOff }
  }

  function pressOf(memberId: string, made: { action: string; value: string }): Interaction {
    const deliveryId = `press-${++deliveries}`
    const replyTo = { url: `https://acme.example/reply/${deliveryId}` }
    return { deliveryId, occurredAt: clock.now(), memberId, ...made, replyTo }
  }

  const deliver = (connectionId: string, press: unknown, signed = true) =>
    sendTo(connectionId, {
      headers: { 'content-type': 'application/json' },
      raw: Buffer.from(JSON.stringify({ signed, press })),
    })

  const eventsBy = async (world: World, type: string) =>
    (await world.events()).filter((each) => each.type === type)

  test('is carried out once per delivery, with the rights of the person', async ({ assert }) => {
    const { world, connectionId, appId, releaseId, button, kickedOff } = await makeButton()
    const press = pressOf('ada', button())
    assert.equal((await deliver(connectionId, press)).status, 202)
    assert.equal((await deliver(connectionId, press)).status, 202)
    await work()
    assert.isTrue(await kickedOff())
    // The person sees the warnings of the answer, once.
    assert.lengthOf(replies, 1)
    assert.match(
      replies.pop()!.text,
      /^It is done\. Please note:\n"regressionTesting 1" is required/
    )
    assert.lengthOf(await eventsBy(world, 'release.kickedOff'), 1)
    const path = `/app/${appId}/release/${releaseId}/timelineEvents`
    const { body } = await world.admin.get(path)
    const reported = body.data.find(({ type }: { type: string }) => type === 'release.kickedOff')
    assert.containsSubset(reported.actor, { type: 'user', name: 'ada' })
  })

  /** Lets people do only what their groups may. */
  const giveRoles = (world: World) =>
    world.write((scope) => new UpdateOrganization(scope).handle({ roleBasedAccessEnabled: true }))

  test('is carried out with the rights that the person has on the pages', async ({ assert }) => {
    const without = await makeButton()
    await deliver(without.connectionId, pressOf('quinn', without.button()))
    await work()
    assert.isTrue(await without.kickedOff(), 'without role-based access')

    const given = await makeButton()
    await giveRoles(given.world)
    await db
      .from('users')
      .where({ organization_id: given.world.organizationId, email: 'quinn@acme.example' })
      .update({ admin: true })
    await deliver(given.connectionId, pressOf('quinn', given.button()))
    await work()
    assert.isTrue(await given.kickedOff(), 'as an admin')
  })

  test('is refused, in private, to a person without the right', async ({ assert }) => {
    const { world, connectionId, button, kickedOff } = await makeButton()
    await giveRoles(world)
    for (const [member, words] of [
      ['quinn', /CreateBranchPromoteCode/],
      ['nobody', /Nobody with your e-mail address/],
      ['unverified', /no verified e-mail address/],
      ['guest', /Guests cannot/],
      ['bot', /Bots cannot/],
      ['stranger', /other workspaces cannot/],
      ['odd', /other workspaces cannot/],
    ] as const) {
      const press = pressOf(member, button())
      assert.equal((await deliver(connectionId, press)).status, 202)
      await work()
      const reply = replies.pop()
      assert.match(reply?.text ?? '', words, member)
      assert.deepEqual(reply?.replyTo, press.replyTo)
    }
    assert.isFalse(await kickedOff())
  })

  test('does nothing for a value that is forged, of another connection, or expired', async ({
    assert,
  }) => {
    const { world, connectionId, button, kickedOff } = await makeButton()
    const { id: other } = await connect(world, 'acme', { credentials: { token: 'good-token-2' } })
    const good = button()
    for (const made of [
      { ...good, action: 'completeRelease' },
      { ...good, value: `${good.value.slice(0, -3)}AAA` },
      { action: 'kickOffRelease', value: JSON.stringify({ operation: 'kickOffRelease' }) },
      button('kickOffRelease', { until: clock.now() }),
    ]) {
      await deliver(connectionId, pressOf('ada', made))
      await work()
      assert.match(replies.pop()?.text ?? '', /no longer works/)
    }
    await deliver(other, pressOf('ada', good))
    await work()
    assert.match(replies.pop()?.text ?? '', /no longer works/)
    assert.isFalse(await kickedOff())
  })

  test('404 for an unsigned, stale or malformed press; nothing is planned', async ({ assert }) => {
    const { connectionId, button } = await makeButton()
    const press = pressOf('ada', button())
    for (const [wrong, signed] of [
      [press, false],
      [{ ...press, occurredAt: earlier(clock.now(), 6 * 86_400_000) }, true],
      [{ ...press, occurredAt: 'yesterday' }, true],
      [{ ...press, deliveryId: '' }, true],
      [{ ...press, memberId: '' }, true],
      [{ ...press, value: 'x'.repeat(20_000) }, true],
      [{ ...press, replyTo: { text: 'x'.repeat(20_000) } }, true],
    ] as const) {
      assert.equal((await deliver(connectionId, wrong, signed)).status, 404)
    }
    assert.lengthOf(await db.from('jobs').where('kind', 'integration.interaction'), 0)
  })

  test('is retried until the provider answers, carried out once, and ignored when late', async ({
    assert,
  }) => {
    const { world, connectionId, appId, button, kickedOff } = await makeButton()
    broken = ['member']
    await deliver(connectionId, pressOf('ada', button()))
    await work()
    assert.isFalse(await kickedOff())
    await makeDue()
    await work()
    assert.isTrue(await kickedOff())
    assert.match(replies.pop()!.text, /^It is done/)
    assert.lengthOf(await eventsBy(world, 'release.kickedOff'), 1)
    await world.admin.post(`/app/${appId}/release`, { version: '2.0.0' })
    const params = { appId, releaseId: `${appId}:2.0.0` }
    const press = pressOf('ada', button('skipRelease', { params }))
    await deliver(connectionId, { ...press, occurredAt: earlier(clock.now(), 11 * 60_000) })
    await work()
    assert.match(replies.pop()?.text ?? '', /nothing was done/)
    // The press may have been carried out by an attempt whose answer was lost.
    broken = ['member']
    await deliver(connectionId, pressOf('ada', button()))
    await work()
    const retried = () => db.from('jobs').where('kind', 'integration.interaction')
    const { id, payload } = await retried().whereNull('finished_at').firstOrFail()
    const late = { ...JSON.parse(payload), occurredAt: earlier(clock.now(), 11 * 60_000) }
    await retried()
      .where({ id })
      .update({ payload: JSON.stringify(late) })
    await makeDue()
    await work()
    assert.match(replies.pop()?.text ?? '', /if it was not done, press again/)
  })

  test('is given up within ten minutes; the person learns why, and what to do, even if the first reply fails', async ({
    assert,
  }) => {
    const { connectionId, button, kickedOff } = await makeButton()
    broken = [...Array(5).fill('member'), 'reply']
    await deliver(connectionId, pressOf('ada', button()))
    let waited = 0
    for (let attempt = 1; attempt <= 5; attempt++) {
      assert.isEmpty(replies, `attempt ${attempt}`)
      await work()
      const { kind, visible_at: at } = await waiting().firstOrFail()
      const isPress = kind === 'integration.interaction'
      assert.equal(isPress, attempt < 5)
      if (isPress) waited += Date.parse(at) - clock.milliseconds()
      await makeDue()
    }
    assert.isBelow(waited, 10 * 60_000)
    assert.isEmpty(replies)
    await work()
    assert.lengthOf(replies, 1)
    assert.match(replies[0].text, /^This failed.* press again, or use the page\. .*It is away$/)
    assert.isFalse(await kickedOff())
    assert.isEmpty(await waiting())
  })

  test('is not repeated because the reply to it failed', async ({ assert }) => {
    const { world, connectionId, button } = await makeButton()
    broken = ['reply']
    await deliver(connectionId, pressOf('ada', button()))
    await work()
    assert.isEmpty(replies)
    assert.deepEqual(
      (await waiting()).map(({ kind }) => kind),
      ['integration.interactionReply']
    )
    await makeDue()
    await work()
    assert.match(replies.pop()?.text ?? '', /^It is done/)
    assert.lengthOf(await eventsBy(world, 'release.kickedOff'), 1)
  })
})
