import { test } from '@japa/runner'
import { makeWorld } from '#tests/support/world'
import { sendYaml } from './yaml.js'

const FORM = `x-fixRequests:
  requiredApprovals: 2
  fourEyes: false
  fields:
    - id: risk
      label: How risky is it?
      type: select
      required: true
      options:
        - low
        - high
    - id: why
      label: Why now?
      type: textarea
`

async function make(text: string) {
  const world = await makeWorld()
  const path = `/org/${world.organizationId}/app/config`
  const { status, body } = await sendYaml(
    world.admin,
    'POST',
    path,
    `name: A\nplatform: ios\n${text}`
  )
  return { world, status, body, app: `/app/${body.id}` }
}

test.group('x-fixRequests of a configuration file', () => {
  test('201 sets the form of the app, exported as it was given; null restores the default', async ({
    assert,
  }) => {
    const { world, app } = await make(FORM)
    const form = async () => (await world.admin.get(`${app}/fixRequestFormFieldsSettings`)).body
    assert.containsSubset(await form(), {
      requiredApprovals: 2,
      fourEyes: false,
      fields: [
        { id: 'risk', type: 'select', required: true, options: ['low', 'high'], helpText: null },
        { id: 'why', type: 'textarea', required: false, options: null },
      ],
    })
    const { text } = await world.admin.get(`${app}/app/config`)
    assert.include(text, FORM)
    const again = await sendYaml(world.admin, 'PATCH', `${app}/app/config?dryRun=true`, text)
    assert.deepEqual(again.body, [])
    await sendYaml(world.admin, 'PATCH', `${app}/app/config`, 'x-fixRequests: null')
    assert.containsSubset(await form(), { requiredApprovals: 1, fourEyes: true, fields: [] })
    assert.notInclude((await world.admin.get(`${app}/app/config`)).text, 'x-fixRequests')
  })

  test('422 lists errors with their places', async ({ assert }) => {
    const { status, body } = await make(`x-fixRequests:
  requiredApprovals: 21
  fields:
    - {id: a, label: A, type: text, options: [x]}
    - {id: b, label: B, type: select}
    - {id: b2, label: B, type: select, options: [x, x]}
    - {id: c, label: C, type: poem}
    - {id: d, label: D, type: url}
    - {id: d, label: E, type: url, colour: red}
`)
    assert.equal(status, 422)
    assert.sameDeepMembers(
      body.errors.map(({ path, code }: { path: string; code: string }) => [path, code]),
      [
        ['x-fixRequests.requiredApprovals', 'out_of_range'],
        ['x-fixRequests.fields[0].options', 'not_allowed'],
        ['x-fixRequests.fields[1]', 'required'],
        ['x-fixRequests.fields[2].options', 'duplicate'],
        ['x-fixRequests.fields[3].type', 'unknown_value'],
        ['x-fixRequests.fields[5].colour', 'unknown_key'],
        ['x-fixRequests.fields[5]', 'duplicate'],
      ]
    )
  })
})
