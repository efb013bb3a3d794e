import { test } from '@japa/runner'
import { reported } from '#releases/tests/helpers/release_world'
import { unsoundness } from '#releases/tests/helpers/soundness'
import { makeWorld } from '#tests/support/world'
import { makeApp, sendYaml } from './yaml.js'

const TYPE_OF = {
  K: 'kickoff',
  R: 'regressionTesting',
  A: 'approvals',
  T: 'metadata',
  S: 'submission',
} as const

/**
 * Writes a step. The first letter of its name selects the archetype. `?` makes it optional, and `@`
 * is followed by its destination.
 */
function step(written: string): string {
  const [, name, optional, destination] = /^(\w+)(\??)@?(\w*)$/.exec(written)!
  const type = TYPE_OF[name[0] as keyof typeof TYPE_OF]
  const whose = destination && `, x-destination: ${destination}`
  return `{name: ${name}, archetype: ${type}, releaseTypes: {standard: {required: ${!optional}}}${whose}}`
}

/** Writes a workflow with one group per step, and the destinations that its steps name. */
function workflow(...steps: string[]): string {
  const names = new Set(steps.flatMap((each) => each.split('@').slice(1)))
  const destinations = [...names].map((name) => `${name}: {}`).join(', ')
  const groups = steps.map((each) => `{steps: [${step(each)}]}`).join(', ')
  return `x-destinations: {${destinations}}\nstepGroups: [${groups}]`
}

/** Creates an app with a first, active release and a second, upcoming one. */
async function makeReleases(...written: string[]) {
  const world = await makeWorld()
  const app = await makeApp(world, workflow(...written))
  const { admin } = world
  for (const version of ['1.0.0', '1.1.0']) {
    await admin.post(`/app/${app.id}/release`, { version })
  }
  const path = (version: string) => `/app/${app.id}/release/${app.id}:${version}`
  await admin.put(`${path('1.0.0')}/kickoff`)
  const detail = async (version: string) =>
    (await admin.get(`/v2/app/${app.id}/releases/${app.id}:${version}`)).body
  return {
    world,
    detail,
    async item(title: string, collection = 'regressionItem'): Promise<string> {
      return (await admin.post(`/app/${app.id}/${collection}`, { title })).body.id
    },
    async set(itemId: string, status: string, version = '1.0.0') {
      const url = `${path(version)}/checklistItem/${itemId}/status`
      const response = await admin.put(url, { status })
      if (response.status !== 200) throw new Error(response.text)
    },
    async edit(itemId: string, values: object) {
      const response = await admin.put(`/app/${app.id}/checklistItem/${itemId}`, values)
      if (response.status !== 200) throw new Error(response.text)
    },
    /** Sets the status of a whole step by hand. */
    async decide(name: string, body: object) {
      const { steps } = await detail('1.0.0')
      const { stepRunId } = steps.find((each: any) => each.name === name)
      const what = 'approved' in body ? 'stepRun' : 'step'
      const how = 'approved' in body ? 'approval' : 'regressionStatus'
      const response = await admin.put(`${path('1.0.0')}/${what}/${stepRunId}/${how}`, body)
      if (response.status !== 200) throw new Error(response.text)
    },
    app: async () => (await admin.get(`/app/${app.id}`)).body,
    async change(...wanted: string[]) {
      const text = workflow(...wanted)
      const response = await sendYaml(admin, 'PATCH', `/app/${app.id}/app/config`, text)
      if (response.status !== 200) throw new Error(response.text)
    },
    /** Returns each step with its status and its items. */
    async steps(version = '1.0.0'): Promise<string[]> {
      const { steps } = await detail(version)
      return steps.map(({ name, status, data, checklistItems }: any) => {
        const items = checklistItems.total === 0 ? [] : data.items
        const held = items.map(({ title, status: { type } }: any) => `${title} ${type}`)
        return [name, status, ...held].join(', ')
      })
    },
    async entries(type: string, version = '1.0.0') {
      const { data } = (await admin.get(`${path(version)}/timelineEvents?type=${type}`)).body
      return data.reverse()
    },
    async comment(itemId: string, comment: string, version = '1.0.0') {
      await admin.put(`${path(version)}/checklistItem/${itemId}/comment`, { comment })
    },
    /** Returns the timeline entries about added, moved and removed items, oldest first. */
    async reportedOfItems(version = '1.0.0'): Promise<string[]> {
      const { data } = (await admin.get(`${path(version)}/timelineEvents?limit=200`)).body
      const titles = (entry: any) => entry.data.items.map(({ title }: any) => title).sort()
      return data
        .filter(({ type }: any) => /^checklistItem\.(added|updated|removed)$/.test(type))
        .map((entry: any) => `${entry.type.split('.')[1]} ${titles(entry)}`)
        .reverse()
    },
  }
}

test.group('Items of a release whose workflow is edited', () => {
  test('are recorded with their status when they go, and start over when they come back', async ({
    assert,
  }) => {
    const release = await makeReleases('K', 'Reg', 'Sub')
    const [pay, logIn, untouched] = [
      await release.item('Pay'),
      await release.item('Log in'),
      await release.item('Search'),
    ]
    await release.set(pay, 'failed', '1.1.0')
    await release.comment(pay, 'The card is refused.', '1.1.0')
    await release.comment(logIn, 'Slow.', '1.1.0')
    await release.change('K', 'Sub')
    const [went, ...more] = await release.entries('checklistItem.removed', '1.1.0')
    assert.isEmpty(more)
    assert.equal(went.title, '3 items were removed, 2 with what people had said about them')
    const lost = new Map(went.data.items.map((item: any) => [item.checklistItemId, item.lost]))
    assert.deepEqual(lost.get(pay), {
      status: 'failed',
      comment: 'The card is refused.',
      approvedBy: [],
    })
    assert.deepEqual(lost.get(logIn), { status: 'notStarted', comment: 'Slow.', approvedBy: [] })
    assert.isUndefined(lost.get(untouched))
    await release.change('K', 'Reg', 'Sub')
    const [, back] = await release.steps('1.1.0')
    assert.equal(back, 'Reg, notStarted, Pay notStarted, Log in notStarted, Search notStarted')

    await release.set(pay, 'failed', '1.1.0')
    const { admin } = release.world
    await admin.delete(`/app/${(await release.app()).id}/regressionItems/batch`, { ids: [pay] })
    const [, alone] = await release.entries('checklistItem.removed', '1.1.0')
    assert.equal(alone.title, '"Pay" was removed; its status was failed')
  })

  for (const [name, ...wanted] of [
    ['exchanged', 'K', 'Rsmoke?', 'Reg', 'Sub'],
    ['joined by another before it', 'K', 'Rnew?', 'Reg', 'Rsmoke?', 'Sub'],
  ]) {
    test(`stay on a step that was begun: two of its archetype ${name}`, async ({ assert }) => {
      const release = await makeReleases('K', 'Reg', 'Rsmoke?', 'Sub')
      const first = await release.item('Log in')
      await release.item('Pay')
      await release.set(first, 'passed')
      const { length } = await reported(release.world)
      await release.change(...wanted)
      assert.include(await release.steps(), 'Reg, inProgress, Log in passed, Pay notStarted')
      const { readyToSubmit, regressionStatus } = await release.detail('1.0.0')
      assert.isFalse(readyToSubmit)
      assert.equal(regressionStatus, 'inProgress')
      assert.lengthOf(await reported(release.world), length, 'and so nothing is sent')
    })
  }

  test('of an approvals step stay on it, too', async ({ assert }) => {
    const release = await makeReleases('K', 'Alegal', 'Sub')
    await release.set(await release.item('Legal', 'approval'), 'approved')
    await release.item('Board', 'approval')
    await release.change('K', 'Anew?', 'Alegal', 'Sub')
    assert.include(await release.steps(), 'Alegal, inProgress, Legal approved, Board notStarted')
    assert.isFalse((await release.detail('1.0.0')).readyToSubmit)
  })

  test('stay on a removed step, while new ones go to a step of the workflow', async ({
    assert,
  }) => {
    const release = await makeReleases('K', 'RegA', 'RegB', 'Sub')
    await release.set(await release.item('Log in'), 'passed')
    await release.item('Pay')
    await release.change('K', 'RegB', 'Sub')
    const item = await release.item('Log out')
    await release.edit(item, { title: 'Sign out' })
    assert.deepEqual(await release.steps(), [
      'K, complete',
      'RegA, inProgress, Log in passed, Pay notStarted',
      'RegB, notStarted, Sign out notStarted',
      'Sub, notStarted',
    ])
  })

  test('are recorded when they go with a step that nobody began, and when they return', async ({
    assert,
  }) => {
    const release = await makeReleases('K', 'Reg', 'Sub')
    await release.item('Pay')
    await release.change('K', 'Sub')
    for (const version of ['1.0.0', '1.1.0']) {
      assert.deepEqual(
        await release.reportedOfItems(version),
        ['added Pay', 'removed Pay'],
        version
      )
    }
    await release.change('K', 'Reg', 'Sub')
    for (const version of ['1.0.0', '1.1.0']) {
      const reportedOf = await release.reportedOfItems(version)
      assert.deepEqual(reportedOf, ['added Pay', 'removed Pay', 'added Pay'], version)
    }
  })

  test('move to another step of the archetype with what people did to them', async ({ assert }) => {
    const release = await makeReleases('K', 'RegA', 'RegB', 'Sub')
    await release.set(await release.item('Log in'), 'failed', '1.1.0')
    await release.change('K', 'RegB', 'Sub')
    // The upcoming release follows its workflow completely, and the failed item stays failed.
    assert.deepEqual(await release.steps('1.1.0'), [
      'K, notStarted',
      'RegB, blocked, Log in failed',
      'Sub, notStarted',
    ])
    for (const version of ['1.0.0', '1.1.0']) {
      const reportedOf = await release.reportedOfItems(version)
      assert.deepEqual(reportedOf, ['added Log in', 'updated Log in'], version)
    }
    assert.deepEqual(await unsoundness(release.world), [])
  })
})

test.group('A step of a release that was worked on', () => {
  test('comes before a submission that is new to the release', async ({ assert }) => {
    for (const edits of [
      [
        ['K', 'Aok', 'Reg'],
        ['K', 'Sub', 'Aok'],
      ],
      [
        ['K', 'Aok', 'Reg', 'Sub'],
        ['K', 'Aok'],
        ['K', 'Sub', 'Aok'],
      ],
    ]) {
      const release = await makeReleases(...edits[0])
      await release.set(await release.item('Log in'), 'failed')
      for (const edit of edits.slice(1)) await release.change(...edit)
      const names = (await release.steps()).map((each) => each.split(',')[0])
      assert.deepEqual(names, ['K', 'Reg', 'Sub', 'Aok'])
      assert.isFalse((await release.detail('1.0.0')).readyToSubmit)
    }
  })

  test('goes on when it is put back while another of its archetype goes', async ({ assert }) => {
    const release = await makeReleases('K', 'RegA', 'RegB', 'Sub')
    await release.set(await release.item('Log in'), 'failed')
    await release.decide('RegB', { status: 'passed' })
    const [, a, b] = (await release.detail('1.0.0')).steps
    await release.change('K', 'RegB', 'Sub')
    await release.change('K', 'RegA', 'Sub')
    const { steps } = await release.detail('1.0.0')
    const places = steps.map(({ name, id }: any) => [name, id])
    assert.includeDeepMembers(places, [
      ['RegA', a.id],
      ['RegB', b.id],
    ])
    const config = (await release.app()).steps[1]
    const configOf = (id: string) => steps.find((each: any) => each.id === id).stepConfigId
    assert.equal(configOf(a.id), config.id)
    assert.notEqual(configOf(b.id), config.id)
    // The other step also comes back as the same step.
    await release.change('K', 'RegA', 'RegB', 'Sub')
    const again = await release.detail('1.0.0')
    assert.deepEqual(
      again.steps.map(({ id }: any) => id),
      [steps[0].id, a.id, b.id, steps.at(-1).id]
    )
  })

  for (const name of ['Regression', 'Reg']) {
    test(`stands once when it was renamed, removed and put back as ${name}`, async ({ assert }) => {
      const release = await makeReleases('K', 'Reg', 'Sub')
      await release.set(await release.item('Log in'), 'failed')
      await release.change('K', 'Regression', 'Sub')
      await release.change('K', 'Sub')
      await release.change('K', name, 'Sub')
      assert.deepEqual(await release.steps(), [
        'K, complete',
        'Reg, blocked, Log in failed',
        'Sub, notStarted',
      ])
    })
  }

  test('stands once when its destination went and came again, and is of the new one', async ({
    assert,
  }) => {
    const release = await makeReleases('K', 'Texts@Shop', 'Sub', 'Sub2@Shop')
    await release.decide('Texts', { approved: true })
    const before = (await release.detail('1.0.0')).steps[1]
    await release.change('K', 'Sub')
    await release.change('K', 'Texts@SHOP', 'Sub', 'Sub2@SHOP')
    const { steps } = await release.detail('1.0.0')
    assert.deepEqual(
      steps.map(({ name, id }: any) => (name === 'Texts' ? id : name)),
      ['K', before.id, 'Sub', 'Sub2']
    )
    const { destinations } = await release.app()
    assert.equal(steps[1].destinationId, destinations[1].id)
    assert.notEqual(steps[1].destinationId, before.destinationId)
  })
})
