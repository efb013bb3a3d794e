import { test } from '@japa/runner'
import fc from 'fast-check'
import config from '#config/integrations'
import type { ProviderPluginDetails } from '#integrations/connection_entities'
import { exampleConnectionDetails } from '#integrations/connection_examples'
import { plugins } from '#integrations/plugins/plugin_registry'
import { pluginDetails } from '#integrations/queries/provider_plugins'
import { refuseFields } from '#foundation/core/problems/problem'
import { checkValue } from '#plugin-kit/check_value'
import type { ObjectSchema, ValueSchema } from '#plugin-kit/schema'
import { controlsOf, valuesOf, type ControlView } from '../../components/schema_form.view.js'
import { FormState } from '../../frame/fields.js'
import type { Fields, PageCall } from '../../frame/page.js'
import { exampleReader } from '../../tests/example_reader.js'
import { authorizedView, connectView, goView, rotateView } from '../connect.view.js'

const SERVICE = 'https://tarmac.acme.example'

const callFor = (more: Partial<PageCall> = {}) => ({
  ...{ reader: exampleReader, refused: null, query: {} },
  ...{ params: { orgId: 'org_acme', pluginId: 'any', connectionId: 'any:1' }, ...more },
})

/** Returns all fields of a form, those of groups among them. */
const flat = (controls: readonly ControlView[]): ControlView[] =>
  controls.flatMap((control) => [control, ...flat(control.controls)])

/** Returns every schema within a schema, with its name. */
const within = (schema: ObjectSchema): [string, ValueSchema][] =>
  Object.entries(schema.properties).flatMap(([name, each]): [string, ValueSchema][] => [
    [name, each],
    ...(each.type === 'object' ? within(each) : []),
  ])

const schemaOf = (given: unknown) => given as ObjectSchema

test.group('The form of every plugin that is shipped', (group) => {
  let shipped: ProviderPluginDetails[]
  group.setup(async () => {
    const configured = await config.resolver(null as never)
    const disabled = await plugins.load(configured.plugins)
    if (disabled.length > 0) throw new Error(JSON.stringify(disabled))
    shipped = await Promise.all(
      plugins.all.map(({ manifest }) => pluginDetails(manifest.id, SERVICE))
    )
    return async () => void (await plugins.load({}))
  })

  test('has a field for everything that the plugin takes, and shows no secret', ({ assert }) => {
    assert.isAbove(shipped.length, 10)
    for (const plugin of shipped) {
      const { id } = plugin
      const first = connectView(plugin, callFor())
      const ways =
        first.tabs.length > 0 ? first.tabs.map(({ href }) => href.split('with=')[1]) : ['']
      const names = new Set<string>()
      for (const way of ways) {
        const { controls, encoding } = connectView(plugin, callFor({ query: { with: way } }))
        const all = flat(controls)
        const ids = all.map((each) => each.id)
        assert.lengthOf(new Set(ids), ids.length, id)
        for (const { as, id: at, label } of all) {
          names.add(at)
          assert.isAtMost(label.length, 60, `${id} ${at}`)
          const schema = schemaAt(plugin, at)
          assert.equal(schema['x-secret'] === true, as === 'secret' || as === 'file', `${id} ${at}`)
        }
        assert.equal(
          encoding === 'multipart/form-data',
          all.some(({ as }) => as === 'file'),
          id
        )
      }
      const wanted = [
        ...Object.entries(schemaOf(plugin.connectionSchema).properties)
          .filter(([, schema]) => schema['x-operator'] !== true)
          .map(([name]) => `settings.${name}`),
        ...Object.keys(schemaOf(plugin.credentialSchema).properties)
          // Consent in a browser obtains it.
          .filter((name) => name !== 'refreshToken')
          .map((name) => `credentials.${name}`),
      ]
      assert.sameMembers([...names], wanted, id)
    }
  })

  const schemaAt = (plugin: ProviderPluginDetails, at: string): ValueSchema => {
    const [member, name] = at.split('.')
    const schema = member === 'settings' ? plugin.connectionSchema : plugin.credentialSchema
    return schemaOf(schema).properties[name]
  }

  test('describes every pattern in words', ({ assert }) => {
    const unexplained = shipped.flatMap(({ id, credentialSchema, connectionSchema }) =>
      [credentialSchema, connectionSchema].flatMap((schema) =>
        within(schemaOf(schema)).flatMap(([name, each]) =>
          each.type === 'string' && each.pattern && !each.description ? [`${id} ${name}`] : []
        )
      )
    )
    assert.deepEqual(unexplained, [])
  })

  test('offers the usual way first, and each way with its fields', ({ assert }) => {
    const forms = shipped.map((plugin) => {
      const { tabs, verb } = connectView(plugin, callFor())
      return [plugin.id, tabs.map(({ name }) => name).join(', '), verb]
    })
    assert.includeDeepMembers(forms, [
      ['app-store-connect', '', 'Check and connect'],
      ['github', 'In a browser, With the key of an App, With a token', 'Go on at GitHub'],
      ['google-play', '', 'Check and connect'],
      ['jira', 'In a browser, With a user name and a token', 'Go on at Jira'],
      ['slack', 'In a browser, With a token', 'Go on at Slack'],
      ['generic-ci', '', 'Check and connect'],
    ])
    const fields = (id: string, way: string) => {
      const plugin = shipped.find((each) => each.id === id)!
      const { controls } = connectView(plugin, callFor({ query: { with: way } }))
      return controls.map(({ label, as }) => `${label}: ${as}`)
    }
    assert.deepEqual(fields('app-store-connect', ''), [
      'Issuer ID (optional): line',
      'Key ID: line',
      'Private key: file',
    ])
    assert.deepEqual(fields('jira', 'browser'), [
      'Site: line',
      'Cloud ID (optional): line',
      'Client ID: line',
      'Client secret (optional): secret',
    ])
    assert.deepEqual(fields('slack', 'browser'), [
      'Signing secret (optional): secret',
      'Client ID: line',
      'Client secret: secret',
    ])
    assert.deepEqual(fields('github', 'header'), [
      'Host (optional): line',
      'Organization (optional): line',
      'Webhook secret (optional): secret',
      'Token: secret',
    ])
  })

  test('says what to prepare at the provider, and the address that it leads back to', ({
    assert,
  }) => {
    const slack = shipped.find(({ id }) => id === 'slack')!
    const { browser } = connectView(slack, callFor())
    assert.equal(browser!.redirectUri, `${SERVICE}/integrations/oauth/callback`)
    assert.match(browser!.preparation!.url, /^https:\/\/api\.slack\.com\/apps\?new_app=1/)
    const jira = shipped.find(({ id }) => id === 'jira')!
    assert.isNull(connectView(jira, callFor()).browser!.preparation)
  })

  test('for rotation says what is kept, and begins with the way in use', ({ assert }) => {
    const plugin = shipped.find(({ id }) => id === 'github')!
    const credentials = { names: ['token'], version: 2, fingerprint: 'x' }
    const view = rotateView(
      { connection: { ...exampleConnectionDetails, credentials }, plugin },
      callFor()
    )
    assert.equal(view.with, 'header')
    const [webhook, token] = view.controls
    assert.deepEqual([token.label, token.value], ['Token', ''])
    assert.match(token.hint!, /Kept\. Leave empty to keep it\.$/)
    assert.notMatch(webhook.hint!, /Kept/)
  })
})

/** Random schemas as plugins write them, each with a valid value that has no empty parts. */
const typedText = fc
  .string({ minLength: 1, maxLength: 12 })
  .map((text) => text.replaceAll(/\s/g, '_'))
  .filter((text) => text.trim() !== '')
type Case = [schema: ValueSchema, value: unknown]
const text = typedText.map((value): Case => [{ type: 'string' }, value])
const secret = typedText.map((value): Case => [{ 'type': 'string', 'x-secret': true }, value])
const word = fc
  .constantFrom('one', 'two')
  .map((value): Case => [{ type: 'string', enum: ['one', 'two'] }, value])
const count = fc.integer().map((value): Case => [{ type: 'integer' }, value])
const flag = fc.constant<Case>([{ type: 'boolean' }, true])
const lines = fc
  .array(typedText, { minLength: 1, maxLength: 3 })
  .map((value): Case => [{ type: 'array', items: { type: 'string' } }, value])
const leaf = fc.oneof(text, secret, word, count, flag, lines)
const name = fc.stringMatching(/^[a-z][A-Za-z0-9]{0,8}$/).filter((each) => !(each in {}))

const objectOf = (member: fc.Arbitrary<Case>) =>
  fc.dictionary(name, member, { minKeys: 1, maxKeys: 4 }).map((members): Case => {
    const entries = Object.entries(members)
    const properties = Object.fromEntries(entries.map(([key, [schema]]) => [key, schema]))
    const value = Object.fromEntries(entries.map(([key, [, given]]) => [key, given]))
    return [{ type: 'object', properties }, value]
  })
const groups = objectOf(leaf).chain(([items, value]) =>
  fc
    .integer({ min: 1, max: 3 })
    .map((length): Case => [
      { type: 'array', items: items as ObjectSchema },
      Array<unknown>(length).fill(value),
    ])
)
const whole = objectOf(fc.oneof(leaf, objectOf(leaf), groups))

/** Returns the form fields for a value, as somebody types them. */
function typed(schema: ValueSchema, value: unknown, at: string): [string, string][] {
  if (schema.type === 'object') {
    return Object.entries(value as object).flatMap(([key, each]) =>
      typed(schema.properties[key], each, `${at}.${key}`)
    )
  }
  if (schema.type !== 'array') return [[at, String(value)]]
  const entries = value as unknown[]
  if (schema.items.type === 'string') return [[at, entries.join('\r\n')]]
  return entries.flatMap((each, index) => typed(schema.items, each, `${at}.${index}`))
}

test.group('A form of any schema', () => {
  test('returns what was typed, and shows it again except for secrets', () => {
    fc.assert(
      fc.property(whole, ([schema, value]) => {
        const object = schema as ObjectSchema
        const fields: Fields = Object.fromEntries(typed(schema, value, 'settings'))
        const read = valuesOf(object, 'settings', fields)
        if (JSON.stringify(read) !== JSON.stringify(value)) throw new Error(JSON.stringify(read))
        if (checkValue(schema, read).length > 0) throw new Error('It does not fit')
        const problem = refuseFields([{ pointer: '/alias', code: 'x', message: 'x' }])
        const state = new FormState({ action: '/a', problem, fields }, '/a')
        const shown = flat(controlsOf(object, 'settings', { state }))
        for (const [at, given] of Object.entries(fields)) {
          const control = shown.find(({ id }) => id === at)!
          const isShown =
            control.as === 'flag'
              ? control.isOn
              : control.options.some((each) => each.isOn && each.value === given) ||
                control.value === given
          if (isShown === (control.as === 'secret')) throw new Error(`${at}: ${control.as}`)
        }
      }),
      { numRuns: 60 }
    )
  })

  test('leaves out empty values, and keeps invalid ones as they were typed', ({ assert }) => {
    const schema: ObjectSchema = {
      type: 'object',
      properties: {
        count: { type: 'integer' },
        empty: { type: 'string' },
        off: { type: 'boolean' },
        group: { type: 'object', properties: { inner: { type: 'string' } } },
        list: { type: 'array', items: { type: 'string' } },
        key: { 'type': 'string', 'x-secret': true },
      },
    }
    const fields = { 'a.count': '3x', 'a.empty': '  ', 'a.list': ' \r\n', 'a.key': ['', ' k \r\n'] }
    assert.deepEqual(valuesOf(schema, 'a', fields), { count: '3x', key: ' k \n' })
  })
})

test.group('The way to a provider', () => {
  const begun = {
    ...{ name: 'Jira', url: 'https://auth.atlassian.com/authorize?state=x', form: null },
    ...{ redirectUri: SERVICE, expiresAt: '2026-11-19T13:30:00.000Z' },
  }

  test('is a link, or a form whose origin is in the policy of the page', ({ assert }) => {
    const link = goView(begun, callFor())
    assert.deepEqual([link.isForm, link.leadsTo], [false, 'https://auth.atlassian.com'])
    assert.include(link.text, 'until today 14:30')
    const form = goView({ ...begun, form: { manifest: '{}' } }, callFor())
    assert.deepEqual(form.fields, [{ name: 'manifest', value: '{}' }])
    // The address of a plugin is a link only if it is safe.
    assert.equal(goView({ ...begun, url: 'javascript:alert(1)' }, callFor()).url, '')
  })

  test('ends at the connection, at another step, or with advice', ({ assert }) => {
    const none = { connection: null, next: null, problem: null }
    assert.containsSubset(authorizedView(none, callFor()), {
      ...{ heading: 'Not connected', httpStatus: 404 },
    })
    assert.containsSubset(authorizedView({ ...none, next: begun }, callFor()), {
      heading: 'One more step',
    })
    const done = authorizedView({ ...none, connection: exampleConnectionDetails }, callFor())
    assert.containsSubset(done, {
      leadsOn: { said: `Connected ${exampleConnectionDetails.alias}.` },
    })
  })
})
