import { test } from '@japa/runner'
import { serviceUrl } from '#config/app'
import { listeningUrl } from '#foundation/api/http/listening_url'
import { eventCatalog } from '#foundation/core/events/catalog'
import { briefOf, thinName } from '#foundation/core/events/payloads'
import { exampleOfEvent } from '#foundation/api/openapi/example_of'
import {
  makeItem,
  makeTrain,
  recordFacts,
  setItem,
  reported,
} from '#releases/tests/helpers/release_world'
import { makeUser } from '#tests/support/app_fixture'
import { assertEventDeclared } from '#tests/support/contract'

/*
 * A payload over 256 KiB is sent thin: with the ids, the change, and the address of the full
 * resource.
 */

/** Metadata that makes every payload too large. */
const customMetadata = {
  entries: Array.from({ length: 30 }, (_, index) => ({
    key: `note ${index}`,
    value: 'x'.repeat(10_000),
  })),
}

/** Makes a release with events of many types, each over 256 KiB. */
async function eventfulRelease() {
  const train = await makeTrain([], {
    steps: [{ type: 'kickoff' }, { type: 'regressionTesting' }],
  })
  const { world, admin, app } = train
  const path = train.path('1.0.0')
  await makeUser(world, 'ada@acme.example')
  await makeUser(world, 'grace@acme.example')
  await admin.post(`/app/${app}/release`, {
    version: '1.0.0',
    releasePilotId: 'ada@acme.example',
    targetReleaseAt: '2030-01-02T00:00:00.000Z',
    customMetadata,
  })
  const itemId = await makeItem(train, { kind: 'regression', stepType: 'regressionTesting' })
  await admin.put(path, { targetReleaseAt: '2030-01-09T00:00:00.000Z' })
  await admin.put(path, { releasePilotId: 'grace@acme.example' })
  await admin.put(`${path}/kickoff`)
  await recordFacts(train, '1.0.0', async (scope, release) => {
    release.approvedAt = scope.now
  })
  await setItem(train, '1.0.0', itemId, 'passed')
  return { ...train, itemId, events: await reported(world) }
}

test.group('Payloads over 256 KiB', () => {
  test('are sent thin, and identify what they are about', async ({ assert }) => {
    const { app, events, itemId, step } = await eventfulRelease()
    const regression = await step('1.0.0', 'regressionTesting')
    const id = `${app}:1.0.0`
    const of = (type: string, index = 0) =>
      events.filter((event) => event.type === type)[index].payload

    assert.sameMembers(
      [...new Set(events.map(({ type }) => type))],
      [
        'release.created',
        'release.targetDateUpdated',
        'release.pilotChanged',
        'release.kickedOff',
        'releaseStep.statusChanged',
        'checklistItem.statusChanged',
        'release.regressionStatusUpdated',
        'release.stepsReadyToSubmit',
        'release.stepsReadyToRelease',
      ]
    )
    for (const { type, payload } of events) {
      assert.isTrue(payload.truncated, type)
      assert.equal(payload.model, thinName(eventCatalog.get(type).payload))
      assert.isBelow(Buffer.byteLength(JSON.stringify(payload)), 16 * 1024, type)
      assert.containsSubset(payload, { app: { id: app, platform: 'ios' }, release: { id } })
    }
    assert.containsSubset(of('release.created'), { release: { status: 'active' } })
    assert.containsSubset(of('release.targetDateUpdated'), {
      previous: { targetReleaseAt: '2030-01-02T00:00:00.000Z' },
      release: { targetReleaseAt: '2030-01-09T00:00:00.000Z' },
    })
    assert.containsSubset(of('release.pilotChanged'), {
      previous: { releasePilot: { email: 'ada@acme.example' } },
      release: { version: '1.0.0' },
    })
    assert.notEqual(
      of('release.pilotChanged').release.releasePilotId,
      of('release.pilotChanged').previous.releasePilotId
    )
    assert.containsSubset(of('release.kickedOff'), { release: { phase: 'kickedOff' } })
    assert.containsSubset(of('releaseStep.statusChanged', 1), {
      previousStatus: 'notStarted',
      releaseSteps: [
        {
          id: regression.id,
          stepConfigId: regression.stepConfigId,
          stepRunId: regression.stepRunId,
          type: 'regressionTesting',
          status: 'complete',
        },
      ],
    })
    assert.containsSubset(of('checklistItem.statusChanged'), {
      previousStatus: 'notStarted',
      checklistItem: { id: itemId, kind: 'regression', status: { type: 'passed' } },
    })
    assert.containsSubset(of('release.regressionStatusUpdated'), {
      previous: { regressionStatus: 'notStarted' },
      release: { regressionStatus: 'passed' },
    })
    assert.containsSubset(of('release.stepsReadyToSubmit'), { release: { readyToSubmit: true } })
    assert.containsSubset(of('release.stepsReadyToRelease'), { release: { readyToRelease: true } })
  })

  test('contain the address of the resource', async ({ assert }) => {
    const { admin, events, app, itemId, step } = await eventfulRelease()
    const regression = await step('1.0.0', 'regressionTesting')
    const wanted: Record<string, string> = {
      'releaseStep.statusChanged': regression.id,
      'checklistItem.statusChanged': itemId,
    }
    // The last event of a type is about the last step.
    const last = new Map(events.map(({ type, payload }) => [type, payload]))
    for (const [type, { url }] of last) {
      assert.isTrue(url.startsWith(`${serviceUrl}/`), url)
      const { status, body } = await admin.get(url.slice(serviceUrl.length))
      assert.equal(status, 200, url)
      assert.equal(body.id, wanted[type] ?? `${app}:1.0.0`)
    }
  })

  test('contain the id that the release has after the change', async ({ assert }) => {
    const { admin, app, world } = await makeTrain([])
    await admin.post(`/app/${app}/release`, { version: '1.0.0', customMetadata })
    await admin.put(`/app/${app}/release/${app}:1.0.0`, {
      version: '2.0.0',
      targetReleaseAt: '2030-01-09T00:00:00.000Z',
    })
    const { payload } = (await reported(world)).at(-1)!
    assert.equal(payload.eventType, 'release.targetDateUpdated')
    assert.equal(payload.url, `${serviceUrl}/v2/app/${app}/releases/${app}:2.0.0`)
    assert.equal(payload.release.id, `${app}:2.0.0`)
  })

  test('match the declarations of all events', ({ assert }) => {
    for (const event of eventCatalog.all()) {
      const { type, payload } = event
      const whole = exampleOfEvent(event)
      const more = { model: thinName(payload), truncated: true, url: `${serviceUrl}/a` }
      const thin = { ...briefOf(payload, whole), ...more }
      assert.doesNotThrow(() => assertEventDeclared(type, thin))
      assert.containsSubset(thin, { app: whole.app as object })
    }
  })
})

test.group('The address of a service without PUBLIC_URL', () => {
  test('is the address at which it listens', ({ assert }) => {
    assert.equal(listeningUrl(), 'http://127.0.0.1:3333')
    assert.equal(listeningUrl('10.1.2.3', 80), 'http://10.1.2.3:80')
    assert.equal(listeningUrl('::1', 3334), 'http://[::1]:3334')
    for (const any of ['0.0.0.0', '::']) {
      assert.equal(listeningUrl(any, 4000), 'http://localhost:4000')
    }
  })

  test('is never what a request claims its host to be', async ({ assert }) => {
    const { admin, app, world } = await makeTrain([])
    const { status } = await admin.post(
      `/app/${app}/release`,
      { version: '1.0.0', customMetadata },
      { headers: { host: 'evil.example' } }
    )
    assert.equal(status, 201)
    const [{ payload }] = await reported(world)
    assert.isTrue(payload.url.startsWith(`${serviceUrl}/v2/`))
  })
})
