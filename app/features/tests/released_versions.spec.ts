import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { later } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { clock } from '#foundation/core/services'
import { workAway } from '#releases/tests/helpers/code_world'
import { makeFeatures } from './support.js'

type Options = Parameters<typeof makeFeatures>[1]

/** Makes an app whose release 1.2.0 is kicked off and is the fix version of a ticket of SHOP. */
async function makeVersioned(
  cleanup: Parameters<typeof makeFeatures>[0],
  options: Options = { projects: ['SHOP', 'WEB'] }
) {
  const given = await makeFeatures(cleanup, options)
  const { admin, path, repository, tracker, release, kickOff, timeline } = given
  repository.git('tag', 'v1.1.0', repository.commit({ message: 'First' }))
  tracker.set('SHOP-1', { done: true, versions: ['1.2.0'] })
  tracker.set('WEB-1', { done: true, versions: ['1.1.0'] })
  await release('1.2.0')
  await kickOff('1.2.0')
  const complete = async () => {
    const { status, text } = await admin.put(`${path('1.2.0')}/complete`)
    if (status !== 200) throw new Error(text)
    await workAway()
  }
  const reported = async () => {
    const events = await timeline('1.2.0')
    return events.filter(({ type }: { type: string }) => type.startsWith('issueTracking.'))
  }
  return { ...given, complete, reported }
}

/** Makes every waiting attempt due, until the command is given up. */
async function giveUp() {
  for (let attempt = 0; attempt < 6; attempt++) {
    await db
      .from('jobs')
      .where('kind', 'features.releaseVersions')
      .whereNull('finished_at')
      .update({ visible_at: '2000-01-01T00:00:00.000Z' })
    await workAway()
  }
}

test.group('Fix versions of a completed release', () => {
  test('are marked as released once, with its date, in projects that have tickets of them', async ({
    assert,
    cleanup,
  }) => {
    const { complete, reported, tracker, detail, look, admin, app } = await makeVersioned(cleanup)
    // In this zone, it is another day than in UTC.
    const timezone = clock.now().slice(11) < '10:30' ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati'
    const startDate = later(clock.now(), 14 * DAY).slice(0, 10)
    const targets = [{ kickoff: { dayOffset: 0, time: '12:00' } }]
    const cadence = { timezone, startDate, targets }
    const set = await admin.put(`/app/${app}/scheduleCadence`, cadence)
    assert.equal(set.status, 200, set.text)
    await look()
    assert.deepEqual(tracker.released, [])
    await complete()
    const { releasedAt } = await detail('1.2.0')
    assert.isNotNull(releasedAt)
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(
      new Date(releasedAt)
    )
    assert.notEqual(day, releasedAt.slice(0, 10))
    assert.deepEqual(tracker.released, [`1.2.0 of SHOP at ${releasedAt}, ${day}`])
    const [event, ...others] = await reported()
    assert.deepEqual(others, [])
    assert.containsSubset(event, {
      type: 'issueTracking.versionReleased',
      title: '1.2.0 is released in SHOP',
      data: { versions: ['1.2.0'], projects: ['SHOP'], at: releasedAt },
      actor: { type: 'apiKey', name: 'admin' },
    })
    await complete()
    await look()
    assert.lengthOf(tracker.released, 1)
    assert.lengthOf(await reported(), 1)
  })

  test('are left alone if the release is skipped, or only labels name it', async ({
    assert,
    cleanup,
  }) => {
    const skipped = await makeVersioned(cleanup)
    const { status, text } = await skipped.admin.put(`${skipped.path('1.2.0')}/skip`)
    assert.equal(status, 200, text)
    await workAway()
    assert.deepEqual(skipped.tracker.released, [])
    const labelled = await makeVersioned(cleanup, {
      affiliations: [{ type: 'label', pattern: '{version}' }],
    })
    await labelled.complete()
    assert.deepEqual(labelled.tracker.released, [])
    assert.deepEqual(await labelled.reported(), [])
  })

  test('are marked once the tracker answers again', async ({ assert, cleanup }) => {
    const { complete, reported, tracker } = await makeVersioned(cleanup)
    tracker.isAway = true
    await complete()
    assert.deepEqual([tracker.released, await reported()], [[], []])
    tracker.isAway = false
    await giveUp()
    assert.lengthOf(tracker.released, 1)
    assert.lengthOf(await reported(), 1)
  })

  test('are reported missing if the service gave them to tickets, and somebody renamed them', async ({
    assert,
    cleanup,
  }) => {
    const { complete, reported, tracker, app, detail } = await makeVersioned(cleanup)
    const { id: releaseId } = await db
      .from('releases')
      .where({ app_id: app, version: '1.2.0' })
      .firstOrFail()
    const { id: integrationId, organization_id: organization } = await db
      .from('integrations')
      .where({ app_id: app, kind: 'issueTracking' })
      .firstOrFail()
    await db.table('ticket_marks').insert({
      ...{ organization_id: organization, app_id: app, release_id: releaseId },
      ...{
        integration_id: integrationId,
        key: 'SHOP-1',
        marked_at: (await detail('1.2.0')).createdAt,
      },
    })
    tracker.set('SHOP-1', { versions: ['1.2.0 (Android)'] })
    tracker.renamed.add('1.2.0 of SHOP')
    await complete()
    const [failed, ...others] = await reported()
    assert.deepEqual(others, [])
    assert.equal(failed.type, 'issueTracking.versionReleaseFailed')
    assert.include(failed.title, 'The version was renamed')
    assert.deepEqual(tracker.released, [])
  })

  test('are reported failed if the tracker refuses', async ({ assert, cleanup }) => {
    const { complete, reported, tracker, provider } = await makeVersioned(cleanup)
    tracker.refuses = true
    await complete()
    const [failed, ...others] = await reported()
    assert.deepEqual(others, [])
    assert.equal(failed.type, 'issueTracking.versionReleaseFailed')
    assert.include(failed.title, '1.2.0 could not be marked as released')
    assert.include(failed.title, 'Not you')
    assert.notEqual(failed.data.connection, provider)
    tracker.refuses = false
    await giveUp()
    assert.deepEqual(tracker.released, [])
  })
})
