import { realpath } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { jsonPointer } from '#foundation/core/json_pointer'
import { refuse, type ProblemPlace } from '#foundation/core/problems/problem'
import { checkValue } from '#plugin-kit/check_value'
import type { PluginManifest } from '#plugin-kit/manifest'
import type { Plugin } from '#plugin-kit/plugin'
import type { ObjectSchema, SchemaProblem, ValueSchema } from '#plugin-kit/schema'
import { oauthScheme } from '../oauth/oauth_scheme.js'
import type { Credentials } from './credentials.js'

type Schemas = Pick<PluginManifest, 'credentialSchema' | 'connectionSchema'>

/** The settings and credentials of a connection. */
interface ConnectionInput {
  settings?: Record<string, unknown>
  credentials: Credentials
}

/** Returns where a connection violates its plugin's schemas; messages never contain a value. */
export const schemaErrors = (
  { credentialSchema, connectionSchema }: Schemas,
  { settings, credentials }: ConnectionInput
): ProblemPlace[] => [
  ...placesIn('credentials', credentialSchema, checkValue(credentialSchema, credentials)),
  ...(settings
    ? placesIn('settings', connectionSchema, checkValue(connectionSchema, settings))
    : []),
]

/**
 * Validates settings and credentials against the plugin's schemas.
 * @throws invalid_input
 */
export const requireValidConnection = (schemas: Schemas, input: ConnectionInput): void =>
  throwIfAny(schemaErrors(schemas, input))

/**
 * Folders that people may enter on pages, by plugin id. Other folders are entered at the console.
 */
export type PageFolders = Readonly<Record<string, readonly string[]>>

/**
 * Returns the errors of settings that only the operator of the service may give. `x-operator: true`
 * reserves a setting. A pattern there reserves the values that match it, except paths inside the
 * plugin's `pageFolders`, wherever symbolic links lead.
 */
export async function operatorOnlyErrors(
  { id, connectionSchema: { properties } }: Schemas & Pick<PluginManifest, 'id'>,
  settings: Record<string, unknown>,
  pageFolders: PageFolders
): Promise<ProblemPlace[]> {
  const errors: ProblemPlace[] = []
  for (const [name, value] of Object.entries(settings)) {
    const { 'x-operator': reserved, title = name } = properties[name] ?? {}
    const isReserved =
      typeof reserved === 'string' ? new RegExp(reserved, 'u').test(`${value}`) : reserved
    if (!isReserved) continue
    const folders = typeof reserved === 'string' ? (pageFolders[id] ?? []) : []
    if (await isInOne(folders, value)) continue
    const message =
      folders.length === 0
        ? `${title} can be given only on the console, by the operator of the service.`
        : `${title} lies outside of ${folders.join(', ')}: the operator of the service can give any other folder on the console.`
    errors.push({ pointer: jsonPointer('settings', name), code: 'operator', message })
  }
  return errors
}

/** Returns whether a path is one of some folders, or inside of one. */
async function isInOne(folders: readonly string[], path: unknown): Promise<boolean> {
  if (typeof path !== 'string' || folders.length === 0) return false
  const [target, ...roots] = await Promise.all([path, ...folders].map(followed))
  return roots.some((root) => !relative(root, target).split(sep).includes('..'))
}

/** Returns where a path leads, or where its closest folder does if there is nothing at it. */
function followed(path: string): Promise<string> {
  const folder = dirname(resolve(path))
  return realpath(path).catch(() => (folder === path ? path : followed(folder)))
}

/**
 * Returns the errors of what a person enters before connecting in a browser. Missing credentials
 * are no error, because the provider supplies them.
 * @throws conflict if the plugin cannot be connected in a browser
 */
export function browserConnectionErrors(
  { manifest, setup }: Plugin,
  input: ConnectionInput
): ProblemPlace[] {
  if (!setup) oauthScheme(manifest)
  const { credentials } = input
  const places = Object.keys(credentials).map((name) => jsonPointer('credentials', name))
  const isGiven = (pointer = '') =>
    places.some((place) => pointer === place || pointer.startsWith(`${place}/`))
  const errors = schemaErrors(manifest, input).filter(
    ({ pointer }) => pointer?.startsWith('/settings') || isGiven(pointer)
  )
  if (!setup && !credentials.clientId) {
    const [missing] = placesIn('credentials', manifest.credentialSchema, [
      { path: ['clientId'], message: 'is required' },
    ])
    errors.push(missing)
  }
  return errors
}

/** @throws as `browserConnectionErrors` does; invalid_input */
export const requireValidBrowserConnection = (plugin: Plugin, input: ConnectionInput): void =>
  throwIfAny(browserConnectionErrors(plugin, input))

/** @throws invalid_input with the errors, if there are any */
export function throwIfAny(errors: ProblemPlace[]): void {
  if (errors.length === 0) return
  const detail = 'The values do not match the schema of the plugin.'
  throw refuse('invalid_input', { detail, errors })
}

const placesIn = (member: string, schema: ObjectSchema, problems: readonly SchemaProblem[]) =>
  problems.map(({ path, message }) => {
    const found = schemaAt(schema, path)
    return {
      pointer: jsonPointer(member, ...path),
      code: 'invalid',
      message: `${found?.title ?? path.join('.')} ${withoutPattern(message, found)}.`,
    }
  })

/** Leaves the pattern out of a message if the schema has a description in words. */
const withoutPattern = (message: string, schema: ValueSchema | undefined) =>
  schema?.description && message.startsWith('has to match ')
    ? 'has another form than it should'
    : message

function schemaAt(schema: ValueSchema, path: SchemaProblem['path']): ValueSchema | undefined {
  let current: ValueSchema | undefined = schema
  for (const step of path) {
    if (current?.type === 'object') current = current.properties[step]
    else if (current?.type === 'array')
      current = { title: current.title, ...current.items } as ValueSchema
  }
  return current
}
