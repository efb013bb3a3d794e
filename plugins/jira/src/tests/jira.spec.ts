import { test } from '@japa/runner'
import type { InboundEvent } from '@tarmac/plugin-kit'
import webhooks from '../webhooks.js'
import { byGrant, issue, refusal, staged } from './support/stage.js'

/*
 * Behaviour of Jira that the conformance suite does not cover: keys that change, versions that
 * people change, fields that are refused, limits.
 */

/** A time of a release, on the next day in the time zone of its app. */
const RELEASED = { at: '2026-11-20T20:00:00.000Z', day: '2026-11-21' }

const keysOf = (items: { key: string; askedAs?: string }[]) =>
  items.map(({ key, askedAs }) => (askedAs === undefined ? key : `${askedAs} is ${key}`)).sort()

test.group('Jira | keys', () => {
  test('a moved issue is found by its former key, and says so', async ({ assert }) => {
    const { fake, issues } = await staged([issue('APP-1'), issue('APP-2'), issue('PAY-9')])
    fake.projects.move('APP-1', 'PAY')
    const found = await issues.search({ projects: ['APP'], keys: ['APP-1', 'app-2', 'APP-77'] })
    assert.deepEqual(keysOf(found.items), ['APP-1 is PAY-10', 'APP-2'])
    assert.deepEqual(keysOf([(await issues.get('APP-1'))!]), ['APP-1 is PAY-10'])
    // An issue that is named by both of its keys is found by both.
    const both = await issues.search({ projects: ['APP'], keys: ['APP-1', 'PAY-10'] })
    assert.deepEqual(keysOf(both.items), ['APP-1 is PAY-10', 'PAY-10'])
    // Without a changed key nothing is requested twice.
    const before = fake.requests().length
    await issues.search({ projects: ['APP'], keys: ['APP-2', 'PAY-9'] })
    assert.equal(fake.requests().length - before, 1)
  })

  test('a project whose key changed is found by the key that the app names', async ({ assert }) => {
    const { bench, fake, issues } = await staged([issue('APP-1', { versions: ['1.2.0'] })])
    fake.projects.rename('APP', 'SHOP')
    const found = await issues.search({ projects: ['APP'], version: '1.2.0' })
    assert.deepEqual(keysOf(found.items), ['SHOP-1'])
    await issues.ensureVersion!('APP', '1.3.0', bench.mutation())
    await issues.setVersion!(['APP-1'], '1.3.0', bench.mutation())
    const [{ key, versions }] = fake.state().issueTracking!.tickets
    assert.deepEqual([key, versions], ['SHOP-1', ['1.2.0', '1.3.0']])
  })

  test('a hidden or missing project is reported as such, and not as an empty one', async ({
    assert,
  }) => {
    const { fake, issues } = await staged([issue('APP-1', { versions: ['1.2.0'] })])
    fake.projects.hidden.add('APP')
    for (const filter of [{}, { version: '1.2.0' }, { label: 'x' }]) {
      const { code, message } = await refusal(issues.search({ projects: ['APP'], ...filter }))
      assert.equal(code, 'notFound')
      assert.match(message, /key has changed, or it was deleted or hidden.*"Browse Projects"/)
    }
  })

  test('texts that are no key are left out, and cause no request', async ({ assert }) => {
    const { fake, issues } = await staged([issue('APP-1')])
    const before = fake.requests().length
    const keys = ['#12', '10001', 'APP-0', 'APP-1/../../myself', 'APP-1" OR "']
    assert.deepEqual(await issues.search({ projects: ['APP'], keys }), { items: [] })
    for (const key of keys) assert.isNull(await issues.get(key))
    assert.equal(fake.requests().length, before)
  })
})

test.group('Jira | fix versions', () => {
  test('a renamed version is not released under the name of another', async ({ assert }) => {
    const { bench, fake, issues } = await staged([issue('APP-1', { versions: ['1.2.0'] })])
    fake.projects.changeVersion('APP', '1.2.0', { name: '1.2.0 (Android)' })
    const { code, message } = await refusal(
      issues.releaseVersion!('APP', '1.2.0', RELEASED, bench.mutation())
    )
    assert.equal(code, 'notFound')
    assert.match(message, /renamed or deleted\. Restore its name/)
    assert.deepEqual(await issues.search({ projects: ['APP'], version: '1.2.0' }), { items: [] })
  })

  test('a version is released on the day in the time zone of the app', async ({ assert }) => {
    const { bench, fake, issues } = await staged([issue('APP-1')])
    await issues.ensureVersion!('APP', '1.2.0', bench.mutation())
    await issues.releaseVersion!('APP', '1.2.0', RELEASED, bench.mutation())
    assert.equal(fake.state().issueTracking!.versions[0].releasedAt, RELEASED.day)
  })

  test('a version that a person has released keeps its date, and is not changed again', async ({
    assert,
  }) => {
    const { bench, fake, issues } = await staged([issue('APP-1')])
    await issues.ensureVersion!('APP', '1.2.0', bench.mutation())
    fake.projects.changeVersion('APP', '1.2.0', { released: true, releaseDate: '2026-11-18' })
    await issues.releaseVersion!('APP', '1.2.0', RELEASED, bench.mutation())
    assert.equal(fake.state().issueTracking!.versions[0].releasedAt, '2026-11-18')
    assert.isEmpty(fake.requests().filter(({ method }) => method === 'PUT'))
  })

  test('an archived version is reported as such, and no issue gets it', async ({ assert }) => {
    const { bench, fake, issues } = await staged([issue('APP-1'), issue('APP-2')])
    await issues.ensureVersion!('APP', '1.2.0', bench.mutation())
    fake.projects.changeVersion('APP', '1.2.0', { archived: true })
    for (const call of [
      issues.ensureVersion!('APP', '1.2.0', bench.mutation()),
      issues.setVersion!(['APP-1', 'APP-2'], '1.2.0', bench.mutation()),
    ]) {
      const { code, detail } = await refusal(call)
      assert.deepEqual([code, detail.outcome], ['preconditionFailed', 'notApplied'])
      assert.match(detail.action!, /"Administer Projects" unarchives/)
    }
    assert.isTrue(
      fake.state().issueTracking!.tickets.every(({ versions }) => versions.length === 0)
    )
  })

  test('a version that only some projects have is looked up there', async ({ assert }) => {
    const { issues } = await staged([issue('APP-1', { versions: ['1.2.0'] }), issue('PAY-1')])
    const found = await issues.search({ projects: ['APP', 'PAY'], version: '1.2.0' })
    assert.deepEqual(keysOf(found.items), ['APP-1'])
  })

  test('one that is not among the first thousand that contain its name is not made, and not looked for without end', async ({
    assert,
  }) => {
    const versions = Array.from({ length: 1001 }, (_, index) => `1.2.0-beta.${index}`)
    const { bench, fake, issues } = await staged([issue('APP-1', { versions })])
    assert.exists(await issues.ensureVersion!('APP', '1.2.0-beta.999', bench.mutation()))
    const before = fake.requests().length
    const { code, message, detail } = await refusal(
      issues.ensureVersion!('APP', '1.2.0', bench.mutation())
    )
    assert.deepEqual([code, detail.outcome], ['preconditionFailed', 'notApplied'])
    assert.match(message, /more than 1000 versions.*deletes or merges/)
    assert.equal(fake.requests().length - before, 20)
  })

  test('an account without "Administer Projects" makes no version, and says who grants the permission', async ({
    assert,
  }) => {
    const { bench, fake, issues } = await staged([issue('APP-1')], {
      credentials: { username: 'reader@acme.example', password: 'read-only-api-token' },
    })
    const { code, detail } = await refusal(issues.ensureVersion!('APP', '1.2.0', bench.mutation()))
    assert.equal(code, 'forbidden')
    assert.match(detail.action!, /administrator of the Jira project.*"Administer Projects"/)
    assert.deepEqual(fake.state().issueTracking!.versions, [])
  })
})

test.group('Jira | refusals and limits', () => {
  test('a field that an administrator made required is named, with who has to act', async ({
    assert,
  }) => {
    const { bench, fake, issues } = await staged([issue('APP-1')])
    fake.projects.required.set('customfield_10042', 'Team')
    const { code, message, detail } = await refusal(
      issues.addLabels!(['APP-1'], ['release-1.2.0'], bench.mutation())
    )
    assert.deepEqual([code, detail.outcome], ['preconditionFailed', 'notApplied'])
    assert.include(message, 'customfield_10042')
    assert.match(detail.action!, /Somebody fills it in/)
    assert.deepEqual(fake.state().issueTracking!.tickets[0].labels, [])
  })

  test('a field that is on no screen, and a label with spaces, are reported as such', async ({
    assert,
  }) => {
    const { bench, fake, issues } = await staged([issue('APP-1')])
    const label = await refusal(issues.addLabels!(['APP-1'], ['release 1'], bench.mutation()))
    assert.match(label.message, /cannot contain spaces/)
    fake.projects.offScreen.add('labels')
    const field = await refusal(issues.addLabels!(['APP-1'], ['release-1'], bench.mutation()))
    assert.match(field.message, /labels is on no screen/)
  })

  test('OAuth requests stop until the next hour once the points of this hour are used up', async ({
    assert,
  }) => {
    const { fake, issues } = await staged([issue('APP-1')], { credentials: byGrant.good })
    // Each request costs a point for itself, and one for the issue.
    fake.limits.quota = 4
    await issues.get('APP-1')
    await issues.get('APP-1')
    const { code, detail } = await refusal(issues.get('APP-1'))
    assert.equal(code, 'quotaExhausted')
    assert.isAtLeast(detail.retryAfterMs!, 60_000)
    assert.equal(detail.reason, 'The points of this hour are used up.')
  })

  test('too many changes of one issue wait, and are made once', async ({ assert }) => {
    const { bench, fake, issues } = await staged([issue('APP-1')])
    for (let change = 0; change < 25; change++) {
      await issues.addLabels!(['APP-1'], [`label-${change}`], bench.mutation())
    }
    assert.lengthOf(fake.state().issueTracking!.tickets[0].labels, 25)
    const refused = fake.requests().filter(({ response }) => response?.status === 429)
    assert.isNotEmpty(refused)
    assert.equal(refused[0].response?.headers['ratelimit-reason'], 'jira-per-issue-on-write')
  })
})

test.group('Jira | webhooks', () => {
  const eventOf = async (event: string, sentAt?: number): Promise<InboundEvent> => {
    const { bench, fake } = await staged([])
    const delivery = fake.deliverWebhook(event, { secret: 's', at: sentAt ?? bench.nowMs })
    return webhooks.parse({ ...delivery, receivedAt: new Date(bench.nowMs) })[0]
  }

  test('a delivery that is replayed under another identifier has the same id', async ({
    assert,
  }) => {
    const { bench, fake } = await staged([])
    const secret = 'a-secret-of-the-address'
    const sent = fake.deliverWebhook('jira:issue_updated', { secret, at: bench.nowMs })
    const again = {
      ...sent,
      headers: { ...sent.headers, 'x-atlassian-webhook-identifier': 'another' },
    }
    const read = (delivery: typeof sent) => {
      const request = { ...delivery, receivedAt: new Date(bench.nowMs) }
      assert.isTrue(webhooks.verify(request, [secret], {}))
      return webhooks.parse(request)[0].deliveryId
    }
    assert.equal(read(again), read(sent))
    assert.notEqual((await eventOf('jira:issue_updated', 5000)).deliveryId, read(sent))
  })

  test('an issue event is for the integrations of its project, a version event for all', async ({
    assert,
  }) => {
    const about = (event: InboundEvent, projects: string[]) =>
      webhooks.concerns!(event, { data: { projects }, app: null })
    const changed = await eventOf('jira:issue_updated')
    assert.equal(changed.subject.id, 'APP-7')
    assert.deepEqual([about(changed, ['APP']), about(changed, ['PAY'])], [true, false])
    const released = await eventOf('jira:version_released')
    assert.isTrue(about(released, ['PAY']))
  })

  test('other events are ignored', async ({ assert }) => {
    for (const body of ['{}', '{"webhookEvent":"jira:issue_updated"}', '{"timestamp":"x"}']) {
      const request = { headers: {}, rawBody: Buffer.from(body), receivedAt: new Date() }
      assert.deepEqual(webhooks.parse(request), [])
    }
    const { bench } = await staged([])
    assert.isNull(await webhooks.ensure(bench.context(null), 'https://acme.example', 's'))
  })
})
