import assert from 'node:assert/strict'
import { OPTIONAL_METHODS, REQUIRED_METHODS } from '../../capabilities/map.js'
import { checkPlugin, dataFieldsOf } from '../../check_manifest.js'
import { checkValue } from '../../check_value.js'
import { NOTHING } from '../../schema.js'
import type { CapabilityKind } from '../../kinds.js'
import { CREDENTIALS_OF, type AuthScheme, type PluginManifest } from '../../manifest.js'
import { kindsOf } from '../options.js'
import type { Rule, RuleInput } from './rule.js'

/** The credentials of each scheme that are secret. */
const SECRETS: Readonly<Record<AuthScheme['scheme'], readonly string[]>> = {
  none: [],
  header: ['token'],
  basic: ['password'],
  jwt: ['privateKey'],
  googleServiceAccount: ['serviceAccount'],
  githubApp: ['privateKey'],
  twoStep: ['clientSecret'],
  oauth2: ['refreshToken', 'clientSecret'],
}

/** Group M: the manifest is valid and true. */
export function manifestRules({ options }: RuleInput): Rule[] {
  const { plugin, before } = options
  const { manifest } = plugin
  const rules: Rule[] = [
    {
      id: 'M1',
      title: 'the service takes the plugin',
      run: async () => assert.deepEqual(checkPlugin(plugin), []),
    },
    {
      id: 'M2',
      title: 'its methods are those of its kinds and features',
      run: () => requireMethods(options),
    },
    {
      id: 'M3',
      title: 'every credential that nobody may see is marked as a secret',
      run: async () => assert.deepEqual(unmarked(manifest), []),
    },
    {
      id: 'M4',
      title: 'what it is tried with fits its schemas',
      run: async () => assert.deepEqual(misfits(options), []),
    },
    {
      id: 'M5',
      title: 'the manifest is plain data',
      async run() {
        const written = JSON.parse(JSON.stringify(manifest)) as unknown
        assert.deepEqual(written, manifest, 'It is another once it is written as JSON')
      },
    },
  ]
  if (before) {
    rules.push({
      id: 'M6',
      title: 'what files may say with the version before they still may',
      run: async () => assert.deepEqual(lost(before, manifest), []),
    })
  }
  return rules
}

async function requireMethods({ plugin }: RuleInput['options']): Promise<void> {
  const problems: string[] = []
  for (const kind of kindsOf(plugin)) {
    const { default: Capability } = await plugin.capabilities[kind]!()
    const { prototype } = Capability as { prototype: object }
    const has = (name: string) => typeof Reflect.get(prototype, name) === 'function'
    const features = plugin.manifest.capabilities[kind]?.features ?? []
    for (const name of Object.keys(REQUIRED_METHODS[kind])) {
      if (!has(name)) problems.push(`${kind} has no method ${name}`)
    }
    for (const name of Object.keys(OPTIONAL_METHODS[kind])) {
      if (has(name) && !features.includes(name)) {
        problems.push(`${kind} has the method ${name}, and features do not name it`)
      }
      if (!has(name) && features.includes(name)) {
        problems.push(`${kind} has the feature ${name}, and no such method`)
      }
    }
  }
  assert.deepEqual(problems, [])
}

function unmarked({ auth, credentialSchema: { properties } }: PluginManifest): string[] {
  const secrets = auth.flatMap(({ scheme }) =>
    [...CREDENTIALS_OF[scheme].required, ...(CREDENTIALS_OF[scheme].optional ?? [])].filter(
      (name) => SECRETS[scheme].includes(name)
    )
  )
  return [...new Set(secrets)].filter(
    (name) => Object.hasOwn(properties, name) && properties[name]['x-secret'] !== true
  )
}

function misfits({ plugin, credentials, settings = {}, data }: RuleInput['options']): string[] {
  const { manifest } = plugin
  const reported = (what: string, problems: { path: (string | number)[]; message: string }[]) =>
    problems.map(({ path, message }) => `${[what, ...path].join('.')} ${message}`)
  return [
    ...Object.entries(credentials).flatMap(([name, given]) =>
      reported(`credentials.${name}`, checkValue(manifest.credentialSchema, given))
    ),
    ...reported('settings', checkValue(manifest.connectionSchema, settings)),
    ...kindsOf(plugin).flatMap((kind) => {
      const schema = manifest.capabilities[kind]?.dataSchema
      return schema ? reported(`data.${kind}`, checkValue(schema, data[kind] ?? {})) : []
    }),
  ]
}

/** Returns what the earlier manifest allowed and its successor does not. */
function lost(before: PluginManifest, now: PluginManifest): string[] {
  const missing: string[] = []
  if (now.id !== before.id) missing.push(`the id ${before.id}`)
  for (const alias of before.aliases) {
    if (!now.aliases.includes(alias)) missing.push(`the alias ${alias}`)
  }
  for (const [kind, { type, dataSchema }] of Object.entries(before.capabilities)) {
    const successor = now.capabilities[kind as CapabilityKind]
    if (successor?.type !== type) missing.push(`the type ${type}`)
    const known = dataFieldsOf(kind as CapabilityKind, successor?.dataSchema)
    for (const [name, field] of Object.entries(dataFieldsOf(kind as CapabilityKind, dataSchema))) {
      if (known[name] !== field) missing.push(`the field ${name} of ${kind}`)
    }
    const { required = [] } = successor?.dataSchema ?? NOTHING
    const was = new Set(dataSchema?.required ?? [])
    for (const name of required) {
      if (!was.has(name)) missing.push(`that ${kind} may be without ${name}`)
    }
  }
  for (const name of Object.keys(before.connectionSchema.properties)) {
    if (!Object.hasOwn(now.connectionSchema.properties, name)) missing.push(`the setting ${name}`)
  }
  return missing
}
