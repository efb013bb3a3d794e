import { test } from '@japa/runner'
import fc from 'fast-check'
import { feature, OPTIONAL_METHODS } from '../capabilities/map.js'
import type { Chat } from '../capabilities/work.js'
import { checkManifest, checkPlugin, dataFieldsOf, findCollisions } from '../check_manifest.js'
import { DATA_FIELDS, KINDS, specificationKind } from '../kinds.js'
import type { PluginManifest } from '../manifest.js'
import { definePlugin } from '../plugin.js'
import { sampleManifest, samplePlugin } from './samples.js'

const problemsOf = (manifest: unknown) =>
  checkManifest(manifest as Record<string, unknown>).join('\n')

const chat = (change: object) => ({
  capabilities: { chat: { type: 'acme-chat', features: [], ...change } },
})
const hosts = (change: object) => ({
  hosts: { allow: ['api.acme.example'], selfHosted: false, ...change },
})
const data = (properties: object) => chat({ dataSchema: { type: 'object', properties } })

const kinds = fc.subarray([...KINDS, 'customCi', 'customObservability'] as const, { minLength: 1 })
const manifests: fc.Arbitrary<PluginManifest> = fc
  .record({
    id: fc.stringMatching(/^[a-z][a-z0-9-]{1,38}$/),
    aliases: fc.array(fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{1,20}$/), { maxLength: 3 }),
    kinds,
  })
  .map(({ id, aliases, kinds: given }) => {
    const capabilities = given.map((kind) => {
      const features = kind in OPTIONAL_METHODS ? Object.keys(OPTIONAL_METHODS[kind as never]) : []
      return [kind, { type: `${kind.toLowerCase()}-of-it`, features }]
    })
    return sampleManifest({ id, aliases, capabilities: Object.fromEntries(capabilities) })
  })

test.group('Plugin kit | manifests', () => {
  test('any plugin of known kinds with valid names is accepted', ({ assert }) => {
    fc.assert(
      fc.property(manifests, (manifest) => {
        const plugin = samplePlugin(manifest)
        for (const kind of ['customCi', 'customObservability']) {
          delete (plugin.capabilities as Record<string, unknown>)[kind]
        }
        assert.deepEqual(checkPlugin(definePlugin(plugin)), [])
      })
    )
  })

  test('a manifest without one of its members, or with one more, is refused', ({ assert }) => {
    const members = Object.keys(sampleManifest()) as (keyof PluginManifest)[]
    fc.assert(
      fc.property(fc.constantFrom(...members), (member) => {
        const manifest: Partial<PluginManifest> = sampleManifest()
        delete manifest[member]
        assert.include(problemsOf(manifest), member)
      })
    )
    assert.include(problemsOf({ ...sampleManifest(), hostrange: '1' }), 'hostrange is not known')
  })

  test('all errors are reported at once, also those found by comparing', ({ assert }) => {
    const secret = { 'type': 'string', 'x-secret': true } as const
    const { capabilities } = chat({
      features: ['fly', 'update'],
      dataSchema: { type: 'object', properties: { token: secret, nobodys: { type: 'string' } } },
    })
    const broken = sampleManifest({
      ...hosts({ selfHosted: true }),
      version: 'one' as never,
      connectionSchema: { type: 'object', properties: {} },
      capabilities: {
        ...capabilities,
        issueTracking: { type: 'acme-chat', features: [] },
      } as never,
    })
    const problems = checkPlugin({ ...samplePlugin(broken), lifecycle: null })
    for (const part of [
      'version',
      'has no feature fly',
      'nobodys is no field of the specification',
      'stands for two kinds',
      'token is a secret outside of credentialSchema',
      'connectionSchema has no text host',
      'lifecycle is no function',
    ]) {
      assert.include(problems.join('\n'), part)
    }
  })

  test('any exported value gets a verdict, and never throws', ({ assert }) => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (one, other) => {
        assert.isNotEmpty(checkPlugin(one))
        assert.isNotEmpty(checkPlugin({ ...samplePlugin(), manifest: one }))
        const manifest = { ...sampleManifest(), capabilities: other }
        assert.isArray(checkPlugin({ ...samplePlugin(), manifest }))
        assert.isArray(checkPlugin({ ...samplePlugin(), capabilities: other }))
      })
    )
  })

  test('a broken manifest says what is wrong: {$i}')
    .with([
      [{ id: 'Acme' }, 'id has to match'],
      [{ id: 'a' }, 'id has to match'],
      [{ id: 'a:b' }, 'id has to match'],
      [{ aliases: ['a b'] }, 'aliases.0 has to match'],
      [{ version: '1' }, 'version has to match'],
      [{ spi: 2 }, 'written for version 2 of the interface, not 1'],
      [{ docsUrl: 'http://acme.example' }, 'docsUrl has to match'],
      [{ auth: [] }, 'auth names no scheme'],
      [{ auth: [{ scheme: 'telepathy' }] }, 'auth names an unknown scheme'],
      [{ credentialSchema: { type: 'object' } }, 'credentialSchema needs properties'],
      [{ connectionSchema: {} }, 'connectionSchema has to be of type object'],
      [{ capabilities: {} }, 'capabilities are missing'],
      [{ capabilities: { teleport: {} } }, 'teleport is of an unknown kind'],
      [chat({ type: 'Acme Chat' }), 'chat.type has to match'],
      [chat({ features: ['telepathy'] }), 'has no feature telepathy'],
      [chat({ dataSchema: { type: 'string' } }), 'dataSchema has to be of type object'],
      [data({ room: { type: 'string' } }), 'dataSchema.room is no field of the specification'],
      [data({ primaryChannelIds: { type: 'string' } }), 'another type than the specification'],
      [data({ 'x-n': { type: 'integer' } }), 'x-n is neither text nor a list'],
      [data({ 'x-key': { 'type': 'string', 'x-secret': true } }), 'secret outside of'],
      [data({ 'x-key': { 'type': 'string', 'x-operator': true } }), 'members of connectionSchema'],
      [
        {
          connectionSchema: {
            type: 'object',
            properties: { hook: { 'type': 'string', 'x-secret': true } },
          },
        },
        'connectionSchema.hook is a secret outside of credentialSchema',
      ],
      [
        { connectionSchema: { type: 'object', properties: { token: { type: 'string' } } } },
        'connectionSchema.token has the name of a secret',
      ],
      [
        {
          capabilities: {
            chat: { type: 'acme', features: [] },
            onCall: { type: 'acme', features: [] },
          },
        },
        'The type acme stands for two kinds',
      ],
      [hosts({ allow: ['https://acme.example'] }), 'hosts.allow.0 has to match'],
      [hosts({ allow: ['127.0.0.1'] }), 'hosts.allow.0 has to match'],
      [hosts({ allow: ['*.*.example'] }), 'hosts.allow.0 has to match'],
      [hosts({ allow: ['Acme.example'] }), 'hosts.allow.0 has to match'],
      [hosts({ allow: ['*'] }), 'hosts.allow.0 has to match'],
      [hosts({ downloads: ['acme.example:8443'] }), 'hosts.downloads.0 has to match'],
      [hosts({ selfHosted: true }), 'connectionSchema has no text host'],
      [{ auth: [{ scheme: 'basic' }] }, 'no username, which the scheme basic takes'],
    ] as [object, string][])
    .run(({ assert }, [change, message]) => {
      assert.include(problemsOf({ ...sampleManifest(), ...change }), message)
    })

  test('code and manifest must have the same kinds', ({ assert }) => {
    const plugin = samplePlugin()
    assert.deepEqual(checkPlugin({ ...plugin, capabilities: {} }), ['It has no code for chat.'])
    const more = { ...plugin.capabilities, onCall: plugin.lifecycle }
    assert.deepEqual(checkPlugin({ ...plugin, capabilities: more }), [
      'The manifest does not declare onCall.',
    ])
    assert.include(checkPlugin({ ...plugin, lifecycle: 1 }), 'lifecycle is no function.')
  })

  test('of plugins that share a name or a type only the first is accepted', ({ assert }) => {
    const other = chat({ type: 'other-chat' })
    const list = [
      sampleManifest(),
      sampleManifest({ id: 'second', aliases: ['ACME'], ...other }),
      sampleManifest({ id: 'third', aliases: [] }),
      sampleManifest({ id: 'fourth', aliases: ['second'], ...other }),
    ]
    assert.deepEqual(
      [...findCollisions(list)],
      [
        [1, ['The name ACME is taken by acme.']],
        [2, ['The type acme-chat is taken by acme.']],
      ]
    )
  })

  test('accepted plugins share no name and no type', ({ assert }) => {
    fc.assert(
      fc.property(fc.array(manifests, { maxLength: 6 }), (list) => {
        const collisions = findCollisions(list)
        const kept = list.filter((_, index) => !collisions.has(index))
        const names = kept.flatMap(({ id, aliases }) => [
          ...new Set([id, ...aliases].map((each) => each.toLowerCase())),
        ])
        const types = kept.flatMap((each) => Object.values(each.capabilities).map((c) => c.type))
        assert.lengthOf(new Set(names), names.length)
        assert.lengthOf(new Set(types), types.length)
        assert.equal(kept.length > 0, list.length > 0)
        assert.deepEqual(findCollisions(kept).size, 0)
      })
    )
  })

  test('a capability may have the fields of the specification, fewer, and its own', ({
    assert,
  }) => {
    for (const kind of KINDS) assert.equal(dataFieldsOf(kind), DATA_FIELDS[kind])
    assert.equal(dataFieldsOf('customCi'), DATA_FIELDS.ci)
    assert.equal(specificationKind('customObservability'), 'productAnalytics')
    const fields = dataFieldsOf('crashMonitoring', {
      type: 'object',
      properties: {
        'x-regions': { type: 'array', items: { type: 'string' } },
        'projectId': { type: 'string' },
      },
    })
    assert.deepEqual(fields, { 'projectId': 'text', 'x-regions': 'texts' })
  })

  test('an optional method is called if it exists, and unsupported if it is left out', ({
    assert,
  }) => {
    const plugin: Chat = {
      listChannels: async () => ({ items: [] }),
      post: async () => ({ id: '1' }),
      async findUserByEmail() {
        return { id: String(this === plugin) }
      },
    }
    return feature(
      plugin,
      'findUserByEmail'
    )('ada@acme.example').then((found) => {
      assert.deepEqual(found, { id: 'true' })
      assert.throws(() => feature(plugin, 'update'), 'The plugin has no update')
      const caught = (() => {
        try {
          return feature(plugin, 'update')
        } catch (error) {
          return error
        }
      })()
      assert.containsSubset(caught, { code: 'unsupported', detail: { outcome: 'notApplied' } })
    })
  })
})
