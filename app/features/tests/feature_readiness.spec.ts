import { renameSync } from 'node:fs'
import { test } from '@japa/runner'
import { makeWorld } from '#tests/support/world'
import { makeFeatures, openPull } from './support.js'

test.group('GET /app/{appId}/release/{releaseId}/featureReadiness/search', () => {
  test('200 work items from the code and the tracker, each with its missing parts', async ({
    assert,
    cleanup,
  }) => {
    const { repository, tracker, release, look, items, step } = await makeFeatures(cleanup)
    repository.git('tag', 'v0.9.0', repository.commit({ message: 'SHOP-90 Old' }))
    tracker.set('SHOP-1', { versions: ['1.0.0'], done: true, status: 'Done' })
    tracker.set('SHOP-2', { versions: ['1.0.0'] })
    tracker.set('SHOP-3', { versions: ['1.0.0'], done: true, status: 'Done' })
    tracker.set('SHOP-4', { done: true, status: 'Done' })
    tracker.set('SHOP-5', { versions: ['2.0.0'] })
    repository.commit({ message: 'SHOP-1 Log in' })
    repository.commit({ message: 'Pay\n\nFor shop-2.' })
    repository.commit({ message: 'SHOP-4: share (#12)' })
    repository.commit({ message: 'Tidy up, SHA-256 and UTF-8' })
    await release('1.0.0')
    assert.deepEqual(await items('1.0.0'), {})
    await look()
    assert.deepEqual(await items('1.0.0'), {
      'SHOP-1': 'merged ready',
      'SHOP-2': 'merged ticketNotDone',
      'SHOP-3': 'missing missingCode',
      'SHOP-4': 'merged missingAffiliation',
      'Tidy up, SHA-256 and UTF-8': 'merged ready',
    })
    const { status, data } = await step('1.0.0', 'featureReadiness')
    assert.equal(status, 'inProgress')
    assert.deepEqual(data, { total: 5, ready: 2, notReady: 3, ignored: 0 })
  })

  test('200 after the kickoff, code in the working branch alone is not in the release', async ({
    assert,
    cleanup,
  }) => {
    const { repository, tracker, release, look, items, kickOff, step } = await makeFeatures(cleanup)
    repository.git('tag', 'v0.9.0', repository.commit())
    for (const key of ['SHOP-1', 'SHOP-2', 'SHOP-3']) {
      tracker.set(key, { versions: ['1.0.0'], done: true, status: 'Done' })
    }
    repository.commit({ message: 'SHOP-1 Log in' })
    await release('1.0.0')
    await kickOff('1.0.0')
    repository.commit({ message: 'SHOP-2 Late', files: { 'late.txt': 'late' } })
    repository.commit({ message: 'SHOP-9 Of the next release' })
    await look()
    assert.deepEqual(await items('1.0.0'), {
      'SHOP-1': 'inRelease ready',
      'SHOP-2': 'merged notMerged',
      'SHOP-3': 'missing missingCode',
    })
    assert.equal((await step('1.0.0', 'featureReadiness')).status, 'blocked')

    // Picked without naming its origin, as by hand.
    const picked = repository.commit({
      branch: 'release/1.0.0',
      message: 'SHOP-2 Late',
      files: { 'late.txt': 'late' },
    })
    repository.commit({ branch: 'release/1.0.0', message: 'SHOP-3 There' })
    await look()
    assert.deepEqual(await items('1.0.0'), {
      'SHOP-1': 'inRelease ready',
      'SHOP-2': 'inRelease ready',
      'SHOP-3': 'inRelease ready',
    })
    assert.equal((await step('1.0.0', 'featureReadiness')).status, 'complete')

    // Reverted on the release branch, it is only in the working branch again.
    repository.commit({
      branch: 'release/1.0.0',
      message: `Revert "SHOP-2 Late"\n\nThis reverts commit ${picked}.`,
    })
    await look()
    assert.equal((await items('1.0.0'))['SHOP-2'], 'merged notMerged')
  })

  test('200 open pull requests are code that is not merged', async ({ assert, cleanup }) => {
    const { repository, tracker, pulls, release, look, items, search, kickOff } =
      await makeFeatures(cleanup)
    repository.git('tag', 'v0.9.0', repository.commit())
    repository.commit({ message: 'Something' })
    tracker.set('SHOP-1', { versions: ['1.0.0'], done: true })
    tracker.set('SHOP-2', { done: true })
    await release('1.0.0')
    pulls.push(openPull(7, { head: 'feature/SHOP-1-login' }))
    pulls.push(openPull(8, { title: 'SHOP-2 Something else' }))
    await look()
    assert.deepEqual(await items('1.0.0'), {
      'SHOP-1': 'inProgress notMerged',
      'Something': 'merged ready',
    })
    const [item] = await search('1.0.0', '?codeStatus=inProgress')
    assert.containsSubset(item.workItem, {
      codeType: 'pullRequest',
      code: [{ type: 'pullRequest', number: 7, status: 'open', baseBranch: 'main' }],
    })
    await kickOff('1.0.0')
    pulls.push(openPull(9, { base: 'release/1.0.0' }))
    pulls.shift()
    await look()
    assert.deepEqual(await items('1.0.0'), {
      'SHOP-1': 'missing missingCode',
      'Something': 'inRelease ready',
      '#9': 'inProgress notMerged',
    })
  })

  test('200 a merge of a pull request brings its commits under its ticket', async ({
    assert,
    cleanup,
  }) => {
    const { repository, tracker, release, look, items, search } = await makeFeatures(cleanup)
    repository.git('tag', 'v0.9.0', repository.commit())
    tracker.set('SHOP-1', { versions: ['1.0.0'], done: true })
    repository.git('branch', 'topic', 'main')
    const one = repository.commit({ branch: 'topic', message: 'First half' })
    const two = repository.commit({ branch: 'topic', message: 'Second half' })
    repository.commit({ message: 'Meanwhile' })
    const merge = repository.commit({
      message: 'Merge pull request #31 from acme/topic\n\nSHOP-1 Both halves',
      merge: 'refs/heads/topic',
    })
    await release('1.0.0')
    await look()
    assert.deepEqual(await items('1.0.0'), {
      'SHOP-1': 'merged ready',
      'Meanwhile': 'merged ready',
    })
    const [{ workItem }] = await search('1.0.0', '?q=halves')
    assert.sameMembers(
      workItem.code.map((each: any) => each.hash ?? each.title),
      [one, two, 'SHOP-1 Both halves']
    )
    repository.commit({ message: `Revert the merge\n\nThis reverts commit ${merge}.` })
    await look()
    assert.deepEqual(await items('1.0.0'), {
      'SHOP-1': 'missing missingCode',
      'Meanwhile': 'merged ready',
    })
  })

  test('200 the tracker and the app decide which tickets are done', async ({ assert, cleanup }) => {
    const { repository, tracker, release, look, items } = await makeFeatures(cleanup, {
      additionalDoneStatuses: ['Ready for QA'],
      affiliations: [{ type: 'label', pattern: 'release-{version}' }],
    })
    repository.git('tag', 'v0.9.0', repository.commit())
    for (const key of ['SHOP-1', 'SHOP-2', 'SHOP-3']) repository.commit({ message: `${key} Work` })
    const labels = ['release-1.0.0']
    tracker.set('SHOP-1', { labels, status: 'ready for qa' })
    tracker.set('SHOP-2', { labels, status: 'Closed', done: true })
    tracker.set('SHOP-3', { labels: ['release-1.0.0-later'], status: 'In review' })
    await release('1.0.0')
    await look()
    assert.deepEqual(await items('1.0.0'), {
      'SHOP-1': 'merged ready',
      'SHOP-2': 'merged ready',
      'SHOP-3': 'merged ticketNotDone',
    })
    tracker.set('SHOP-2', { status: 'Reopened', done: false })
    await look()
    assert.equal((await items('1.0.0'))['SHOP-2'], 'merged ticketNotDone')
  })

  test('200 with filters, page by page, each item once', async ({ assert, cleanup }) => {
    const { repository, release, look, search, admin, path } = await makeFeatures(cleanup)
    repository.git('tag', 'v0.9.0', repository.commit())
    repository.commit({ message: 'By Grace 100%', author: 'Grace Hopper <grace@acme.example>' })
    for (let index = 0; index < 4; index++) repository.commit({ message: `By Ada ${index}` })
    await release('1.0.0')
    await look()
    assert.lengthOf(await search('1.0.0'), 5)
    assert.lengthOf(await search('1.0.0', '?author=grace%20hopper'), 1)
    assert.lengthOf(await search('1.0.0', '?author=grace'), 0)
    assert.lengthOf(await search('1.0.0', '?q=by%20ADA'), 4)
    assert.lengthOf(await search('1.0.0', '?q=100%25'), 1)
    assert.lengthOf(await search('1.0.0', '?q=%25'), 1)
    assert.lengthOf(await search('1.0.0', '?codeStatus=inRelease'), 0)
    assert.lengthOf(await search('1.0.0', '?ignored=true'), 0)
    const list = `${path('1.0.0')}/featureReadiness/search`
    const seen: string[] = []
    for (let next: string | undefined = `${list}?limit=2`; next;) {
      const { body, headers }: any = await admin.get(next)
      seen.push(...body.data.map((each: any) => each.id))
      next = /^<(.+)>; rel="next"$/.exec(headers.link ?? '')?.[1]
    }
    assert.lengthOf(new Set(seen), 5)
    assert.equal((await admin.get(`${list}?codeStatus=gone`)).status, 422)
    assert.equal((await admin.get(`${list}?limit=x`)).status, 400)
  })

  test('404 for another organization', async ({ assert, cleanup }) => {
    const { release, path } = await makeFeatures(cleanup)
    await release('1.0.0')
    const other = await makeWorld()
    const { status } = await other.admin.get(`${path('1.0.0')}/featureReadiness/search`)
    assert.equal(status, 404)
  })
})

test.group('A poll of code and tickets', () => {
  test('requests only what is new', async ({ assert, cleanup }) => {
    const { repository, tracker, release, look, items } = await makeFeatures(cleanup)
    repository.git('tag', 'v0.9.0', repository.commit())
    repository.commit({ message: 'SHOP-1 One' })
    tracker.set('SHOP-1')
    await release('1.0.0')
    await look()
    tracker.searches = []
    await look()
    assert.deepEqual(
      tracker.searches.flatMap(({ keys }) => keys ?? []),
      []
    )
    repository.commit({ message: 'SHOP-2 Two and SHOP-404' })
    tracker.set('SHOP-2')
    await look()
    assert.deepEqual(
      tracker.searches.flatMap(({ keys }) => keys ?? []),
      ['SHOP-2', 'SHOP-404']
    )
    assert.sameMembers(Object.keys(await items('1.0.0')), ['SHOP-1', 'SHOP-2'])
  })

  test('goes on with one provider while the other does not answer', async ({ assert, cleanup }) => {
    const { repository, tracker, release, look, items } = await makeFeatures(cleanup)
    repository.git('tag', 'v0.9.0', repository.commit())
    repository.commit({ message: 'SHOP-1 One' })
    tracker.set('SHOP-1', { done: true, versions: ['1.0.0'] })
    tracker.isAway = true
    await release('1.0.0')
    await look()
    // The other one is waited for once, and no longer.
    assert.deepEqual(await items('1.0.0'), {})
    await look()
    assert.deepEqual(await items('1.0.0'), { 'SHOP-1 One': 'merged ready' })
    tracker.isAway = false
    await look()
    assert.deepEqual(await items('1.0.0'), { 'SHOP-1': 'merged ready' })
  })

  test('is not blocked by a ticket that was deleted or hidden', async ({ assert, cleanup }) => {
    const { repository, tracker, release, look, items, world, step } = await makeFeatures(cleanup)
    repository.git('tag', 'v0.9.0', repository.commit())
    repository.commit({ message: 'SHOP-1 One' })
    tracker.set('SHOP-1')
    await release('1.0.0')
    await look()
    assert.deepEqual(await items('1.0.0'), { 'SHOP-1': 'merged ticketNotDone' })
    tracker.tickets.delete('SHOP-1')
    await world.write((scope) =>
      scope.table('tracker_tickets').update({ seen_at: '1970-01-01T00:00:00.000Z' })
    )
    await look()
    assert.deepEqual(await items('1.0.0'), { 'SHOP-1 One': 'merged ready' })
    assert.equal((await step('1.0.0', 'featureReadiness')).status, 'complete')
  })

  test('reports no ticket as ready before its code was observed', async ({ assert, cleanup }) => {
    const { repository, tracker, release, look, items } = await makeFeatures(cleanup)
    repository.git('tag', 'v0.9.0', repository.commit())
    repository.commit({ message: 'SHOP-1 One' })
    tracker.set('SHOP-1', { done: true, versions: ['1.0.0'] })
    renameSync(repository.path, `${repository.path}.away`)
    await release('1.0.0')
    await look()
    await look()
    assert.deepEqual(await items('1.0.0'), { 'SHOP-1': 'missing missingCode' })
    renameSync(`${repository.path}.away`, repository.path)
    await look()
    assert.deepEqual(await items('1.0.0'), { 'SHOP-1': 'merged ready' })
  })

  test('records nothing that the other half of the first poll would correct', async ({
    assert,
    cleanup,
  }) => {
    const { repository, tracker, release, look, items, world } = await makeFeatures(cleanup)
    repository.git('tag', 'v0.9.0', repository.commit())
    // With one half alone, nothing blocks the step.
    repository.commit({ message: 'SHOP-1 One' })
    tracker.set('SHOP-1')
    tracker.set('SHOP-2', { done: true, versions: ['1.0.0'] })
    await release('1.0.0')
    await look()
    assert.deepEqual(await items('1.0.0'), {
      'SHOP-1': 'merged ticketNotDone',
      'SHOP-2': 'missing missingCode',
    })
    const reported = (await world.events()).filter(
      ({ type, payload }) =>
        type === 'releaseStep.statusChanged' &&
        JSON.stringify(payload).includes('"type":"featureReadiness"')
    )
    assert.lengthOf(reported, 1)
    assert.notInclude(JSON.stringify(reported[0].payload), '"status":"complete"')
  })

  test('ends when the release is over, and items of released code say so', async ({
    assert,
    cleanup,
  }) => {
    const { repository, release, look, items, kickOff, admin, path, world } =
      await makeFeatures(cleanup)
    repository.git('tag', 'v0.9.0', repository.commit())
    repository.commit({ message: 'One' })
    await release('1.0.0')
    await kickOff('1.0.0')
    await look()
    await admin.put(`${path('1.0.0')}/complete`)
    await look()
    assert.deepEqual(await items('1.0.0'), { One: 'released ready' })
    const open = await world.write((scope) =>
      scope
        .table('jobs')
        .whereIn('kind', ['features.code', 'features.tickets'])
        .whereNull('finished_at')
    )
    assert.isEmpty(open)
  })
})
