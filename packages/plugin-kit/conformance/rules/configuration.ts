import assert from 'node:assert/strict'
import { checkValue } from '../../check_value.js'
import { DATA_FIELDS, type Kind } from '../../kinds.js'
import { tour } from '../tour.js'
import { kindsOf } from '../options.js'
import type { Rule, RuleInput } from './rule.js'

/** Group V: the schemas of configuration, and what the code reads of it. */
export function configurationRules(input: RuleInput): Rule[] {
  const { plugin, data } = input.options
  return [
    {
      id: 'V1',
      title: 'the fields of the specification are enough',
      async run() {
        const problems = kindsOf(plugin).flatMap((kind) => {
          const schema = plugin.manifest.capabilities[kind]?.dataSchema
          const given = Object.entries(data[kind] ?? {}).filter(([name]) => !name.startsWith('x-'))
          return schema ? checkValue(schema, Object.fromEntries(given)) : []
        })
        assert.deepEqual(problems, [], 'A field of its own is required')
      },
    },
    {
      id: 'V2',
      title: 'the code reads no data that its schema does not know',
      async run(bench) {
        await tour(bench, input)
        const unknown = [...bench.readOfData].flatMap(([kind, names]) => {
          const known = Object.keys(knownFields(input, kind))
          return [...names].filter((name) => !known.includes(name)).map((name) => `${kind}.${name}`)
        })
        assert.deepEqual(unknown, [])
      },
    },
    {
      id: 'V3',
      title: 'the code reads no setting and no credential that its schemas do not know',
      async run(bench) {
        await tour(bench, input)
        const { connectionSchema, credentialSchema } = plugin.manifest
        const { connection, secret } = bench.read
        const unknown = [
          ...[...connection].filter((name) => !Object.hasOwn(connectionSchema.properties, name)),
          ...[...secret].filter((name) => !Object.hasOwn(credentialSchema.properties, name)),
        ]
        assert.deepEqual(unknown, [])
      },
    },
  ]
}

function knownFields({ options }: RuleInput, kind: Kind): Readonly<Record<string, unknown>> {
  return options.plugin.manifest.capabilities[kind]?.dataSchema?.properties ?? DATA_FIELDS[kind]
}
