import { test } from '@japa/runner'
import { CHANGE_KINDS } from '#comparison/vocabulary'
import { makeWorld } from '#tests/support/world'
import { step } from '../helpers.js'
import { makeApp, sendYaml } from './yaml.js'

const RULES = `changeApprovals:
  - change: permissionAdded
    groups:
      - Approvers
      - QA
  - change: sizeGrown
`

async function make(rest = '') {
  const world = await makeWorld()
  const app = `/app/${(await makeApp(world, rest)).id}`
  const configure = (text: string, query = '') =>
    sendYaml(world.admin, 'PATCH', `${app}/app/config${query}`, text)
  return {
    world,
    app,
    configure,
    exported: async () => (await world.admin.get(`${app}/app/config`)).text,
  }
}

test.group('changeApprovals of a configuration file', () => {
  test('201 and 200: exported as they were given, in their order; null takes them away', async ({
    assert,
  }) => {
    const { world, app, configure, exported } = await make(RULES)
    assert.include(await exported(), RULES)
    assert.deepEqual((await configure(await exported(), '?dryRun=true')).body, [])
    const { body: plan } = await configure(
      'changeApprovals: [{change: frameworkAdded}]',
      '?dryRun=true'
    )
    assert.containsSubset(plan, [
      {
        op: 'change',
        path: 'changeApprovals',
        to: [{ change: 'frameworkAdded' }],
        effect:
          'Changes of a build against the live version that need an approval, in releases under way too',
      },
    ])
    assert.equal((await configure('changeApprovals: null')).status, 200)
    assert.notInclude(await exported(), 'changeApprovals')
    const { body } = await world.admin.get(`${app}/timelineEvents`)
    const entry = body.data.find(({ type }: any) => type === 'app.changeApprovalsChanged')
    assert.deepEqual(entry.data.to, [])
    assert.lengthOf(entry.data.from, 2)
  })

  test('names of groups match in any case, and follow when groups are renamed', async ({
    assert,
  }) => {
    const { world, configure, exported } = await make()
    const path = `/org/${world.organizationId}/group`
    const { body } = await world.admin.post(path, { name: 'Legal', userActions: [] })
    await configure('changeApprovals: [{change: targetChanged, groups: [lEGAL]}]')
    assert.include(await exported(), '- Legal')
    await world.admin.put(`${path}/${body.id}`, { name: 'Law' })
    assert.include(await exported(), '- Law')
  })

  test('422 lists errors with their places, and the known kinds', async ({ assert }) => {
    const { configure, exported } = await make()
    const before = await exported()
    const { status, body } = await configure(`changeApprovals:
  - {change: permissionAdd, groups: [Approvers]}
  - {groups: [Aprovers]}
  - {change: sizeGrown, groups: [QA, qa], percent: 3}
  - {change: sizeGrown, groups: [QA]}
`)
    assert.equal(status, 422)
    const found = body.errors.map(({ path, code }: any) => `${path} ${code}`)
    assert.deepEqual(found, [
      'changeApprovals[0].change unknown_value',
      'changeApprovals[1].change required',
      'changeApprovals[1].groups[0] member_unknown',
      'changeApprovals[2].groups[1] duplicate',
      'changeApprovals[2].percent unknown_key',
      'changeApprovals[3] duplicate',
    ])
    assert.include(body.errors[0].message, CHANGE_KINDS.join(', '))
    assert.equal(body.errors[0].suggestion, 'permissionAdded')
    assert.equal(body.errors[2].suggestion, 'Approvers')
    assert.equal(await exported(), before)
  })

  test('422 if no required approvals step would wait, whichever of the two is edited', async ({
    assert,
  }) => {
    const steps = (types: string) =>
      `stepGroups: [{steps: [${step('kickoff', 'standard: {required: true}, hotfix: {required: true}')}, ${step('approvals', types)}]}]`
    const rules = 'changeApprovals: [{change: sizeGrown}]'
    const { configure } = await make(steps('standard: {required: true}'))
    const given = await configure(rules)
    assert.deepEqual([given.status, given.body.errors[0].path], [422, 'changeApprovals'])
    assert.include(given.body.errors[0].message, 'required for hotfix releases')
    const both = 'standard: {required: true}, hotfix: {required: true}'
    assert.equal((await configure(`${rules}\n${steps(both)}`)).status, 200)
    const taken = await configure(steps('standard: {required: false}'))
    assert.deepEqual(
      taken.body.errors.map(({ path, code }: any) => `${path} ${code}`),
      ['stepGroups required', 'stepGroups required']
    )
    assert.equal(
      (await configure(`changeApprovals: null\n${steps('standard: {required: false}')}`)).status,
      200
    )
  })
})
