import { test } from '@japa/runner'
import type { Api } from '#tests/support/api'
import { stepRuns } from '#releases/tables'
import { makeWorld } from '#tests/support/world'
import { MAX_RELEASE_STEPS, MAX_WORKFLOW_STEPS } from '#workflow/bounds'
import { sendYaml } from './yaml.js'

const KICKOFF = {
  name: 'Kickoff',
  archetype: 'kickoff',
  releaseTypes: { standard: { required: true } },
}

/** Creates a workflow with a number of steps, in groups within the size limit. */
function stepGroups(count: number, name: string, archetype = 'screenshots') {
  const steps = Array.from({ length: count }, (_, index) => ({
    name: `${name} ${index}`,
    archetype,
    releaseTypes: { standard: { required: false } },
  }))
  const groups = []
  for (let start = 0; start < count; start += 50) {
    groups.push({ steps: steps.slice(start, start + 50) })
  }
  return groups
}

const withKickoff = (count: number, name: string, archetype?: string) => [
  { steps: [KICKOFF] },
  ...stepGroups(count - 1, name, archetype),
]

// JSON is valid YAML.
const send = (api: Api, method: 'POST' | 'PATCH', path: string, file: object) =>
  sendYaml(api, method, path, JSON.stringify(file))

test.group('The room for steps', () => {
  test('a workflow has at most the maximum of steps, however they are added', async ({
    assert,
  }) => {
    const { admin, organizationId } = await makeWorld()
    const file = (count: number) => ({
      name: 'Acme',
      platform: 'ios',
      stepGroups: withKickoff(count, 'Shot'),
    })
    const path = `/org/${organizationId}/app/config`
    const tooMany = await send(admin, 'POST', path, file(MAX_WORKFLOW_STEPS + 1))
    assert.equal(tooMany.status, 422)
    assert.containsSubset(tooMany.body.errors, [{ path: 'stepGroups', code: 'too_many' }])

    const { status, body: app } = await send(admin, 'POST', path, file(MAX_WORKFLOW_STEPS - 2))
    assert.equal(status, 201)
    const own = `/app/${app.id}/app/config`
    const patch = { stepGroups: withKickoff(MAX_WORKFLOW_STEPS + 1, 'Shot') }
    for (const query of ['', '?dryRun=true']) {
      const changed = await send(admin, 'PATCH', own + query, patch)
      assert.equal(changed.status, 422)
      assert.equal(changed.body.errors[0].code, 'too_many')
    }

    const destination = `/app/${app.id}/destination/config`
    const given = { name: 'Second', stepGroups: stepGroups(3, 'More') }
    const named = await send(admin, 'POST', destination, given)
    assert.equal(named.status, 422)
    assert.containsSubset(named.body.errors, [{ path: 'stepGroups', code: 'too_many' }])
    const standard = await send(admin, 'POST', destination, { name: 'Second' })
    assert.equal(standard.status, 422)
    assert.containsSubset(standard.body.errors, [{ path: 'name', code: 'too_many' }])
    const fitting = { ...given, stepGroups: stepGroups(2, 'More') }
    assert.equal((await send(admin, 'POST', destination, fitting)).status, 201)
  })

  test('steps that only a release still has count, too', async ({ assert }) => {
    const world = await makeWorld()
    const { admin, organizationId } = world
    const first = { name: 'Acme', platform: 'ios', stepGroups: withKickoff(200, 'Old') }
    const { body: app } = await send(admin, 'POST', `/org/${organizationId}/app/config`, first)
    await admin.post(`/app/${app.id}/release`, { version: '1.0.0' })
    const release = `/app/${app.id}/release/${app.id}:1.0.0`
    assert.equal((await admin.put(`${release}/kickoff`)).status, 200)
    const { body: steps } = await admin.get(`${release}/steps`)
    const noted = steps.filter(({ type }: { type: string }) => type === 'screenshots')
    await world.write(async (scope) => {
      for (const { stepRunId: id } of noted.slice(0, 120)) {
        await scope.update(stepRuns, { id }, { notes: { comment: 'Begun.' } })
      }
    })
    const own = `/app/${app.id}/app/config`
    const wanted = (count: number) => ({ stepGroups: withKickoff(count, 'New', 'metadata') })
    const most = MAX_RELEASE_STEPS - 120
    const refused = await send(admin, 'PATCH', own, wanted(most + 1))
    assert.equal(refused.status, 409)
    assert.containsSubset(refused.body, { code: 'too_many_steps', limit: MAX_RELEASE_STEPS })
    assert.include(refused.body.detail, 'The release 1.0.0')
    assert.equal((await send(admin, 'PATCH', own, wanted(most))).status, 200)
    assert.lengthOf((await admin.get(`${release}/steps`)).body, MAX_RELEASE_STEPS)
  })
})
