import { OPTIONAL_METHODS } from './capabilities/map.js'
import { checkObjectSchema, isMembers } from './check_schema.js'
import { checkValue } from './check_value.js'
import {
  CAPABILITY_KINDS,
  DATA_FIELDS,
  isInbound,
  specificationKind,
  type CapabilityKind,
  type DataField,
  type DataFields,
} from './kinds.js'
import {
  AUTH_SCHEMES,
  CREDENTIALS_OF,
  PLUGIN_PLATFORMS,
  SPI_VERSION,
  type PluginManifest,
} from './manifest.js'
import type { ObjectSchema, SchemaProblem, TextSchema, ValueSchema } from './schema.js'

const line = (maxLength = 200): TextSchema => ({ type: 'string', minLength: 1, maxLength })
const lines = (maxItems = 100) => ({ type: 'array', items: line(), maxItems }) as const
const count = { type: 'integer', minimum: 1 } as const
/** A domain name with a dot, never an IP address; `*.` matches subdomains at any depth. */
const hosts = {
  type: 'array',
  items: {
    type: 'string',
    pattern: '^(\\*\\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z][a-z0-9-]*[a-z0-9]$',
    maxLength: 253,
  },
  maxItems: 100,
} as const

const limit = {
  type: 'object',
  required: ['requests', 'perSeconds'],
  properties: { requests: count, perSeconds: count },
} as const

/** The schema of a manifest's plain members, in the schema language that plugins use themselves. */
const PLAIN: ObjectSchema = {
  type: 'object',
  required: ['id', 'aliases', 'name', 'version', 'spi', 'docsUrl', 'hosts', 'rate'],
  properties: {
    id: { type: 'string', pattern: '^[a-z][a-z0-9-]{1,38}$' },
    aliases: {
      type: 'array',
      items: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9-]{1,38}$' },
      maxItems: 20,
    },
    name: line(100),
    version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+([-+][0-9A-Za-z.+-]+)?$' },
    spi: count,
    docsUrl: { type: 'string', pattern: '^https://\\S+$', maxLength: 2000 },
    deprecated: {
      type: 'object',
      required: ['since'],
      properties: { since: line(), replacedBy: line(), endsOn: line() },
    },
    hosts: {
      type: 'object',
      required: ['allow', 'selfHosted'],
      properties: {
        allow: hosts,
        downloads: hosts,
        uploads: hosts,
        selfHosted: { type: 'boolean' },
      },
    },
    rate: {
      type: 'object',
      required: ['requests', 'perSeconds', 'concurrency', 'scope'],
      properties: {
        requests: count,
        perSeconds: count,
        concurrency: count,
        scope: { type: 'string', enum: ['credential', 'connection', 'host'] },
        retryAfterHeaders: lines(),
        pauses: {
          type: 'array',
          items: {
            type: 'object',
            required: ['says', 'seconds'],
            properties: { says: line(), seconds: count },
          },
          maxItems: 10,
        },
        bursts: limit,
        changes: { type: 'array', items: limit, maxItems: 5 },
        pausesPeople: { type: 'boolean' },
      },
    },
    webhooks: {
      type: 'object',
      required: ['verify', 'events'],
      properties: {
        verify: { type: 'string', enum: ['hmac', 'standardWebhooks', 'sharedToken', 'custom'] },
        events: lines(),
      },
    },
  },
}

const DECLARATION: ObjectSchema = {
  type: 'object',
  required: ['type', 'features'],
  properties: {
    type: { type: 'string', pattern: '^[a-z][a-z0-9-]{1,58}$' },
    platforms: { type: 'array', items: { type: 'string', enum: [...PLUGIN_PLATFORMS] } },
    features: lines(),
  },
}

/**
 * Returns why something is not a valid plugin for this version, as sentences that name the member;
 * empty for a valid one.
 */
export function checkPlugin(plugin: unknown): string[] {
  if (!isMembers(plugin) || !isMembers(plugin.manifest)) return ['It exports no plugin.']
  const problems = checkManifest(plugin.manifest)
  if (typeof plugin.lifecycle !== 'function') problems.push('lifecycle is no function.')
  if (!isMembers(plugin.capabilities)) return [...problems, 'capabilities are missing.']
  const declared = isMembers(plugin.manifest.capabilities) ? plugin.manifest.capabilities : {}
  for (const [kind, load] of Object.entries(plugin.capabilities)) {
    if (!Object.hasOwn(declared, kind)) problems.push(`The manifest does not declare ${kind}.`)
    if (typeof load !== 'function') problems.push(`capabilities.${kind} is no function.`)
  }
  for (const kind of CAPABILITY_KINDS) {
    if (isInbound(kind) || !Object.hasOwn(declared, kind)) continue
    if (!Object.hasOwn(plugin.capabilities, kind)) problems.push(`It has no code for ${kind}.`)
  }
  return problems
}

/** Returns the problems of a manifest alone, in the form of `checkPlugin`. */
export function checkManifest(manifest: Readonly<Record<string, unknown>>): string[] {
  const { auth, credentialSchema, connectionSchema, capabilities, ...plain } = manifest
  const plainProblems = checkValue(PLAIN, plain)
  const problems = sentencesOf('', plainProblems)
  if (Number.isInteger(plain.spi) && plain.spi !== SPI_VERSION) {
    problems.push(`It is written for version ${plain.spi} of the interface, not ${SPI_VERSION}.`)
  }
  const hasSchemes = Array.isArray(auth) && auth.length > 0
  if (!hasSchemes) problems.push('auth names no scheme.')
  else if (!auth.every(isAuthScheme)) problems.push('auth names an unknown scheme.')
  const schemaProblems = [
    ...sentencesOf('credentialSchema', checkObjectSchema(credentialSchema)),
    ...sentencesOf('connectionSchema', checkObjectSchema(connectionSchema)),
  ]
  problems.push(...schemaProblems)
  const declared = isMembers(capabilities) ? Object.entries(capabilities) : []
  if (declared.length === 0) problems.push('capabilities are missing.')
  const declarationProblems = declared.flatMap(([kind, each]) => checkDeclaration(kind, each))
  problems.push(...declarationProblems, ...checkTypes(declared))
  // The checks below compare members, so they run only once the schemas are valid.
  const checked = manifest as unknown as PluginManifest
  const areSchemasGood = schemaProblems.length === 0
  if (areSchemasGood && declared.length > 0 && declared.every(([, each]) => hasGoodData(each))) {
    problems.push(...checkSecrets(checked), ...checkOperators(checked))
  }
  const isCallable = !plainProblems.some(({ path: [member] }) => member === 'hosts')
  if (areSchemasGood && isCallable && hasSchemes && auth.every(isAuthScheme)) {
    problems.push(...checkCalled(checked))
  }
  return problems
}

const hasGoodData = (declaration: unknown) =>
  isMembers(declaration) &&
  (declaration.dataSchema === undefined || checkObjectSchema(declaration.dataSchema).length === 0)

/**
 * Returns, by index, the manifests that share a name or a type with an earlier one, with the
 * reasons. Names are compared case-insensitively.
 */
export function findCollisions(manifests: readonly PluginManifest[]): Map<number, string[]> {
  const collisions = new Map<number, string[]>()
  const owners = new Map<string, string>()
  for (const [index, manifest] of manifests.entries()) {
    const claims = [
      ...[manifest.id, ...manifest.aliases].map((name) => ({ what: 'name', name })),
      ...typesOf(manifest).map((name) => ({ what: 'type', name })),
    ].map(({ what, name }) => ({ what, name, key: `${what} ${name.toLowerCase()}` }))
    const taken = claims.filter(({ key }) => owners.has(key))
    if (taken.length > 0) {
      const sentences = taken.map(
        ({ what, name, key }) => `The ${what} ${name} is taken by ${owners.get(key)}.`
      )
      collisions.set(index, [...new Set(sentences)])
    } else for (const { key } of claims) owners.set(key, manifest.id)
  }
  return collisions
}

/**
 * Returns the fields of `data` that a capability takes: the specification's and the plugin's own.
 */
export function dataFieldsOf(kind: CapabilityKind, dataSchema?: ObjectSchema): DataFields {
  const base = DATA_FIELDS[specificationKind(kind)]
  if (!dataSchema) return base
  const own = Object.entries(dataSchema.properties).filter(([name]) => name.startsWith('x-'))
  const given = Object.keys(base).filter((name) => Object.hasOwn(dataSchema.properties, name))
  return Object.fromEntries([
    ...given.map((name) => [name, base[name]]),
    ...own.map(([name, schema]) => [name, fieldOf(schema)]),
  ])
}

function sentencesOf(member: string, problems: readonly SchemaProblem[]): string[] {
  return problems.map(({ path, message }) => {
    const place = [member, ...path].filter((each) => each !== '').join('.')
    return `${place} ${message}.`.trim()
  })
}

function isAuthScheme(auth: unknown): boolean {
  return isMembers(auth) && AUTH_SCHEMES.some((scheme) => scheme === auth.scheme)
}

function checkDeclaration(kind: string, declaration: unknown): string[] {
  const known = CAPABILITY_KINDS.find((each) => each === kind)
  if (!known) return [`capabilities.${kind} is of an unknown kind.`]
  if (!isMembers(declaration)) return [`capabilities.${kind} says nothing.`]
  const { dataSchema, ...plain } = declaration
  const at = `capabilities.${kind}`
  const problems = sentencesOf(at, checkValue(DECLARATION, plain))
  const optional = isInbound(known) ? {} : OPTIONAL_METHODS[known]
  for (const feature of Array.isArray(plain.features) ? plain.features : []) {
    if (typeof feature !== 'string' || Object.hasOwn(optional, feature)) continue
    problems.push(`${at} has no feature ${feature}.`)
  }
  if (dataSchema === undefined) return problems
  const broken = sentencesOf(`${at}.dataSchema`, checkObjectSchema(dataSchema))
  if (broken.length > 0) return [...problems, ...broken]
  return [...problems, ...checkDataSchema(at, known, dataSchema as ObjectSchema)]
}

/** A plugin may narrow the specification's fields; its own fields begin with `x-`. */
function checkDataSchema(at: string, kind: CapabilityKind, { properties }: ObjectSchema): string[] {
  const base = DATA_FIELDS[specificationKind(kind)]
  return Object.entries(properties).flatMap(([name, schema]) => {
    const field = fieldOf(schema)
    const place = `${at}.dataSchema.${name}`
    if (Object.hasOwn(base, name)) {
      return field === base[name] ? [] : [`${place} has another type than the specification says.`]
    }
    if (!/^x-[A-Za-z0-9-]+$/.test(name)) {
      return [`${place} is no field of the specification and does not begin with x-.`]
    }
    return field === 'text' || field === 'texts' ? [] : [`${place} is neither text nor a list.`]
  })
}

function fieldOf(schema: ValueSchema): DataField | null {
  if (schema.type === 'string') return 'text'
  if (schema.type !== 'array') return null
  return schema.items.type === 'string' ? 'texts' : 'events'
}

/** A plugin that calls over HTTP needs credentials for its schemes, and a host. */
function checkCalled({ hosts: { allow, selfHosted }, ...manifest }: PluginManifest): string[] {
  if (allow.length === 0 && !selfHosted) return []
  const { auth, credentialSchema, connectionSchema } = manifest
  const problems = auth.flatMap(({ scheme }) =>
    CREDENTIALS_OF[scheme].required
      .filter((name) => !Object.hasOwn(credentialSchema.properties, name))
      .map((name) => `credentialSchema has no ${name}, which the scheme ${scheme} takes.`)
  )
  if (selfHosted && connectionSchema.properties.host?.type !== 'string') {
    problems.push('connectionSchema has no text host, though hosts.selfHosted is true.')
  }
  return problems
}

function typesOf({ capabilities }: PluginManifest): string[] {
  return Object.values(capabilities).map(({ type }) => type)
}

function checkTypes(declared: readonly (readonly [string, unknown])[]): string[] {
  const types = declared.flatMap(([, each]) =>
    isMembers(each) && typeof each.type === 'string' ? [each.type] : []
  )
  const repeated = types.filter((type, index) => types.indexOf(type) < index)
  return [...new Set(repeated)].map((type) => `The type ${type} stands for two kinds.`)
}

/** Secrets belong in `credentialSchema` alone, because everything else is shown. */
function checkSecrets(manifest: PluginManifest): string[] {
  const { credentialSchema, connectionSchema, capabilities } = manifest
  const secrets = new Set(
    Object.entries(credentialSchema.properties).flatMap(([name, schema]) =>
      hasSecret(schema) ? [name] : []
    )
  )
  const shown = [
    ['connectionSchema', connectionSchema] as const,
    ...Object.entries(capabilities).flatMap(([kind, { dataSchema }]) =>
      dataSchema ? [[`capabilities.${kind}.dataSchema`, dataSchema] as const] : []
    ),
  ]
  return shown.flatMap(([place, { properties }]) =>
    Object.entries(properties).flatMap(([name, schema]) => {
      if (hasSecret(schema)) return [`${place}.${name} is a secret outside of credentialSchema.`]
      return secrets.has(name) ? [`${place}.${name} has the name of a secret.`] : []
    })
  )
}

const hasSecret = (schema: ValueSchema) => isMarked(schema, 'x-secret')

/** Returns whether a schema, or one nested in it, has a mark. */
function isMarked(schema: ValueSchema, mark: 'x-secret' | 'x-operator'): boolean {
  if (schema[mark]) return true
  if (schema.type === 'array') return isMarked(schema.items, mark)
  const within = schema.type === 'object' ? Object.values(schema.properties) : []
  return within.some((each) => isMarked(each, mark))
}

/** `x-operator` may mark only direct members of `connectionSchema`. */
function checkOperators(manifest: PluginManifest): string[] {
  const { credentialSchema, connectionSchema, capabilities } = manifest
  const others = [
    credentialSchema,
    ...Object.values(capabilities).flatMap(({ dataSchema }) => dataSchema ?? []),
    ...Object.values(connectionSchema.properties).map((each) => ({
      ...each,
      'x-operator': undefined,
    })),
  ]
  if (!others.some((each) => isMarked(each, 'x-operator'))) return []
  return ['x-operator is for members of connectionSchema.']
}
