import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { workAway } from '#releases/tests/helpers/code_world'
import { makeMarked } from './marked_tickets.js'

test.group('Labels and fix versions that are missing', () => {
  test('are added to tickets whose code is in the release, from its kickoff on, once', async ({
    assert,
    cleanup,
  }) => {
    const { automate, look, kickOff, tracker, repository, items, ...given } =
      await makeMarked(cleanup)
    const on = await automate()
    assert.deepEqual([on.status, on.body.status], [200, 'enabled'])
    await look()
    assert.deepEqual(tracker.changes, [])
    await kickOff()
    await look()
    const first = ['version 1.2.0 of SHOP', '1.2.0 for SHOP-1', 'release-1.2.0 on SHOP-1']
    assert.deepEqual(tracker.changes, first)
    assert.equal((await items('1.2.0'))['SHOP-1'], 'inRelease ready')
    assert.containsSubset(await given.ran(), [
      { type: 'automation.ran', actor: 'addLabelsAndFixVersions' },
    ])

    // Commits in the working branch belong to the next release; picks belong to this one.
    repository.commit({ message: 'SHOP-3 Later' })
    repository.commit({ branch: 'release/1.2.0', message: 'SHOP-4 Fix' })
    await look()
    assert.deepEqual(tracker.changes.slice(first.length + 1), [
      '1.2.0 for SHOP-4',
      'release-1.2.0 on SHOP-4',
    ])
    // Somebody took it away on purpose.
    tracker.set('SHOP-4', { labels: [], versions: [] })
    const { length } = tracker.changes
    await look()
    await look()
    assert.lengthOf(tracker.changes, length)
    assert.lengthOf(await given.ran(), 2)
  })

  test('are not added to ignored tickets, nor while paused; afterwards to all', async ({
    assert,
    cleanup,
  }) => {
    const { automate, look, kickOff, tracker, search, admin, path, pause, repository } =
      await makeMarked(cleanup)
    await kickOff()
    repository.commit({ branch: 'release/1.2.0', message: 'SHOP-3 Fix' })
    await look()
    const found = await search('1.2.0')
    const { id } = found.find(({ workItem }) => workItem.ticket?.key === 'SHOP-3')
    const ignored = { items: [{ id, ignored: true }] }
    assert.equal((await admin.post(`${path('1.2.0')}/frIgnoreUnignore`, ignored)).status, 200)
    await pause(true)
    await automate()
    await look()
    assert.deepEqual(tracker.changes, [])
    await pause(false)
    await workAway()
    assert.include(tracker.changes, '1.2.0 for SHOP-1')
    assert.notInclude(tracker.changes.join(), 'SHOP-3')
  })

  test('are retried later if the tracker refuses the caller', async ({ assert, cleanup }) => {
    const { automate, look, kickOff, tracker, repository, ...given } = await makeMarked(cleanup)
    await automate()
    tracker.refuses = true
    await kickOff()
    await look()
    const [failed, ...others] = await given.ran()
    assert.deepEqual(others, [])
    assert.containsSubset(failed, { type: 'automation.failed', result: 'failed' })
    const { title } = (await given.timeline('1.2.0')).find(
      ({ type }) => type === 'automation.failed'
    )
    assert.include(title, 'tried again later: ')
    assert.isEmpty(await db.from('ticket_marks').where('app_id', given.app))
    tracker.refuses = false
    await look()
    // It is not retried before its time, unless somebody switches it on again.
    assert.deepEqual(tracker.changes, [])
    await automate(false)
    await automate()
    await look()
    assert.include(tracker.changes, '1.2.0 for SHOP-1')
  })

  test('are given up when dozens of tickets are refused, whatever the mark', async ({
    assert,
    cleanup,
  }) => {
    const { automate, look, kickOff, tracker, repository, ...given } = await makeMarked(cleanup)
    const keys = Array.from({ length: 25 }, (_, index) => `SHOP-${index + 10}`)
    for (const key of keys) {
      tracker.set(key, { done: true })
      tracker.locked.add(key)
    }
    repository.commit({ message: keys.join(' ') })
    await automate()
    await kickOff()
    await look()
    assert.lengthOf(await given.ran(), 1)
    assert.lengthOf(await db.from('ticket_marks').where('app_id', given.app), 26)
    assert.isBelow(tracker.changes.length, 10)
    await look()
    assert.lengthOf(await given.ran(), 1)
  })

  test('are added to all other tickets if one is refused, and only that one is not retried', async ({
    assert,
    cleanup,
  }) => {
    const { automate, look, kickOff, tracker, repository, ...given } = await makeMarked(cleanup)
    for (const key of ['SHOP-3', 'SHOP-4']) repository.commit({ message: `${key} More` })
    tracker.locked.add('SHOP-3')
    await automate()
    await kickOff()
    await look()
    for (const what of ['1.2.0 for', 'release-1.2.0 on']) {
      for (const key of ['SHOP-1', 'SHOP-4']) {
        assert.isTrue(tracker.changes.some((each) => each.startsWith(what) && each.includes(key)))
      }
    }
    assert.notInclude(tracker.changes.join(), 'SHOP-3')
    const [failed, ...others] = await given.ran()
    assert.deepEqual(others, [])
    assert.containsSubset(failed, { type: 'automation.failed', result: 'failed' })
    const { title } = (await given.timeline('1.2.0')).find(
      ({ type }) => type === 'automation.failed'
    )
    assert.include(title, 'for SHOP-3: Not you; done: ')
    tracker.locked.clear()
    const { length } = tracker.changes
    await look()
    assert.lengthOf(tracker.changes, length)
  })

  test('use the tracker’s spelling of keys, whatever people write', async ({ assert, cleanup }) => {
    const { automate, look, kickOff, tracker, repository, items } = await makeMarked(cleanup, {
      affiliations: [
        { type: 'fixVersion', pattern: '{version}' },
        { type: 'label', pattern: 'release-{version}' },
      ],
      projects: ['pay', 'SHOP'],
    })
    tracker.set('pay-1', { done: true })
    tracker.set('pay-2', { done: true, versions: ['1.2.0'] })
    repository.commit({ message: 'PAY-1 By card' })
    repository.commit({ message: 'Pay-2 By bill' })
    await automate()
    await kickOff()
    await look()
    const first = [
      'version 1.2.0 of pay',
      '1.2.0 for pay-1',
      'release-1.2.0 on pay-1',
      'version 1.2.0 of SHOP',
      '1.2.0 for SHOP-1',
      'release-1.2.0 on SHOP-1',
    ]
    assert.deepEqual(tracker.changes, first)
    assert.containsSubset(await items('1.2.0'), {
      'pay-1': 'inRelease ready',
      'pay-2': 'inRelease ready',
    })
    // A ticket that no longer names the release is requested in the same spelling.
    tracker.set('pay-2', { versions: [] })
    await look()
    await look()
    assert.include(tracker.changes.slice(first.length), '1.2.0 for pay-2')
    const { length } = tracker.changes
    await look()
    assert.lengthOf(tracker.changes, length)
  })

  test('are neither added to nor missed by a ticket that was moved out of the app’s projects', async ({
    assert,
    cleanup,
  }) => {
    const { automate, look, kickOff, tracker, items, step, ...given } = await makeMarked(cleanup, {
      affiliations: [{ type: 'fixVersion', pattern: '{version}' }],
    })
    await look()
    assert.equal((await items('1.2.0'))['SHOP-1'], 'merged missingAffiliation')
    tracker.move('SHOP-1', 'OTHER-9')
    await given.world.write((scope) =>
      scope.table('tracker_tickets').update({ seen_at: '1970-01-01T00:00:00.000Z' })
    )
    await automate()
    await look()
    await kickOff()
    await look()
    assert.deepEqual(await items('1.2.0'), {
      'OTHER-9': 'inRelease ready',
      'SHOP-2': 'inRelease ready',
    })
    assert.equal((await step('1.2.0', 'featureReadiness')).status, 'complete')
    assert.deepEqual([tracker.changes, await given.ran()], [[], []])
    // Its work still has to be done.
    tracker.set('OTHER-9', { done: false, status: 'Open' })
    await given.world.write((scope) =>
      scope.table('tracker_tickets').update({ seen_at: '1970-01-01T00:00:00.000Z' })
    )
    await look()
    assert.equal((await items('1.2.0'))['OTHER-9'], 'inRelease ticketNotDone')
    assert.deepEqual(tracker.changes, [])
  })

  test('are added to a ticket whose project has another key', async ({ assert, cleanup }) => {
    const { automate, look, kickOff, tracker, items, world } = await makeMarked(cleanup, {
      affiliations: [{ type: 'fixVersion', pattern: '{version}' }],
    })
    await look()
    tracker.move('SHOP-1', 'STORE-1')
    await world.write((scope) =>
      scope.table('tracker_tickets').update({ seen_at: '1970-01-01T00:00:00.000Z' })
    )
    await look()
    assert.equal((await items('1.2.0'))['STORE-1'], 'merged missingAffiliation')
    await automate()
    await kickOff()
    await look()
    assert.deepEqual(tracker.changes, ['version 1.2.0 of STORE', '1.2.0 for STORE-1'])
  })

  test('are added in one project if the version of another is refused, which is recorded', async ({
    assert,
    cleanup,
  }) => {
    const { automate, look, kickOff, tracker, repository, ...given } = await makeMarked(cleanup, {
      affiliations: [{ type: 'fixVersion', pattern: '{version}' }],
      projects: ['SHOP', 'WEB'],
    })
    tracker.set('WEB-1', { done: true })
    repository.commit({ message: 'WEB-1 Pay' })
    tracker.archived.add('1.2.0 of SHOP')
    await automate()
    await kickOff()
    await look()
    assert.deepEqual(tracker.changes, ['version 1.2.0 of WEB', '1.2.0 for WEB-1'])
    await look()
    const [failed, ...others] = await given.ran()
    assert.deepEqual(others, [])
    assert.containsSubset(failed, { type: 'automation.failed', result: 'failed' })
    const { title } = (await given.timeline('1.2.0')).find(
      ({ type }) => type === 'automation.failed'
    )
    assert.include(title, 'The version is archived')
    tracker.archived.clear()
    await automate(false)
    await automate()
    await look()
    assert.deepEqual(tracker.changes.slice(2), ['version 1.2.0 of SHOP', '1.2.0 for SHOP-1'])
  })

  test('need a tracker and featureAffiliations', async ({ assert, cleanup }) => {
    const { automate, integrate } = await makeMarked(cleanup)
    await integrate(['versionControl'])
    const refused = await automate()
    assert.deepEqual([refused.status, refused.body.code], [409, 'automation_dependency'])
    assert.include(refused.body.detail, 'issue-tracking')
    const bare = await makeMarked(cleanup, { affiliations: [] })
    assert.include((await bare.automate()).body.detail, 'featureAffiliations')
  })
})
