import { test } from '@japa/runner'
import { CreateUser } from '#organizations/actions/create_user'
import { DeactivateUser } from '#organizations/actions/deactivate_user'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'
import { weekly } from '#planning/tests/support'
import { later } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { clock } from '#foundation/core/services'
import { LONG } from '#tests/support/effort'
import { passMinutes, tidy, workThrough } from '#stores/tests/support'
import { hoursOf, type StoryRelease } from './support/story.js'

const required = { standard: { required: true }, hotfix: { required: true } }
const stepsOf = (...types: readonly ('kickoff' | 'releaseCandidate' | 'approvals')[]) =>
  types.map((type, index) => ({ type, name: `${type} ${index}`, releaseTypes: required }))

/** Makes an app without integrations, which is rehearsed for a week. */
async function given(steps: ReturnType<typeof stepsOf>) {
  const world = await makeWorld()
  const appId = await makeApp(world, { platform: 'android', steps })
  const { admin, organizationId } = world
  return {
    ...{ world, appId, admin },
    async rehearse() {
      const { body } = await admin.post(`/app/${appId}/rehearsal`, { weeks: 1 })
      await workThrough(organizationId, 1)
      const { body: played } = await admin.get(`/app/${appId}/rehearsal/${body.id}`)
      const { failure, result } = played
      return { failure, result, releases: (result?.story.releases ?? []) as StoryRelease[] }
    },
  }
}

test.group('The rehearsal of an app', (group) => {
  group.each.teardown(tidy)
  group.each.timeout(60_000)

  test('has its items with owners and steps, the cadence it follows, and no people who left', async ({
    assert,
  }) => {
    const { world, appId, admin, rehearse } = await given(
      stepsOf('kickoff', 'approvals', 'approvals')
    )
    const { body: legal } = await admin.post(`/org/${world.organizationId}/group`, {
      name: 'Legal',
      userActions: ['UpdateApprovalItemStatus'],
    })
    await world.write(async (scope) => {
      const people = new CreateUser(scope)
      await people.handle({ email: 'lina@acme.example', name: 'Lina', groupIds: [legal.id] })
      const left = await people.handle({ email: 'gone@acme.example', name: 'Gone', groupIds: [] })
      await new DeactivateUser(scope).handle(left)
    })
    const { body: app } = await admin.get(`/app/${appId}`)
    const { status } = await admin.post(`/app/${appId}/checklistItem`, {
      ...{ title: 'Terms are read', stepConfigId: app.steps[2].id },
      owners: [{ type: 'group', id: legal.id }],
    })
    assert.equal(status, 201)
    const leader = await makeApp(world)
    await admin.put(`/app/${leader}/scheduleCadence`, weekly(clock.now(), 1))
    await admin.put(`/app/${appId}/scheduleCadence`, { followsAppId: leader })
    const { failure, result, releases } = await rehearse()
    assert.isNull(failure)
    const { spans } = releases.find(({ version }) => version === '1.0.0')!
    const waited = spans.find(({ step }) => step === 'approvals 2')
    assert.deepEqual(
      waited?.who.map(({ name }) => name),
      ['Legal']
    )
    assert.isEmpty(result.entries.filter(({ text }: { text: string }) => text.includes('Gone')))
  })

  test('continues after a day without a step that has no provider', async ({ assert }) => {
    const { rehearse } = await given(stepsOf('kickoff', 'releaseCandidate', 'approvals'))
    const { failure, releases } = await rehearse()
    assert.isNull(failure)
    const [first] = releases
    assert.isNotNull(first.completedAt)
    const waited = first.spans.filter(({ step }) => step === 'releaseCandidate 1')
    assert.isAbove(hoursOf(waited), 20)
  })

  test('continues releases under way and planned ones, and drafts none of them again', async ({
    assert,
  }) => {
    const { appId, admin, rehearse } = await given(stepsOf('kickoff', 'approvals'))
    const path = (version: string) => `/app/${appId}/release/${appId}:${version}`
    for (const title of ['Legal agrees', 'Product agrees']) {
      await admin.post(`/app/${appId}/checklistItem`, { title, stepType: 'approvals' })
    }
    const targetKickoffAt = later(clock.now(), 4 * DAY)
    for (const body of [
      { version: '1.0.0' },
      { version: '1.1.0' },
      { version: '1.4.0', targetKickoffAt, releaseName: 'Winter' },
    ]) {
      await admin.post(`/app/${appId}/release`, body)
    }
    await admin.put(`${path('1.0.0')}/kickoff`)
    await admin.put(`${path('1.0.0')}/complete`, { force: true })
    await admin.put(`${path('1.1.0')}/kickoff`)
    const { body: items } = await admin.get(`${path('1.1.0')}/checklistItems`)
    const legal = items.find(({ title }: { title: string }) => title === 'Legal agrees')
    await admin.put(`${path('1.1.0')}/checklistItem/${legal.id}/status`, { status: 'complete' })

    const { failure, result, releases } = await rehearse()
    assert.isNull(failure)
    assert.deepEqual(
      releases.slice(0, 2).map(({ version }) => version),
      ['1.1.0', '1.4.0']
    )
    const [first, second] = releases
    assert.equal(first.kickedOffAt, result.begin)
    assert.isAtLeast(Date.parse(second.kickedOffAt!), Date.parse(targetKickoffAt))
    const [settled] = result.entries.filter(({ text }: { text: string }) =>
      text.startsWith('Legal agrees: notStarted')
    )
    assert.equal(settled.at, result.begin)
  })

  test('drafts no train again that the app has decided on, even if it was deleted', async ({
    assert,
  }) => {
    const { world, appId, admin, rehearse } = await given(stepsOf('kickoff', 'approvals'))
    await admin.put(`/app/${appId}/scheduleCadence`, weekly(clock.now(), 1))
    for (let turn = 0; turn < 8; turn++) {
      await workThrough(world.organizationId, 1)
      passMinutes(1)
    }
    const { body } = await admin.get(`/v2/app/${appId}/releases`)
    const planned: string[] = body.data.map(({ version }: { version: string }) => version)
    assert.sameMembers(planned, ['1.0.0', '1.1.0', '1.2.0', '1.3.0'])
    await admin.delete(`/app/${appId}/release/${appId}:1.1.0`)
    const { failure, result } = await rehearse()
    assert.isNull(failure)
    const drafted = result.entries.flatMap(
      ({ text }: { text: string }) => /^(\S+) was drafted/.exec(text)?.[1] ?? []
    )
    assert.deepEqual(drafted.slice(0, 3), ['1.0.0', '1.2.0', '1.3.0'])
    assert.notInclude(drafted, '1.1.0')
  }).tags([LONG])
})
