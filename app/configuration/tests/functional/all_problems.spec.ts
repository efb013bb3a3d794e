import { test } from '@japa/runner'
import { FORM_END, formHeaders } from '#tests/support/form'
import { makeWorld } from '#tests/support/world'
import { makeApp, sendYaml } from './yaml.js'

const placesOf = (body: any): string[] =>
  body.errors.map(({ path, line, column, code }: any) => `${path} ${line}:${column} ${code}`)

test.group('All errors of a configuration file', () => {
  test('several errors of syntax, with path, line and column', async ({ assert }) => {
    const world = await makeWorld()
    const file = [
      'name: Acme',
      'name: Again',
      'platform: ios',
      'appSettings:',
      '  versionFiles: [a, b',
      '  localizationDirectories: "open',
      'tagSettings:',
      '  release: {pattern: !!binary v}',
      '  release: {pattern: *nowhere}',
      '',
    ].join('\n')
    const { status, body } = await sendYaml(world.admin, 'POST', '/app/config', file)
    assert.deepEqual([status, body.code], [400, 'malformed_yaml'])
    assert.isAbove(body.errors.length, 2)
    for (const { line, column, path, pointer, code, message } of body.errors) {
      assert.isAbove(line, 0)
      assert.isAbove(column, 0)
      assert.isString(path)
      assert.isString(pointer)
      assert.match(code, /^yaml_/)
      assert.isNotEmpty(message)
    }
    const places = placesOf(body)
    assert.include(places, 'name 2:1 yaml_duplicate_key')
    assert.isTrue(places.some((place) => /^appSettings\S* \d+:\d+ yaml_syntax$/.test(place)))
    const lines = body.errors.map(({ line }: any) => line)
    assert.deepEqual(
      lines,
      lines.toSorted((one: number, other: number) => one - other)
    )
  })

  test('duplicate keys, unknown aliases and odd keys are reported together', async ({ assert }) => {
    const world = await makeWorld()
    const file = [
      'name: A',
      'name: B',
      'platform: *ios',
      'tagSettings:',
      '  a: {pattern: v, pattern: w}',
      '  ? [1]',
      '  : {}',
      'stepGroups:',
      '  - steps: [{name: x, name: y}]',
      '',
    ].join('\n')
    const { status, body } = await sendYaml(world.admin, 'POST', '/app/config', file)
    assert.equal(status, 400)
    assert.deepEqual(placesOf(body), [
      'name 2:1 yaml_duplicate_key',
      'platform 3:11 yaml_syntax',
      'tagSettings.a.pattern 5:19 yaml_duplicate_key',
      'tagSettings 6:5 yaml_key_not_text',
      'stepGroups[0].steps[0].name 9:23 yaml_duplicate_key',
    ])
    assert.equal(body.errors[4].pointer, '/stepGroups/0/steps/0/name')
  })

  test('an empty text is reported at its place, a missing one at its key', async ({ assert }) => {
    const world = await makeWorld()
    const file = 'name: ""\nplatform:\nappGroup:   \'\'\nappUsers: [""]\n'
    const { status, body } = await sendYaml(world.admin, 'POST', '/app/config', file)
    assert.equal(status, 422)
    assert.deepEqual(placesOf(body), [
      'name 1:7 blank',
      'platform 2:1 required',
      'appGroup 3:13 blank',
      'appUsers[0] 4:12 blank',
    ])
  })

  test('suggestions are valid at their place', async ({ assert }) => {
    const world = await makeWorld()
    const file = [
      'name: Acme',
      'nmae: Acme',
      'platform: ios',
      'icon: https://ada:secret@acme.example/icon.png',
      'tagSettings:',
      '  release: {pattern: "{verison}"}',
      'branchSettings:',
      'buildDistro:',
      '  buckets:',
      '    Main: {rules: [{type: Branch, branch: "{ciBuildNumbr}", workflow: x}]}',
      '    Other: {type: custom, members: {Engneers: tester, Fire Brigade: admin}}',
      'appSettings: {defaultReleaseType: hotfx}',
      '',
    ].join('\n')
    const { status, body, text } = await sendYaml(world.admin, 'POST', '/app/config', file)
    assert.equal(status, 422)
    const meant = Object.fromEntries(
      body.errors.map(({ path, suggestion }: any) => [path, suggestion ?? null])
    )
    assert.deepEqual(meant, {
      'nmae': null,
      'icon': null,
      'tagSettings.release.pattern': '{version}',
      'buildDistro.buckets.Main.rules[0].branch': null,
      'buildDistro.buckets.Other.members.Engneers': 'Engineers',
      'buildDistro.buckets.Other.members["Fire Brigade"]': null,
      'appSettings.defaultReleaseType': null,
    })
    assert.notInclude(text, 'secret')
  })

  test('a form without its file names the part', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const field = 'content-disposition: form-data; name="file"\r\n\r\nno file'
    const start = FORM_END.slice(2, -4)
    const bodies = [`${start}\r\n${field}${FORM_END}`, FORM_END.slice(2)]
    const forms = bodies.map((raw) => ({ raw, headers: formHeaders }))
    for (const path of ['/app/config', `/app/${app.id}/icon`]) {
      for (const request of forms) {
        const { status, body } = await world.admin.send<any>('POST', path, request)
        assert.deepEqual([status, body.code], [400, 'malformed_multipart'], path)
        assert.containsSubset(body.errors, [{ pointer: '/file', code: 'required' }])
        assert.match(body.detail, /The part "file" is missing/)
      }
    }
  })
})
