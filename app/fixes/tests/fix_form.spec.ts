import { test } from '@japa/runner'
import { makeTrain } from '#releases/tests/helpers/release_world'

async function makeForm(settings: object = {}) {
  const train = await makeTrain([], { settings })
  const path = `/app/${train.app}/fixRequestFormFieldsSettings`
  return { ...train, form: path, set: (body: object) => train.admin.put(path, body) }
}

const errorsOf = ({ body }: { body: any }): string[] =>
  body.errors.map(({ pointer, code }: any) => `${pointer} ${code}`)

const risk = { id: 'risk', label: 'Risk', type: 'select', options: ['low', 'high'] }

test.group('GET /app/{appId}/fixRequestFormFieldsSettings', () => {
  test('200 has defaults, and shows the related settings of the app', async ({ assert }) => {
    const unset = await makeForm()
    const expected = {
      requireFixApprovals: false,
      requiredApprovals: 1,
      fourEyes: true,
      enableFixStatusChecks: false,
      fields: [],
    }
    assert.deepEqual((await unset.admin.get(unset.form)).body, expected)
    const set = await makeForm({ requireFixApprovals: true, enableFixStatusChecks: true })
    assert.deepEqual((await set.admin.get(set.form)).body, {
      ...expected,
      requireFixApprovals: true,
      enableFixStatusChecks: true,
    })
    assert.equal((await set.admin.get(unset.form)).status, 404)
  })
})

test.group('PUT /app/{appId}/fixRequestFormFieldsSettings', () => {
  test('200 changes what is given; fields given replace all', async ({ assert }) => {
    const { set, admin, form } = await makeForm()
    const first = await set({
      requiredApprovals: 2,
      fields: [risk, { id: 'why', label: ' Why? ', type: 'textarea', required: true }],
    })
    assert.equal(first.status, 200)
    assert.containsSubset(first.body, { requiredApprovals: 2, fourEyes: true })
    assert.deepEqual(first.body.fields, [
      { ...risk, required: false, helpText: null },
      {
        id: 'why',
        label: 'Why?',
        type: 'textarea',
        required: true,
        options: null,
        helpText: null,
      },
    ])
    const second = await set({ fourEyes: false })
    assert.deepEqual(second.body, { ...first.body, fourEyes: false })
    assert.deepEqual((await set({ fields: [] })).body, { ...second.body, fields: [] })
    assert.deepEqual((await admin.get(form)).body.fields, [])
  })

  test('the timeline of the app has every change once', async ({ assert }) => {
    const { set, admin, app } = await makeForm()
    await set({ requiredApprovals: 3 })
    await set({ requiredApprovals: 3 })
    const { body } = await admin.get(`/app/${app}/timelineEvents`)
    const entries = body.data.filter(({ type }: any) => type === 'app.fixRequestFormChanged')
    assert.lengthOf(entries, 1)
    assert.containsSubset(entries[0].data, {
      from: { requiredApprovals: 1 },
      to: { requiredApprovals: 3 },
    })
  })

  test('422 with the place of every error in shape and rules', async ({ assert }) => {
    const { set, admin, form } = await makeForm()
    const response = await set({
      requiredApprovals: 21,
      fourEyes: 'yes',
      fields: [
        risk,
        { ...risk, options: ['a', 'a'] },
        { id: '__proto__', label: 'x', type: 'multiselect' },
        { id: 'constructor', label: '', type: 'text', options: ['a'] },
        { id: 'd', label: 'x', type: 'slider' },
        { id: 'e', label: 'x', type: 'select', options: 'a' },
      ],
    })
    assert.equal(response.status, 422)
    assert.sameMembers(errorsOf(response), [
      '/requiredApprovals max',
      '/fourEyes boolean',
      '/fields/1/id unique',
      '/fields/1/options unique',
      '/fields/2/options required',
      '/fields/3/label min_length',
      '/fields/3/options not_allowed',
      '/fields/4/type enum',
      '/fields/5/options array',
    ])
    const other = await set({ fields: [{ ...risk, id: '' }] })
    assert.deepEqual(errorsOf(other), ['/fields/0/id min_length'])
    assert.deepEqual((await admin.get(form)).body.fields, [])
  })

  test('403 without UpdateAppSettings, 404 of another organization', async ({ assert }) => {
    const { world, form } = await makeForm()
    const key = await world.keyed({ groups: ['QA'] })
    assert.equal((await key.put(form, { fourEyes: false })).status, 403)
    const stranger = await makeForm()
    assert.equal((await stranger.admin.put(form, { fourEyes: false })).status, 404)
  })
})
