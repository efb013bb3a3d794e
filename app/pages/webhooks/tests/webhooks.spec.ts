import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { Webhook } from 'standardwebhooks'
import { makeApp } from '#tests/support/app_fixture'
import { Receiver } from '#webhooks/tests/support/receiver'
import { Stage } from '#webhooks/tests/support/stage'
import { attributes, hiddenIn, pageWorld, signedIn, textOf } from '../../tests/support.js'

/*
 * Endpoints, their deliveries and their secrets on pages.
 */

const secretIn = (html: string) => /whsec_[A-Za-z0-9+/=]+/.exec(html)?.[0]

test.group('Webhooks on pages', (group) => {
  const receivers: Receiver[] = []
  group.each.teardown(async () => {
    for (const receiver of receivers.splice(0)) await receiver.stop()
  })

  /** Makes a receiver with an endpoint, and a signed-in person. */
  async function given() {
    const stage = await Stage.set()
    const receiver = await new Receiver().start()
    receivers.push(receiver)
    const { row, secret } = await stage.endpoint(receiver.url, { headers: { 'x-team': 'ios-7' } })
    const person = await signedIn(stage.world)
    const all = `/dashboard/org/${stage.world.organizationId}/webhookEndpoint`
    const path = `${all}/${row.id}`
    /** Sends a form, and returns the page that it leads to. */
    const done = async (to: string, fields = {}, page = path) => {
      const { status, location, text } = await person.send(page, to, fields)
      if (status !== 303) throw new Error(`${to}: ${status} ${textOf(text)}`)
      return { ...(await person.get(location!)), location: location! }
    }
    return { stage, receiver, secret, person, all, path, id: row.id, done }
  }

  test('200 shows the secret once, and makes one endpoint if the form is sent twice', async ({
    assert,
  }) => {
    const { world, person } = await pageWorld()
    const app = await makeApp(world)
    const all = `/dashboard/org/${world.organizationId}/webhookEndpoint`
    assert.include(textOf((await person.get(all)).text), 'Get notified of changes')
    const form = await person.get(`${all}/new`)
    const fields = {
      ...{ url: 'https://acme.example/hook', description: 'Chat', appIds: app, platforms: 'ios' },
      events: ['release.kickedOff', 'release.released'],
      headers: 'x-team: ios: 7\n\nx-stage:  live ',
      ...{ timeoutSeconds: '20', maxPerSecond: '', asymmetric: 'true' },
      _key: hiddenIn(form.text, '_key'),
    }
    const made = await person.post(all, fields)
    assert.deepEqual([made.status, made.headers.get('cache-control')], [200, 'no-store'])
    assert.match(textOf(made.text), /This is the only time it is shown\..*Public keys whpk_/)
    const secret = secretIn(made.text)!
    assert.equal(secretIn((await person.post(all, fields)).text), secret)

    const { body } = await world.admin.get(`/org/${world.organizationId}/webhookEndpoint`)
    assert.lengthOf(body, 1)
    assert.containsSubset(body[0], {
      ...{ url: fields.url, description: 'Chat', events: fields.events, appIds: [app] },
      ...{ platforms: ['ios'], headerNames: ['x-team', 'x-stage'], timeoutSeconds: 20 },
      ...{ maxPerSecond: null, asymmetric: true },
    })
    const listed = (await person.get(all)).text
    assert.match(textOf(listed), /acme\.example\/hook Chat release\.kickedOff, release\.released/)
    for (const page of [listed, (await person.get(`${all}/${body[0].id}`)).text]) {
      assert.isUndefined(secretIn(page))
      assert.notMatch(page, /ios: 7|> *live *</)
    }
  })

  test('422 shows each error beside its field, and keeps what was typed', async ({ assert }) => {
    const { world, person } = await pageWorld()
    const all = `/dashboard/org/${world.organizationId}/webhookEndpoint`
    const refused = await person.send(`${all}/new`, all, {
      ...{ url: 'http://10.0.0.1/hook', events: ['*', 'release.released'], timeoutSeconds: 'soon' },
      headers: 'no header',
    })
    assert.equal(refused.status, 422)
    for (const id of ['url', 'events', 'timeoutSeconds', 'headers']) {
      assert.include(refused.text, `href="#${id}"`, id)
      assert.include(refused.text, `id="${id}-error"`, id)
    }
    assert.include(attributes(refused.text, 'value'), 'http://10.0.0.1/hook')
    assert.include(attributes(refused.text, 'value'), 'soon')
    assert.lengthOf((await world.admin.get(`/org/${world.organizationId}/webhookEndpoint`)).body, 0)
  })

  test('303 after a change; headers stay until others are typed or they are removed', async ({
    assert,
  }) => {
    const { stage, receiver, person, path, done, id } = await given()
    const { text } = await person.get(`${path}/edit`)
    assert.include(text, 'There are: x-team.')
    assert.notInclude(text, 'ios-7')
    const fields = {
      url: receiver.url,
      ...{ events: '*', appIds: '*' },
      timeoutSeconds: '15',
      _tag: hiddenIn(text, '_tag'),
    }
    await done(`${path}/edit`, { ...fields, description: 'Mine' }, `${path}/edit`)
    assert.equal((await stage.endpointRow(id)).header_names, '["x-team"]')
    // The entity tag is stale now.
    const late = await person.post(`${path}/edit`, { ...fields, description: 'Other' })
    assert.equal(late.status, 412)
    assert.include(textOf(late.text), 'Your text is kept below.')
    assert.include(attributes(late.text, 'value'), 'Other')
    const now = { ...fields, _tag: hiddenIn(late.text, '_tag'), forget: 'headers' }
    await done(`${path}/edit`, now, `${path}/edit`)
    assert.equal((await stage.endpointRow(id)).header_names, '[]')
  })

  test('an endpoint keeps an app that is gone until all apps are chosen', async ({ assert }) => {
    const { stage, receiver, person, path, done, id } = await given()
    const appIds = JSON.stringify(['gone'])
    await db.from('webhook_endpoints').where('id', id).update({ app_ids: appIds })
    const { text } = await person.get(`${path}/edit`)
    assert.match(text, /name="appIds"\s+value="gone"\s+checked/)
    const fields = { url: receiver.url, events: '*', timeoutSeconds: '15' }
    const send = async (apps: object) => {
      const _tag = hiddenIn((await person.get(`${path}/edit`)).text, '_tag')
      await done(`${path}/edit`, { ...fields, ...apps, _tag }, `${path}/edit`)
      return (await stage.endpointRow(id)).app_ids
    }
    const appIdsBefore = hiddenIn(text, 'appIdsBefore')
    assert.equal(await send({ appIds: 'gone', appIdsBefore }), appIds)
    const none = await person.post(`${path}/edit`, { ...fields, appIdsBefore })
    assert.equal(none.status, 422)
    assert.include(none.text, 'id="appIds-error"')
    assert.isNull(await send({ appIds: '*', appIdsBefore }))
  })

  test('a delivery shows its body, and the request and answer of each attempt without secrets', async ({
    assert,
  }) => {
    const { stage, receiver, secret, person, path, id, done } = await given()
    receiver.reply = (_received, response) =>
      response.writeHead(503, { 'content-type': 'text/html' }).end('<script>x()</script>')
    await stage.record({ type: 'release.kickedOff', note: '<b>Look' })
    await stage.drain()
    const endpoint = await person.get(path)
    assert.match(textOf(endpoint.text), /1 attempt failed in a row, since today/)
    assert.match(textOf(endpoint.text), /release\.kickedOff No\. 1 1 attempt · Answered 503/)
    assert.match(textOf(endpoint.text), /0 delivered, 1 failed/)
    const [href] = attributes(endpoint.text, 'href').filter((each) => each.includes('/delivery/'))
    const shown = await person.get(href)
    for (const words of [
      'Answered 503 Attempt 1, on schedule',
      `Request POST ${receiver.url} content-type: application/json`,
      'webhook-signature: (not shown) x-team: (not shown)',
      '503 content-type: text/html',
      '<script>x()</script>',
      '"note": "<b>Look"',
    ]) {
      assert.include(textOf(shown.text), words)
    }
    for (const hidden of ['ios-7', 'v1,', secret, '<script>x']) {
      assert.notInclude(shown.text, hidden)
    }

    receiver.answer(204)
    assert.include((await done(`${href}/redeliver`)).text, 'It is being sent again.')
    await stage.drain()
    assert.match(
      textOf((await person.get(href)).text),
      /Delivered .* Answered 204 Attempt 2, by hand/
    )
    // The log of an attempt stays the same if the endpoint changes.
    const moved = { url: 'https://elsewhere.example/', header_names: '[]' }
    await db.from('webhook_endpoints').where('id', id).update(moved)
    const kept = textOf((await person.get(href)).text)
    assert.include(kept, `POST ${receiver.url} content-type`)
    assert.include(kept, 'x-team: (not shown)')
    assert.notInclude(kept, 'POST https://elsewhere.example/')
    const [first, again] = receiver.received
    assert.equal(first.headers['webhook-id'], again.headers['webhook-id'])
  })

  test('deliveries are paged by cursor and filtered; unknown filters are ignored', async ({
    assert,
  }) => {
    const { stage, person, path } = await given()
    await stage.record(...Array.from({ length: 30 }, (_, index) => ({ entity: `e${index}` })))
    await stage.drain()
    const numbers = (html: string) => [...textOf(html).matchAll(/No\. (\d+)/g)].map(([, no]) => +no)
    const first = (await person.get(path)).text
    const [more] = attributes(first, 'href').filter((each) => each.includes('cursor='))
    const second = (await person.get(more)).text
    assert.deepEqual(
      [...numbers(first), ...numbers(second)],
      Array.from({ length: 30 }, (_, index) => 30 - index)
    )
    assert.deepEqual(numbers((await person.get(`${path}?status=failed`)).text), [])
    assert.lengthOf(numbers((await person.get(`${path}?status=lost&event=x`)).text), 25)
    assert.lengthOf(numbers((await person.get(`${path}?event=release.created`)).text), 25)
    assert.deepEqual(numbers((await person.get(`${path}?event=ping`)).text), [])
    assert.equal((await person.get(`${path}?cursor=broken`)).status, 400)
  })

  test('an endpoint without deliveries is not called working, and a failed test message is reported', async ({
    assert,
  }) => {
    const { stage, receiver, person, done, path } = await given()
    const said = async () =>
      /<section class="say (.*?)"[^]*?<\/section>/.exec((await person.get(path)).text)!
    const [untried, look] = await said()
    assert.deepEqual([look, textOf(untried).trim()], ['', 'Nothing has been delivered yet.'])
    receiver.answer(410)
    await done(`${path}/ping`)
    await stage.drain()
    const [failed] = await said()
    assert.include(textOf(failed), 'The last test message failed: Answered 410.')
  })

  test('a test message is sent once, for any type of event', async ({ assert }) => {
    const { stage, receiver, done, path } = await given()
    const plain = await done(`${path}/ping`)
    assert.match(plain.location, /\/delivery\/whd_/)
    assert.include(textOf(plain.text), 'Test message')
    await done(`${path}/ping`, { eventType: 'release.released' })
    await stage.drain()
    assert.deepEqual(
      receiver.received.map(({ payload }) => [payload.type, payload.test]),
      [
        ['ping', true],
        ['release.released', true],
      ]
    )
  })

  test('a disabled endpoint gets nothing, and a recovery sends what it missed', async ({
    assert,
  }) => {
    const { stage, receiver, person, path, done } = await given()
    assert.include((await done(`${path}/enabled`, { enabled: 'false' })).text, 'Disabled.')
    await stage.record({}, { entity: 'two' })
    await stage.drain()
    const off = await person.get(path)
    assert.include(textOf(off.text), 'Somebody disabled it. Nothing is sent to it.')
    assert.notInclude(off.text, `action="${path}/recover"`)
    const early = await person.post(`${path}/recover`, { since: '2026-01-01T00:00' })
    assert.equal(early.status, 409)
    assert.lengthOf(receiver.received, 0)

    await done(`${path}/enabled`, { enabled: 'true' })
    const wrong = await person.post(`${path}/recover`, { since: 'yesterday' })
    assert.equal(wrong.status, 422)
    assert.include(wrong.text, 'id="since-error"')
    const begun = await done(`${path}/recover`, { since: '2026-01-01T00:00' })
    assert.match(begun.location, /\/recovery\/whr_/)
    await stage.drain()
    const ended = textOf((await person.get(begun.location)).text)
    assert.match(ended, /Done\. \d+ events checked, 2 of them sent again\./)
    assert.lengthOf(receiver.received, 2)
    await db.from('webhook_recoveries').update({ status: 'canceled' })
    const { text } = await person.get(begun.location)
    assert.match(text, /class="say warn"[^]*It ended early/)
  })

  test('a rotated secret is shown once and signs beside the former one', async ({ assert }) => {
    const { stage, receiver, secret, person, path, id } = await given()
    const rotated = await person.send(`${path}/rotateSecret`, `${path}/rotateSecret`, {
      graceHours: '1',
    })
    assert.deepEqual([rotated.status, rotated.headers.get('cache-control')], [200, 'no-store'])
    assert.include(textOf(rotated.text), 'The previous secret also signs until')
    const now = secretIn(rotated.text)!
    assert.notEqual(now, secret)
    await stage.record({})
    await stage.drain()
    const [{ body, headers }] = receiver.received
    for (const key of [now, secret]) new Webhook(key).verify(body, headers as never)
    const wrong = await person.post(`${path}/rotateSecret`, { graceHours: '999' })
    assert.equal(wrong.status, 422)
    const entries = await db.from('audit_entries').where('subject', id).orderBy('created_at')
    const { actor } = entries.at(-1)!
    assert.containsSubset(JSON.parse(actor), { type: 'user', id: person.userId })
  })

  test('an endpoint is deleted after a question', async ({ assert }) => {
    const { person, all, path, done } = await given()
    const asked = await person.get(`${path}/delete`)
    assert.include(textOf(asked.text), 'Delete the endpoint?')
    const gone = await done(
      `${path}/delete`,
      { _tag: hiddenIn(asked.text, '_tag') },
      `${path}/delete`
    )
    assert.equal(gone.location, all)
    assert.include(textOf(gone.text), 'Deleted the endpoint.')
    assert.equal((await person.get(path)).status, 404)
  })

  test('are for admins; others see neither the pages nor a link to them', async ({ assert }) => {
    const { stage, all, path } = await given()
    const other = await signedIn(stage.world, { admin: false })
    for (const each of [all, `${all}/new`, path, `${path}/edit`]) {
      assert.equal((await other.get(each)).status, 403, each)
    }
    const home = await other.get(all.replace('/webhookEndpoint', ''))
    assert.notInclude(attributes(home.text, 'href'), all)
  })
})
